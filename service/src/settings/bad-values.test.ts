import assert from 'node:assert/strict'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import test from 'node:test'
import Fastify from 'fastify'
import { createTransport } from 'nodemailer'
import { Pool } from 'pg'
import { buildProxyTest, fastifyTrustOf } from '../http/trusted-proxies.ts'
import { openRedis } from '../rate-limits/redis-client.ts'
import { openObjectStorage } from '../storage/open-object-storage.ts'
import { loadSettings, type Settings, SettingsError } from './load-settings.ts'
import { publicUrlOf } from './public-url.ts'
import { type SettingDescriptor, settingDescriptors } from './setting-descriptors.ts'

type Environment = Readonly<Record<string, string>>

const descriptors: readonly [string, SettingDescriptor][] = Object.entries(settingDescriptors)

/** Settings that complement a setting, so that its own value is the only error. */
const s3 = { S3_ENDPOINT: 'https://s3.example.com', S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 's' }
const stripe = { STRIPE_SECRET_KEY: 'sk_test_123', STRIPE_WEBHOOK_SECRET: 'whsec_123' }
const smtp = { SMTP_URL: 'smtp://mail.example.com', SMTP_FROM: 'shop@example.com' }
const companions: readonly [RegExp, Environment][] = [
  [/^S3_|^AWS_/, s3],
  [/^STRIPE_/, stripe],
  [/^SMTP_/, smtp],
  [/^REDIS_(?!URL)/, { REDIS_URL: 'rediss://redis.example.com' }],
  [/^DATABASE_/, { DATABASE_URL: 'postgres://db.example.com/vitrine' }],
]

const environmentOf = (name: string, value: string): Environment => ({
  ...companions.find(([pattern]) => pattern.test(name))?.[1],
  [name]: value,
})

function problemsOf(environment: Environment): readonly string[] {
  try {
    loadSettings(environment)
  } catch (error) {
    assert.ok(error instanceof SettingsError, `${JSON.stringify(environment)} ended in ${String(error)}`)
    return error.problems
  }
  return []
}

/** Values without blanks, in one line. */
const words = (text: string): string[] => text.split(' ')

const long = (length: number): string => 'x'.repeat(length)

const badUrls = [
  ...words('x :// ftp://host javascript:1 SCHEME:// SCHEME:/// SCHEME:host SCHEME://. SCHEME://a..b'),
  ...words('SCHEME://* SCHEME://-a SCHEME://a_b! SCHEME://[::1 SCHEME://[fe80::1%25eth0]'),
  ...words('SCHEME://host:0 SCHEME://host:65536 SCHEME://host:x SCHEME://256.256.256.256'),
  ...words('SCHEME://host/% SCHEME://u:%zz@host SCHEME://%ff@host'),
  'SCHEME://ho st',
  'SCHEME://ho\nst',
  'SCHEME://ho\tst',
  `SCHEME://${long(64)}`,
  `SCHEME://${long(300)}`,
]
const urlsOf = (...schemes: string[]) => schemes.flatMap(scheme => badUrls.map(url => url.replace('SCHEME', scheme)))

const badWebUrls = [...urlsOf('http', 'https'), 'http://host/?x', 'http://host/#x', 'http://0x7f.1.x.0x']

const badHosts = [
  ...words('. * - a..b -a a- a/b a:80 [::1] [ http://host a@b ü a_! 1 127.1 0x7f.1 256.1.1.1'),
  ...words('1.2.3.4.5 010.0.0.1 10.0.0.0/8 fe80::1%eth0 ::: ::g'),
  'a b',
  long(64),
  long(300),
  `${'a.'.repeat(127)}ab`,
  '%00',
  'a\tb',
]

const badAddresses = [...words('@ a@ @b a@b@c a@-b a@b..c a@[ ü@b.de'), 'not an address', 'a@b c', 'a b@c.de']

