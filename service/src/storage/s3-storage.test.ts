import assert from 'node:assert/strict'
import dns from 'node:dns'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { after, afterEach, before, describe, mock, test } from 'node:test'
import { startS3, type TestS3 } from '../../test/servers/s3.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { StorageUnavailableError } from './object-storage.ts'
import { openObjectStorage } from './open-object-storage.ts'

const MIB = 1024 * 1024

let s3: TestS3
let folder: string
let fixedKeys: TestS3['accepted']
before(async () => {
  s3 = await startS3({ pageSize: 3 })
  fixedKeys = s3.accepted
  folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-s3-'))
})
after(async () => {
  await s3.stop()
  await rm(folder, { recursive: true, force: true })
})
afterEach(() => {
  s3.accepted = fixedKeys
  s3.objects.clear()
  s3.uploads.clear()
  s3.requestCounts.clear()
})

const storageOf = (environment: Readonly<Record<string, string>> = {}) =>
  openObjectStorage(loadSettings({ S3_ENDPOINT: s3.url, S3_BUCKET: 'bucket', S3_REGION: s3.region, ...environment }))

const fixed = () => ({ S3_ACCESS_KEY_ID: fixedKeys.accessKeyId, S3_SECRET_ACCESS_KEY: fixedKeys.secretAccessKey })

async function* pieces(sizeBytes: number): AsyncGenerator<Uint8Array> {
  for (let left = sizeBytes; left > 0; left -= MIB) yield new Uint8Array(Math.min(left, MIB)).fill(left / MIB)
}

test('objects in a folder of a shared bucket have their own namespace, page after page', async () => {
  const storage = storageOf({ ...fixed(), S3_KEY_PREFIX: 'shops/vitrine/' })
  await storageOf(fixed()).put('others', Uint8Array.of(9))
  for (const key of ['a', 'b/1', 'b/2', 'b/3', 'c']) await storage.put(key, Uint8Array.of(1))
  assert.ok(s3.objects.has('/bucket/shops/vitrine/b/1'))
  assert.deepEqual(
    (await storage.list('')).map(({ key }) => key),
    ['a', 'b/1', 'b/2', 'b/3', 'c'],
  )
  assert.equal((await storage.list('b/')).length, 3)
  assert.deepEqual(await storage.get('b/2'), Uint8Array.of(1))
  await storage.delete('b/2')
  assert.equal(await storage.get('b/2'), null)
  assert.equal(await storage.get('others'), null)
})

test('a bucket in the host name holds the same objects as one in the path', async () => {
  const { port } = new URL(s3.url)
  const lookup = dns.lookup
  // No name server knows the names of these buckets.
  const mocked = mock.method(dns, 'lookup', (name: string, ...rest: unknown[]) =>
    Reflect.apply(lookup, dns, [name.endsWith('.s3.test') ? '127.0.0.1' : name, ...rest]),
  )
  try {
    const storage = storageOf({ ...fixed(), S3_ENDPOINT: `http://s3.test:${port}`, S3_ADDRESSING: 'host' })
    await storage.put('deep/one', pieces(9 * MIB))
    await storage.put('deep/two', Uint8Array.of(2))
    assert.equal((await storage.list('deep/')).length, 2)
    assert.equal((await storageOf(fixed()).get('deep/one'))?.length, 9 * MIB)
    await storage.delete('deep/one')
    assert.equal(s3.objects.has('/bucket/deep/one'), false)
  } finally {
    mocked.mock.restore()
  }
})

test('content of unknown length is sent in one request if it is small, else in parts', async () => {
  const storage = storageOf(fixed())
  for (const sizeBytes of [0, 1, 8 * MIB]) {
    await storage.put('small', pieces(sizeBytes))
    assert.equal((await storage.get('small'))?.length, sizeBytes)
  }
  assert.deepEqual([s3.requestCounts.get('PUT'), s3.requestCounts.get('PUT part')], [3, undefined])
  await storage.put('large', pieces(8 * MIB + 1))
  assert.equal(s3.requestCounts.get('PUT part'), 2)
  assert.equal((await storage.get('large'))?.length, 8 * MIB + 1)
  assert.equal(s3.uploads.size, 0)
})

test('a dead process’s uploads are aborted after a day; younger ones and those of others remain', async () => {
  const storage = storageOf({ ...fixed(), S3_KEY_PREFIX: 'ours' })
  await storage.removeUnfinished(Date.now())
  const dayAgoMs = Date.now() - 25 * 3_600_000
  const parts = new Map([[1, Buffer.of(1)]])
  s3.uploads.set('old', { path: '/bucket/ours/answers/1', parts, startedAtMs: dayAgoMs })
  s3.uploads.set('young', { path: '/bucket/ours/answers/2', parts, startedAtMs: Date.now() })
  s3.uploads.set('other', { path: '/bucket/theirs', parts, startedAtMs: dayAgoMs })
  await storage.removeUnfinished(Date.now())
  assert.deepEqual([...s3.uploads.keys()].sort(), ['other', 'young'])
})

