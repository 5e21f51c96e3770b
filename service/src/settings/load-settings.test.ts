import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { assert as assertProperty, constantFrom, property, stringMatching } from 'fast-check'
import { loadSettings, SettingsError } from './load-settings.ts'
import { type SettingDescriptor, settingDescriptors } from './setting-descriptors.ts'

function problemsOf(environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    loadSettings(environment)
  } catch (error) {
    assert(error instanceof SettingsError)
    return error.problems
  }
  return []
}

const descriptors: readonly [string, SettingDescriptor][] = Object.entries(settingDescriptors)

test('nothing has to be set, and an empty value counts as unset: both give the default', () => {
  const blank = Object.fromEntries(Object.keys(settingDescriptors).map(name => [name, ' ']))
  for (const environment of [{}, blank]) {
    const settings: Readonly<Record<string, unknown>> = loadSettings(environment)
    for (const [name, { defaultValue }] of descriptors) assert.equal(settings[name], defaultValue, name)
  }
})

test('every default is a valid value', () => {
  for (const [name, { type, defaultValue }] of descriptors) {
    if (defaultValue === undefined || Array.isArray(defaultValue)) continue
    const text = typeof defaultValue === 'string' ? defaultValue : JSON.stringify(defaultValue)
    assert.equal(type.parse(text), defaultValue, name)
  }
})

const accepted: readonly [string, string, unknown][] = [
  ['PORT', '0', 0],
  ['PORT', '65535', 65535],
  ['PUBLIC_URL', 'https://mockups.example.com/', 'https://mockups.example.com'],
  ['DATABASE_URL', 'postgres://u:p@host/db', 'postgres://u:p@host/db'],
  ['TRUST_PROXY', 'true', true],
  ['TRUST_PROXY', '10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
  [
    'ARTWORK_ALLOWED_PRIVATE_HOSTS',
    '127.0.0.1:4001, [::1]:80,Assets.Internal',
    ['127.0.0.1:4001', '[::1]:80', 'assets.internal'],
  ],
  ['LOG_LEVEL', 'WARN', 'warn'],
]
for (const [name, value, expected] of accepted)
  test(`${name}=${value} is accepted`, () => {
    const settings: Readonly<Record<string, unknown>> = loadSettings({ [name]: value })
    assert.deepEqual(settings[name], expected)
  })

const refused: readonly [string, string][] = [
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '8080.5'],
  ['PORT', '0x50'],
  ['PUBLIC_URL', 'mockups.example.com'],
  ['PUBLIC_URL', 'https://user@mockups.example.com'],
  ['PUBLIC_URL', 'https://mockups.example.com/?x'],
  ['DATABASE_URL', 'mysql://host/db'],
  ['REDIS_URL', 'http://host'],
  ['TRUST_PROXY', 'yes'],
  ['ARTWORK_ALLOWED_PRIVATE_HOSTS', 'http://host/'],
  ['ARTWORK_ALLOWED_PRIVATE_HOSTS', 'host:70000'],
  ['ARTWORK_TIMEOUT_SECONDS', '0'],
  ['LOG_LEVEL', 'loud'],
  ['SIGN_UP', 'perhaps'],
  ['AUTH_SECRET', 'too-short'],
]
for (const [name, value] of refused)
  test(`${name}=${value} is refused in one sentence that names it`, () => {
    const problems = problemsOf({ [name]: value })
    assert.equal(problems.length, 1)
    assert.match(problems[0] ?? '', new RegExp(`^Expected .+ for ${name} but received .+\\.$`))
  })

test('all problems are reported at once', () => {
  const problems = problemsOf({
    PORT: 'x',
    LOG_LEVEL: 'loud',
    S3_ENDPOINT: 'https://s3.example.com',
    SMTP_URL: 'smtp://mail',
  })
  assert.equal(problems.length, 6)
  for (const name of ['PORT', 'LOG_LEVEL', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'SMTP_FROM'])
    assert(
      problems.some(problem => problem.includes(`for ${name}`)),
      name,
    )
})

test('secrets may be in files, other settings may not', t => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-secrets-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'secret')
  const examples: Readonly<Record<string, string>> = {
    DATABASE_URL: 'postgres://u:p@host/db',
    REDIS_URL: 'redis://:p@host',
    SMTP_URL: 'smtp://u:p@mail',
    SMTP_FROM: 'shop@example.com',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x',
    PORT: '81',
  }
  const other = {
    SMTP_FROM: 'shop@example.com',
    STRIPE_WEBHOOK_SECRET: 'whsec_123',
    STRIPE_SECRET_KEY: 'sk_test_123',
    S3_ACCESS_KEY_ID: 'key',
  }
  const descriptors: readonly [string, SettingDescriptor][] = Object.entries(settingDescriptors)
  for (const [name, { isSecret, defaultValue, type }] of descriptors) {
    const value = examples[name] ?? 'x'.repeat(40)
    writeFileSync(file, `${value}\n`)
    const settings: Readonly<Record<string, unknown>> = loadSettings({
      ...Object.fromEntries(Object.entries(other).filter(([each]) => each !== name)),
      [`${name}_FILE`]: file,
    })
    assert.deepEqual(settings[name], isSecret === true ? type.parse(value) : defaultValue, name)
  }
})

test('a secret that is given twice, or in an empty or missing file, is refused without showing it', t => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-secrets-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [empty, short] = [path.join(folder, 'empty'), path.join(folder, 'short')]
  writeFileSync(empty, '\n')
  writeFileSync(short, 'swordfish')
  const both = problemsOf({ AUTH_SECRET: 'x'.repeat(40), AUTH_SECRET_FILE: empty })
  assert.deepEqual(both, ['Expected AUTH_SECRET or AUTH_SECRET_FILE but received both.'])
  assert.match(problemsOf({ AUTH_SECRET_FILE: empty }).join(), /^Expected .+ for AUTH_SECRET_FILE .+ is empty\.$/)
  const absent = problemsOf({ AUTH_SECRET_FILE: path.join(folder, 'absent'), METRICS_TOKEN_FILE: folder })
  assert.match(absent.join(' '), /AUTH_SECRET_FILE .+ \(ENOENT\)\. .+ METRICS_TOKEN_FILE .+ \(EISDIR\)\.$/)
  const tooShort = problemsOf({ AUTH_SECRET_FILE: short })
  assert.match(tooShort.join(), /^Expected .+ for AUTH_SECRET but received 9 characters that are not\.$/)
})

test('no problem ever shows the value of a secret', () => {
  const secrets = descriptors.filter(([, { isSecret }]) => isSecret === true).map(([name]) => name)
  assert(secrets.length > 5)
  assertProperty(
    property(constantFrom(...secrets), stringMatching(/^[A-Z0-9]{12,30}$/), (name, value) => {
      const problems = problemsOf({ [name]: `${value}é` }).join('\n')
      assert(!problems.includes(value.trim()))
    }),
  )
})
