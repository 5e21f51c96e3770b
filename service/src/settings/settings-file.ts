import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { loadSettings, type Settings, SettingsError } from './load-settings.ts'
import { type SettingDescriptor, settingDescriptors } from './setting-descriptors.ts'

/** Variables that are not settings but that such a file may have, for Node, SQLite or the system. */
const variablesOfOthers: readonly string[] = [
  'LD_LIBRARY_PATH',
  'NODE_ENV',
  'NODE_EXTRA_CA_CERTS',
  'NODE_OPTIONS',
  'SQLITE_TMPDIR',
  'TMPDIR',
  'TZ',
]

/** The maximum edit distance of a name that is taken for a misspelt setting. */
const MISSPELT_LETTERS = 2

function readLines(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown'
    throw new SettingsError([
      `Expected a file with settings but received ${JSON.stringify(file)}, which cannot be read (${String(code)}).`,
    ])
  }
}

/**
 * The settings in a file with lines such as `NAME=value`. This process's environment is ignored.
 * @throws {SettingsError} with every problem at once
 */
export function loadSettingsFile(file: string): Settings {
  return loadSettings(parseEnv(readLines(file)))
}

/**
 * Reads files with lines such as `NAME=value` as the settings of one service; for a name in several the last
 * one counts, as in Kubernetes. Also rejects what the service itself would ignore: names that are not
 * settings, and values that programs parse differently, because of quotes.
 * @returns the names of the settings that are set
 * @throws {SettingsError} with every problem at once, but never a secret's value
 */
export function checkSettingsFiles(files: readonly string[]): readonly string[] {
  const problems: string[] = []
  const environment: Record<string, string> = {}
  for (const file of files) {
    const text = readLines(file)
    const values = parseEnv(text)
    for (const [name, value] of Object.entries(values)) {
      environment[name] = value ?? ''
      if (!isKnown(name)) problems.push(`${file}: ${problemWithName(name)}`)
      else if (!isReadAlike(text, name, environment[name]))
        problems.push(
          `${file}: Expected a value for ${name} without quotes and without " #", which programs read in different ways.`,
        )
    }
  }
  try {
    loadSettings(environment)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    problems.push(...error.problems)
  }
  if (problems.length > 0) throw new SettingsError(problems)
  return Object.keys(environment).filter(name => environment[name] !== '')
}

const descriptors: Readonly<Record<string, SettingDescriptor>> = settingDescriptors

function isKnown(name: string): boolean {
  if (Object.hasOwn(descriptors, name) || variablesOfOthers.includes(name)) return true
  const secret = name.endsWith('_FILE') ? descriptors[name.slice(0, -'_FILE'.length)] : undefined
  return secret?.isSecret === true
}

function problemWithName(name: string): string {
  const suggestion = Object.keys(descriptors).find(each => distanceOf(each, name) <= MISSPELT_LETTERS)
  const hint = suggestion === undefined ? 'docs/reference/configuration.md lists them' : `is it ${suggestion}`
  return `Expected the name of a setting but received ${name}: ${hint}${suggestion === undefined ? '.' : '?'}`
}

/** Whether a line's value needs no interpretation: not every program strips quotes and comments. */
function isReadAlike(text: string, name: string, value: string): boolean {
  const raw = text.split(/\r?\n/).findLast(line => line.startsWith(`${name}=`))
  return raw !== undefined && raw.slice(name.length + 1) === value
}

/** The edit distance of two names (Levenshtein). */
function distanceOf(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 0; row < a.length; row += 1) {
    const current = [row + 1]
    for (let column = 0; column < b.length; column += 1) {
      const replaced = (previous[column] ?? 0) + (a[row] === b[column] ? 0 : 1)
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