/** Values that the settings reject. Those of numbers, choices and secrets are generated. */
const badValues: Readonly<Record<string, readonly string[]>> = {
  HOST: badHosts,
  DATA_DIR: [long(1001), 'a\nb', 'a\u0000b'],
  PUBLIC_URL: [...badWebUrls, 'https://user@host', 'https://:p@host', 'https://example.com:0'],
  DATABASE_URL: [
    ...urlsOf('postgres', 'postgresql').filter(url => !/^\w+:\/\/\/$|:\/\/host\/$/.test(url)),
    'mysql://h',
  ],
  REDIS_URL: [...urlsOf('redis', 'rediss'), ...words('redis://u:%zz@h redis://h/x redis://h/-1 redis://h/1/2'), ','],
  REDIS_SENTINEL_NAME: [long(1001), 'a\nb'],
  REDIS_CA_FILE: [long(1001), 'a\nb'],
  S3_ENDPOINT: [...badWebUrls, 'https://user@host', 'host'],
  S3_REGION: [...words('/ ? # .. -a . a/b ü a:b'), 'eu west', long(64)],
  S3_BUCKET: [...words('.. . - _a a/b ? # a? a# a:b ü %41 arn:aws:s3'), 'a b', 'a\nb', long(256)],
  S3_KEY_PREFIX: [...words('.. . / // a//b /a a/../b ? # ü -'), 'a b', long(501)],
  AWS_ROLE_ARN: [long(1001), 'a\nb'],
  AWS_WEB_IDENTITY_TOKEN_FILE: [long(1001), 'a\nb'],
  AWS_ENDPOINT_URL_STS: [...badWebUrls, 'https://user@host'],
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: [...words('x @host/ :80/ .. /ü'), '/a b', `/${long(1001)}`],
  AWS_CONTAINER_CREDENTIALS_FULL_URI: [...urlsOf('http', 'https'), 'http://user@host', 'http://host/#x'],
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: [long(1001), 'a\nb'],
  AWS_EC2_METADATA_SERVICE_ENDPOINT: [...badWebUrls, 'https://user@host'],
  ARTWORK_ALLOWED_PRIVATE_HOSTS: [
    ...badHosts.filter(each => !['a:80', '[::1]'].includes(each)),
    ...words('host:0 host:65536 host: host:x [1.2.3.4]:80 [::1]:0 a,* ,'),
  ],
  ARTWORK_ALLOWED_PORTS: [...words('0 65536 -1 1.5 x 80,0 , 0x50 1e3'), '80 443', '８０'],
  TRUST_PROXY: [
    ...words('0 11 -1 1.5 01 1e1 yes 0x7f.1 127.1 2130706433 10.0.0/8 010.0.0.1 loopback 0/0 1.2.3.4/0'),
    ...words('::/0 1.2.3.4/33 ::/129 1.2.3.4/ /8 1.2.3.4/8/8 1.2.3.4/-1 1.2.3.4/x 1.2.3.4/255.0.0.0'),
    ...words('fe80::1%eth0 [::1] 1.2.3.4:80 , host'),
    '1, 10.0.0.1',
    'true, 10.0.0.1',
  ],
  SMTP_URL: urlsOf('smtp', 'smtps'),
  SMTP_FROM: [
    ...badAddresses,
    ...words('<> " "x <a@b.de a@b.de>'),
    '< >',
    'a@b.de, c@d.de',
    'Shop, Inc. <a@b.de>',
    'Shop <a@b.de> x',
    'Shop a@b.de',
    'Shop <x>',
    'a@b.de\nBcc: c@d.de',
    `${long(65)}@b.de`,
    `a@${long(64)}`,
    'a,b@c.de',
    '(x) <a@b.de>',
  ],
  SECURITY_CONTACT: [...badAddresses, ...words('http://host https:// https://* tel:1 mailto: javascript:1'), ','],
  OTEL_EXPORTER_OTLP_ENDPOINT: badWebUrls,
  OTEL_EXPORTER_OTLP_HEADERS: [
    ...words('x =x a:b=x ü=x a=% a=%zz a=%ff a=x,b , a=%0A a=%0D%0A a=%00 a=%E2%82%AC content-length=1'),
    ...words('Content-Length=1 host=x a=1,te=x transfer-encoding=chunked connection=close upgrade=h2c'),
    ...words('expect=100-continue content-type=x'),
    'a b=x',
    'a=b c',
  ],
  OTEL_SERVICE_NAME: [long(1001), 'a\nb'],
  OTEL_RESOURCE_ATTRIBUTES: [...words('x =x ü=x a=% a=%zz a=%ff a=x,b ,'), 'a b=x', 'a=b c'],
  OTEL_TRACES_SAMPLER_ARG: [...words('-0.1 1.1 2 .5 1e-1 NaN Infinity 0,5 50%'), 'x'],
}

