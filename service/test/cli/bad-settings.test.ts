import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { s3Settings, startS3, type TestS3 } from '../servers/s3.ts'
import { makeData } from './make-data.ts'
import { runHere } from './run-here.ts'
import { runVitrine } from './run-vitrine.ts'
import { refusedStart, startVitrine } from './vitrine-server.ts'

let folder: string
let s3: TestS3
let mute: Server
let empty: Server
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-settings-'))
  s3 = await startS3()
  // Accepts connections and closes them, so it is not a server of any protocol.
  mute = createServer(socket => socket.on('error', () => undefined).end())
  await new Promise<void>(resolve => mute.listen(0, '127.0.0.1', resolve))
  // Empty: a storage without the bucket answers like this.
  empty = createHttpServer((_, response) => response.writeHead(404).end())
  await new Promise<void>(resolve => empty.listen(0, '127.0.0.1', resolve))
})
after(async () => {
  await s3.stop()
  mute.close()
  empty.close()
  await rm(folder, { recursive: true, force: true })
})

const place = (server = mute): string => {
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return `127.0.0.1:${address.port}`
}

/** One failure of each kind, with the names that its message must contain. */
const refusals: readonly (readonly [string, () => Readonly<Record<string, string>>, ...string[]])[] = [
  ['an invalid network', () => ({ TRUST_PROXY: '10.0.0/8' }), 'TRUST_PROXY'],
  ['an unknown kind of credentials', () => ({ ...s3Settings(s3), S3_CREDENTIALS: 'wrong' }), 'S3_CREDENTIALS'],
  ['a password that cannot be decoded', () => ({ REDIS_URL: 'redis://u:%zz@h' }), 'REDIS_URL'],
  ['a bucket before an IP address', () => ({ ...s3Settings(s3), S3_ADDRESSING: 'host' }), 'S3_ADDRESSING'],
  ['a long name', () => ({ HOST: 'x'.repeat(300) }), 'HOST'],
  [
    'several at once',
    () => ({ HOST: '*', PUBLIC_URL: 'http://.', SMTP_URL: 'smtp://' }),
    'HOST',
    'PUBLIC_URL',
    'SMTP_',
  ],
  ['an unknown host name', () => ({ HOST: 'no-such-host.invalid' }), 'HOST'],
  ['an address of another machine', () => ({ HOST: '192.0.2.7' }), 'HOST'],
  ['a missing file', () => ({ REDIS_CA_FILE: '/nope' }), 'REDIS_CA_FILE'],
  ['a folder for a file', () => ({ REDIS_CA_FILE: folder }), 'REDIS_CA_FILE'],
  ['a file without certificates', () => ({ REDIS_CA_FILE: '/dev/null' }), 'REDIS_CA_FILE'],
  [
    'a storage that refuses connections',
    () => ({ ...s3Settings(s3), S3_ENDPOINT: 'http://127.0.0.1:9' }),
    'S3_ENDPOINT',
  ],
  ['a server that is not a storage', () => ({ ...s3Settings(s3), S3_ENDPOINT: `http://${place()}` }), 'S3_ENDPOINT'],
  ['a storage with an unknown key', () => ({ ...s3Settings(s3), S3_ACCESS_KEY_ID: 'x' }), 'S3_CREDENTIALS'],
  ['a storage of another region', () => ({ ...s3Settings(s3), S3_REGION: 'elsewhere' }), 'S3_REGION'],
  ['a missing bucket', () => ({ ...s3Settings(s3), S3_ENDPOINT: `http://${place(empty)}` }), 'no such bucket'],
  ['a database that refuses connections', () => ({ DATABASE_URL: 'postgres://u:p@127.0.0.1:9/d' }), 'DATABASE_URL'],
  ['a server that is not a database', () => ({ DATABASE_URL: `postgres://u:p@${place()}/d` }), 'DATABASE_URL'],
  [
    'a role with a missing token',
    () => ({
      ...s3Settings(s3),
      S3_CREDENTIALS: 'web-identity',
      AWS_ROLE_ARN: 'arn:aws:iam::1:role/x',
      AWS_WEB_IDENTITY_TOKEN_FILE: '/nope',
    }),
    'S3_CREDENTIALS',
    '/nope',
  ],
]
/** One of each stage of the start is a program, which must end by itself; the others run in this process. */
const asPrograms = new Set([
  'several at once',
  'an unknown host name',
  'a missing file',
  'a storage that refuses connections',
  'a database that refuses connections',
])
for (const [what, environmentOf, ...names] of refusals)
  test(`${what} stops the start with a sentence that names the setting`, async () => {
    const environment = { DATA_DIR: path.join(folder, 'data'), HOST: '127.0.0.1', PORT: '0', ...environmentOf() }
    const { code, stderr } = asPrograms.has(what)
      ? await refusedStart(environment)
      : await runHere(['serve'], environment)
    assert.equal(code, 1, stderr)
    for (const name of names) assert.ok(stderr.includes(name), stderr)
    const sentences = stderr
      .replace(/^vitrine: /, '')
      .trimEnd()
      .split('\n')
    for (const sentence of sentences) assert.match(sentence, /^[A-Z][^\n]*\.$/)
    assert.doesNotMatch(stderr, /^\s+at /m)
  })

test('a file with invalid certificates is distinguished from one without any', async () => {
  const file = path.join(folder, 'broken.pem')
  await writeFile(file, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
  const { stderr } = await refusedStart({ DATA_DIR: path.join(folder, 'data'), REDIS_CA_FILE: file })
  assert.match(stderr, /^vitrine: Expected .+ for REDIS_CA_FILE .+ has one that cannot be read\.\n$/)
})

test('commands report the same sentences', async () => {
  const { code, stdout, stderr } = await runVitrine(['account', 'list'], { ...s3Settings(s3), S3_CREDENTIALS: 'wrong' })
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /^vitrine: Expected [^\n]+ for S3_CREDENTIALS but received "wrong"\.\n$/)
})

test('a service without its Redis or mail server serves requests, and its log names the setting', async () => {
  const server = await startVitrine({
    DATA_DIR: (await makeData(path.join(folder, 'away'))).dataDir,
    REDIS_URL: 'redis://127.0.0.1:9',
    SMTP_URL: `smtp://${place()}`,
    SMTP_FROM: 'Shop <shop@example.com>',
  })
  try {
    while (!/REDIS_URL/.test(server.output()) || !/SMTP_URL/.test(server.output()))
      await new Promise(resolve => setTimeout(resolve, 25))
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
  } finally {
    await server.stop()
  }
})