test('temporary keys need their session token', async () => {
  s3.accepted = { ...fixedKeys, sessionToken: 'token+of/a=session' }
  await storageOf({ ...fixed(), S3_SESSION_TOKEN: 'token+of/a=session' }).put('one', Uint8Array.of(1))
  await assert.rejects(storageOf(fixed()).get('one'), /403/)
})

describe('the keys of a role', () => {
  let issued = 0
  let lifeMs = 3_600_000
  let isDown = false
  const asked: string[] = []
  const service = createServer((request, response) => void answer(request, response))
  let url = ''
  before(async () => {
    await new Promise<void>(resolve => service.listen(0, '127.0.0.1', resolve))
    const address = service.address()
    assert.ok(address !== null && typeof address === 'object')
    url = `http://127.0.0.1:${address.port}`
    await writeFile(path.join(folder, 'token'), 'identity of the pod\n')
  })
  after(() => {
    service.close()
    service.closeAllConnections()
  })
  afterEach(() => {
    lifeMs = 3_600_000
    isDown = false
    asked.length = 0
  })

  /** Acts as security token service, container endpoint and instance metadata service. */
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const part of request) body += String(part)
    const { pathname } = new URL(request.url ?? '', url)
    asked.push(`${request.method} ${pathname}`)
    const form = new URLSearchParams(body)
    const mayAsk = {
      '/': form.get('WebIdentityToken') === 'identity of the pod' && form.get('RoleArn') === 'arn:aws:iam::1:role/shop',
      '/container': request.headers.authorization === 'identity of the pod',
      '/latest/api/token': request.headers['x-aws-ec2-metadata-token-ttl-seconds'] !== undefined,
    }[pathname]
    if (isDown || !(mayAsk ?? request.headers['x-aws-ec2-metadata-token'] === 'session')) {
      response.writeHead(isDown ? 503 : 401).end()
      return
    }
    if (pathname === '/latest/api/token') return void response.end('session')
    if (pathname === '/latest/meta-data/iam/security-credentials/') return void response.end('role-of-machine\n')
    issued += 1
    s3.accepted = { accessKeyId: `ASIA${issued}`, secretAccessKey: `secret${issued}`, sessionToken: `session${issued}` }
    const { accessKeyId, secretAccessKey, sessionToken } = s3.accepted
    const expiration = new Date(Date.now() + lifeMs).toISOString()
    response.end(
      pathname === '/'
        ? `<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>
            <AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey>
            <SessionToken>${sessionToken}</SessionToken><Expiration>${expiration}</Expiration>
          </Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`
        : JSON.stringify({
            AccessKeyId: accessKeyId,
            SecretAccessKey: secretAccessKey,
            Token: sessionToken,
            Expiration: expiration,
          }),
    )
  }

  const ways = {
    'web-identity': () => ({
      AWS_ROLE_ARN: 'arn:aws:iam::1:role/shop',
      AWS_WEB_IDENTITY_TOKEN_FILE: path.join(folder, 'token'),
      AWS_ENDPOINT_URL_STS: url,
    }),
    container: () => ({
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/container`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: path.join(folder, 'token'),
    }),
    instance: () => ({ AWS_EC2_METADATA_SERVICE_ENDPOINT: url }),
  }
  for (const [way, environment] of Object.entries(ways)) {
    test(`by ${way}: concurrent requests share one set of keys, which is used until it is about to expire`, async () => {
      const storage = storageOf({ S3_CREDENTIALS: way, ...environment() })
      const before = issued
      await Promise.all(['a', 'b', 'c'].map(key => storage.put(key, Uint8Array.of(1))))
      assert.equal((await storage.list('')).length, 3)
      assert.equal(issued, before + 1)
    })
  }

  test('expired keys are renewed before the request that needs them', async () => {
    lifeMs = 1
    const storage = storageOf({ S3_CREDENTIALS: 'instance', ...ways.instance() })
    const before = issued
    await storage.put('one', Uint8Array.of(1))
    await new Promise(resolve => setTimeout(resolve, 20))
    assert.deepEqual(await storage.get('one'), Uint8Array.of(1))
    assert.equal(issued, before + 2)
  })

  test('without keys the storage is unavailable, and works once they are available', async () => {
    isDown = true
    const storage = storageOf({ S3_CREDENTIALS: 'container', ...ways.container() })
    await assert.rejects(storage.put('one', Uint8Array.of(1)), StorageUnavailableError)
    isDown = false
    await storage.put('one', Uint8Array.of(1))
    assert.equal(asked.length, 2)
  })
})