const notWhole = [...words('-1 +1 1.5 1e3 0x10 1_000 1,000 NaN Infinity'), '9'.repeat(30), '１', 'x', 'true']

function badValuesOf(name: string, { type }: SettingDescriptor): readonly string[] {
  const [, least, greatest] = /^an integer from (\d+) to (\d+)$/.exec(type.expected) ?? []
  if (least !== undefined) return [...notWhole, `${Number(greatest) + 1}`, ...(Number(least) > 0 ? ['0'] : [])]
  if (type.expected.startsWith('one of ')) return [...words('x - 0 true'), type.name, 'ü', long(5000)]
  const [, characters] = /^a secret of at least (\d+) /.exec(type.expected) ?? []
  if (characters !== undefined)
    return ['a b', 'ü'.repeat(40), `a\n${long(40)}`, long(5000), ...(characters === '1' ? [] : ['x'])]
  return badValues[name] ?? []
}

for (const [name, descriptor] of descriptors)
  test(`${name}: every bad value is refused in one sentence that names it`, () => {
    const values = badValuesOf(name, descriptor)
    assert.notEqual(values.length, 0, `no bad values for ${name}: add them here`)
    for (const value of values) {
      const problems = problemsOf(environmentOf(name, value))
      assert.equal(problems.length, 1, `${name}=${JSON.stringify(value)}: ${problems.join(' ') || 'accepted'}`)
      assert.match(problems[0] ?? '', new RegExp(`^Expected [^\\n]+ for ${name} but received [^\\n]+\\.$`))
    }
  })

const oddValues = [
  ...words('0 1 -1 10 1.5 1e999 NaN null true false [] {} * . .. / // ? # % %00 %zz "'),
  '',
  ' ',
  '\\',
  '\u202e',
  "'",
  ...words('<> ` $HOME ~ ü 日本 🙂 a a/b a,b a=b a=%41 a@b a@b.de a:1 ::1 :: 0.0.0.0 127.0.0.1'),
  ...words('10.0.0.0/8 localhost http://host HTTPS://Host:443/a/ https://bücher.example redis://h'),
  ...words('REDISS://u:p@h:1/2 postgres://h postgresql:///db?host=/tmp postgres://u:p@%2Ftmp/db'),
  ...words('smtp://h smtps://u:p%40@[::1]:465 /etc/passwd /dev/null'),
  '\u2028',
  'a b',
  'A <a@b.de>',
  'http://1.2.3.4:81/x y',
  '\0',
  '\x1B[31m',
  'a\nb',
  long(64),
  long(2e3),
  ...words('keys container single cluster host path open info __proto__ constructor'),
  long(1e5),
]

