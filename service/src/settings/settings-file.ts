import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { loadSettings, type Settings, SettingsError } from './load-settings.ts'

/**
 * The settings that a file with lines such as `NAME=value` names. The environment of this process has no part
 * in them.
 * @throws {SettingsError} with every problem at once
 */
export function loadSettingsFile(file: string): Settings {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown'
    throw new SettingsError([
      `Expected a file with settings but received ${JSON.stringify(file)}, which cannot be read (${String(code)}).`,
    ])
  }
  return loadSettings(parseEnv(text))
}
