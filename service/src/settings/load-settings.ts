import { readFileSync } from 'node:fs'
import { type SettingDescriptor, type SettingName, settingDescriptors } from './setting-descriptors.ts'
import { host } from './setting-types.ts'

type Descriptors = typeof settingDescriptors
type ValueOf<Descriptor> = Descriptor extends { readonly type: { readonly parse: (text: string) => infer Value } }
  ? Exclude<Value, undefined>
  : never

/** The settings by environment variable; undefined if unset and without a default. */
export type Settings = {
  readonly [Name in SettingName]:
    | ValueOf<Descriptors[Name]>
    | (Descriptors[Name] extends { readonly defaultValue: unknown } ? never : undefined)
}

/** Lists every problem of the environment, one sentence each. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options)
    this.problems = problems
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** Settings that require others. */
const requirements: readonly (readonly [SettingName, readonly SettingName[]])[] = [
  ['S3_ENDPOINT', ['S3_BUCKET']],
  ['S3_SESSION_TOKEN', ['S3_ACCESS_KEY_ID']],
  ['S3_BUCKET', ['S3_ENDPOINT']],
  ['STRIPE_SECRET_KEY', ['STRIPE_WEBHOOK_SECRET']],
  ['STRIPE_WEBHOOK_SECRET', ['STRIPE_SECRET_KEY']],
  ['SMTP_URL', ['SMTP_FROM']],
]

/** Settings required by each source of object storage credentials: all of one of the lists. */
const neededByCredentials = {
  keys: [['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']],
  'web-identity': [['AWS_ROLE_ARN', 'AWS_WEB_IDENTITY_TOKEN_FILE']],
  container: [['AWS_CONTAINER_CREDENTIALS_FULL_URI'], ['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI']],
  instance: [[]],
} as const satisfies Record<Settings['S3_CREDENTIALS'], readonly (readonly SettingName[])[]>

/** A check of several settings, which are all valid by themselves, and its error messages. */
type Check = {
  readonly reads: readonly SettingName[]
  readonly findProblems: (settings: Settings, environment: Environment) => readonly string[]
}

const checks: readonly Check[] = [
  { reads: ['S3_CREDENTIALS', 'S3_ENDPOINT'], findProblems: checkCredentials },
  { reads: ['REDIS_URL', 'REDIS_TOPOLOGY'], findProblems: checkRedis },
  { reads: ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ADDRESSING'], findProblems: checkAddressing },
]

function checkCredentials({ S3_ENDPOINT, S3_CREDENTIALS }: Settings, environment: Environment): string[] {
  if (S3_ENDPOINT === undefined) return []
  const missing = neededByCredentials[S3_CREDENTIALS].map(names => names.filter(name => !isSet(environment, name)))
  if (missing.some(names => names.length === 0)) return []
  const cause = S3_CREDENTIALS === 'keys' ? 'because S3_ENDPOINT is set' : `because S3_CREDENTIALS is ${S3_CREDENTIALS}`
  if (missing.length > 1)
    return [`Expected a value for ${missing.flat().join(' or ')}, ${cause}, but received nothing.`]
  return missing.flat().map(name => `Expected a value for ${name}, ${cause}, but received nothing.`)
}

function checkRedis({ REDIS_URL, REDIS_TOPOLOGY }: Settings): string[] {
  if (REDIS_URL === undefined || REDIS_URL.length === 1 || REDIS_TOPOLOGY !== 'single') return []
  return [`Expected one URL for REDIS_URL with REDIS_TOPOLOGY=single but received ${REDIS_URL.length}.`]
}

function checkAddressing({ S3_ENDPOINT, S3_BUCKET, S3_ADDRESSING }: Settings): string[] {
  if (S3_ENDPOINT === undefined || S3_BUCKET === undefined || S3_ADDRESSING === 'path') return []
  const name = `${S3_BUCKET}.${new URL(S3_ENDPOINT).hostname}`
  if (host.parse(name) !== undefined && name === name.toLowerCase()) return []
  return [
    `Expected path for S3_ADDRESSING, because ${name} of S3_BUCKET and S3_ENDPOINT is not a host name in lower case, but received host.`,
  ]
}

/** The endpoint with the bucket before its host name. */
export const withBucketHost = (endpoint: string, bucket: string): string => endpoint.replace('://', `://${bucket}.`)

/**
 * Reads the settings from an environment. An empty value counts as unset. A secret may be in a file, whose
 * path is given by the variable with the suffix `_FILE`.
 * @throws {SettingsError} with every problem at once, but never a secret's value
 */
export function loadSettings(environment: Environment): Settings {
  const problems: string[] = []
  const faulty = new Set<string>()
  const values = new Map<string, unknown>()
  const descriptors: readonly [string, SettingDescriptor][] = Object.entries(settingDescriptors)
  for (const [name, descriptor] of descriptors) {
    const { received, problem } = read(environment, name, descriptor)
    const value = received === '' ? descriptor.defaultValue : descriptor.type.parse(received)
    values.set(name, value)
    const found = problem ?? (received !== '' && value === undefined ? problemWith(name, descriptor, received) : null)
    if (found === null) continue
    faulty.add(name)
    problems.push(found)
  }
  for (const [name, needed] of requirements) {
    if (values.get(name) === undefined) continue
    for (const other of needed.filter(other => !isSet(environment, other)))
      problems.push(`Expected a value for ${other}, because ${name} is set, but received nothing.`)
  }
  const settings = Object.fromEntries(values)
  if (!isComplete(settings)) throw new SettingsError(problems)
  for (const { reads, findProblems } of checks)
    if (!reads.some(name => faulty.has(name))) problems.push(...findProblems(settings, environment))
  if (problems.length > 0) throw new SettingsError(problems)
  return settings
}

type Received = { readonly received: string; readonly problem?: string }

/** The text of a setting, from its variable or from the file of a secret. */
function read(environment: Environment, name: string, { isSecret }: SettingDescriptor): Received {
  const received = environment[name]?.trim() ?? ''
  const file = environment[`${name}_FILE`]?.trim() ?? ''
  if (isSecret !== true || file === '') return { received }
  if (received !== '') return { received: '', problem: `Expected ${name} or ${name}_FILE but received both.` }
  const expected = `Expected a file with a secret for ${name}_FILE but received ${JSON.stringify(file)}`
  try {
    const content = readFileSync(file, 'utf8').trim()
    return content === '' ? { received: '', problem: `${expected}, which is empty.` } : { received: content }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown'
    return { received: '', problem: `${expected}, which cannot be read (${String(code)}).` }
  }
}

function isSet(environment: Environment, name: string): boolean {
  return [name, `${name}_FILE`].some(variable => (environment[variable]?.trim() ?? '') !== '')
}

function problemWith(name: string, { type, isSecret }: SettingDescriptor, received: string): string {
  const shown =
    isSecret === true ? `${received.length} characters that are not` : JSON.stringify(received.slice(0, 100))
  return `Expected ${type.expected} for ${name} but received ${shown}.`
}

/** Whether every setting has an entry: its value, its default or undefined. */
function isComplete(values: Readonly<Record<string, unknown>>): values is Settings {
  return Object.keys(settingDescriptors).every(name => Object.hasOwn(values, name))
}