/** Uses the settings as the service does, without the servers. */
async function use(settings: Settings): Promise<void> {
  assert.ok(URL.canParse(publicUrlOf(settings)), `${publicUrlOf(settings)} is no URL`)
  validateHeaderValue('location', publicUrlOf(settings))
  openObjectStorage(settings)
  await Fastify({ trustProxy: fastifyTrustOf(settings.TRUST_PROXY) }).close()
  buildProxyTest(settings.TRUST_PROXY)('192.0.2.7')
  for (const [name, value] of Object.entries(settings.OTEL_EXPORTER_OTLP_HEADERS ?? {})) {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  }
  const { REDIS_URL, REDIS_TOPOLOGY, REDIS_SENTINEL_NAME, DATABASE_URL, SMTP_URL, SMTP_FROM } = settings
  if (REDIS_URL !== undefined) {
    const redis = openRedis({ urls: REDIS_URL, topology: REDIS_TOPOLOGY, sentinelName: REDIS_SENTINEL_NAME })
    redis.on('error', () => undefined)
    redis.disconnect()
  }
  if (DATABASE_URL !== undefined) await new Pool({ connectionString: DATABASE_URL }).end()
  if (SMTP_URL !== undefined) createTransport({ url: SMTP_URL }).close()
  if (SMTP_FROM === undefined) return
  const { envelope } = await createTransport({ jsonTransport: true }).sendMail({ from: SMTP_FROM, to: 'x@example.com' })
  assert.match(String(envelope.from), /^[^@\s]+@[^@\s]+$/, SMTP_FROM)
}

for (const [name] of descriptors)
  test(`${name}: every odd value is refused in one sentence that names it, or the service can use it`, async () => {
    for (const value of oddValues) {
      const environment = environmentOf(name, value)
      const problems = problemsOf(environment)
      if (problems.length === 0) await use(loadSettings(environment))
      for (const problem of problems) assert.match(problem, /^Expected [^\n]+\.$/)
      for (const problem of problems) assert.ok(problem.includes(name), `${name}=${JSON.stringify(value)}: ${problem}`)
    }
  })

test('several bad settings are reported in one sentence each, and none hides another', () => {
  const environment = Object.fromEntries(
    descriptors.map(([name, descriptor]) => [name, badValuesOf(name, descriptor)[0] ?? '']),
  )
  const problems = problemsOf(environment)
  assert.equal(problems.length, descriptors.length)
  for (const [index, [name]] of descriptors.entries())
    assert.match(problems[index] ?? '', new RegExp(` for ${name} but `))
})

const inHost = (endpoint: string, bucket: string) => ({
  ...s3,
  S3_ADDRESSING: 'host',
  S3_ENDPOINT: endpoint,
  S3_BUCKET: bucket,
})

test('virtual-hosted buckets require that bucket and endpoint form a host name', () => {
  for (const [endpoint, bucket] of [
    ['http://127.0.0.1:9000', 'b'],
    ['http://[::1]:9000', 'b'],
    ['https://s3.example.com', 'Capitals'],
    ['https://s3.example.com', 'b.'],
    ['https://s3.example.com', 'a..b'],
    ['https://s3.example.com', long(64)],
    [`https://${'a.'.repeat(120)}com`, long(60)],
  ] as const) {
    const problems = problemsOf(inHost(endpoint, bucket))
    assert.equal(problems.length, 1, `${endpoint} ${bucket}: ${problems.join(' ')}`)
    assert.match(problems[0] ?? '', /^Expected path for S3_ADDRESSING, because .+ but received host\.$/)
  }
  for (const bucket of ['b', 'my-bucket', 'my.bucket'])
    assert.deepEqual(problemsOf(inHost('https://s3.example.com:444', bucket)), [])
})

test('a wrong S3_CREDENTIALS is the only reported problem, whether keys are set or not', () => {
  for (const value of [...words('wrong - key Keys!'), '0'])
    for (const environment of [s3, { S3_ENDPOINT: s3.S3_ENDPOINT, S3_BUCKET: 'b' }])
      assert.deepEqual(
        problemsOf({ ...environment, S3_CREDENTIALS: value }).map(problem => / for (\w+) /.exec(problem)?.[1]),
        ['S3_CREDENTIALS'],
      )
})
