import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, afterEach, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startS3 } from '../../test/servers/s3.ts'
import { DiskStorage } from './disk-storage.ts'
import { assertObjectKey, type ObjectStorage, type OpenObject, StorageUnavailableError } from './object-storage.ts'
import { S3Storage } from './s3-storage.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-storage-'))
const s3 = await startS3({ pageSize: 3 })
after(async () => {
  await rm(folder, { recursive: true, force: true })
  await s3.stop()
})

const storages: readonly (readonly [name: string, storage: ObjectStorage])[] = [
  ['on disk', new DiskStorage(path.join(folder, 'objects'))],
  ['in S3', new S3Storage({ ...s3, endpoint: `${s3.url}/bucket` })],
]

for (const [name, storage] of storages) {
  describe(`objects ${name}`, () => {
    test('a stored object can be read whole and in ranges, and a second put replaces it', async () => {
      await storage.put('one/a.bin', Uint8Array.of(1, 2, 3))
      assert.deepEqual(await storage.get('one/a.bin'), Uint8Array.of(1, 2, 3))
      await storage.put('one/a.bin', Uint8Array.of(4))
      assert.deepEqual(await storage.get('one/a.bin'), Uint8Array.of(4))
      const open = await storage.open('one/a.bin')
      assert.ok(open)
      assert.equal(open.sizeBytes, 1)
      assert.deepEqual(await readAll(open), Buffer.of(4))
    })

    test('an empty object is an object', async () => {
      await storage.put('empty', new Uint8Array(0))
      assert.equal((await storage.get('empty'))?.byteLength, 0)
    })

    test('content that arrives in parts is stored as one object of 20 MiB', async () => {
      async function* parts(): AsyncGenerator<Uint8Array> {
        for (let index = 0; index < 20; index++) yield new Uint8Array(1024 * 1024).fill(index)
      }
      await storage.put('large', parts())
      const open = await storage.open('large')
      assert.ok(open)
      assert.equal(open.sizeBytes, 20 * 1024 * 1024)
      const bytes = await readAll(open)
      for (let index = 0; index < 20; index++) assert.equal(bytes[index * 1024 * 1024 + 5], index)
      await storage.delete('large')
    })

    test('content that is aborted leaves the previous object', async () => {
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield Uint8Array.of(9)
        throw new Error('broke off')
      }
      await storage.put('kept', Uint8Array.of(7))
      await assert.rejects(storage.put('kept', broken()), /broke off/)
      assert.deepEqual(await storage.get('kept'), Uint8Array.of(7))
    })

    test('a missing object is null, and deleting it is not an error', async () => {
      assert.equal(await storage.get('nothing/here'), null)
      assert.equal(await storage.open('nothing/here'), null)
      await storage.delete('nothing/here')
    })

    test('a list holds all levels under its prefix and nothing else, however many there are', async () => {
      const keys = Array.from({ length: 8 }, (_, index) => `list/${index % 2}/item-${index}`).sort()
      for (const key of [...keys, 'listed', 'lis/other']) await storage.put(key, Uint8Array.of(1, 2))
      assert.deepEqual(
        await storage.list('list/'),
        keys.map(key => ({ key, sizeBytes: 2 })),
      )
      assert.equal((await storage.list('list/1/')).length, 4)
      for (const key of keys) await storage.delete(key)
      assert.deepEqual(await storage.list('list/'), [])
    })

    test('a key that leads out of the folder is refused', async () => {
      for (const key of ['../outside', '/etc/passwd', 'a/../../b', 'a//b', '', 'a/', '.drafts/x', 'a b', 'é', 'a\0b']) {
        await assert.rejects(storage.get(key), TypeError, key)
        await assert.rejects(storage.put(key, Uint8Array.of(1)), TypeError, key)
      }
    })
  })
}

test('the length of a key is limited', () => {
  assertObjectKey('k'.repeat(512))
  assert.throws(() => assertObjectKey('k'.repeat(513)), TypeError)
})

test('files and folders on disk are private to their owner', async () => {
  const root = path.join(folder, 'modes')
  await new DiskStorage(root).put('deep/er/file', Uint8Array.of(1))
  assert.equal((await stat(path.join(root, 'deep/er/file'))).mode & 0o777, 0o600)
  for (const each of ['', 'deep', 'deep/er']) assert.equal((await stat(path.join(root, each))).mode & 0o777, 0o700)
})

test('drafts of crashed writes are removed when they are old, and never listed', async () => {
  const root = path.join(folder, 'drafts')
  await new DiskStorage(root).put('whole', Uint8Array.of(1))
  const drafts = path.join(root, '.drafts')
  assert.deepEqual(await readdir(drafts), [])
  await writeFile(path.join(drafts, 'old'), 'of a crash')
  const yesterday = new Date(Date.now() - 25 * 60 * 60_000)
  await utimes(path.join(drafts, 'old'), yesterday, yesterday)
  await writeFile(path.join(drafts, 'young'), 'of another process')
  const storage = new DiskStorage(root)
  await storage.put('another', Uint8Array.of(1))
  await storage.removeUnfinished(Date.now())
  assert.deepEqual(await readdir(drafts), ['young'])
  assert.deepEqual(
    (await storage.list('')).map(({ key }) => key),
    ['another', 'whole'],
  )
})

test('a draft of a process that was killed is removed at once, and one that is being written stays', async t => {
  const root = path.join(folder, 'killed')
  const drafts = path.join(root, '.drafts')
  const program = `
    const { DiskStorage } = await import(${JSON.stringify(import.meta.resolve('./disk-storage.ts'))})
    setInterval(() => undefined, 60_000)
    const unfinished = async function* () {
      yield Uint8Array.of(1)
      console.log('written')
      await new Promise(() => undefined)
    }
    await new DiskStorage(${JSON.stringify(root)}).put('killed', unfinished())`
  const writer = spawn(process.execPath, ['--input-type=module', '--eval', program])
  t.after(() => writer.kill('SIGKILL'))
  const exited = once(writer, 'exit')
  await once(writer.stdout, 'data')
  const storage = new DiskStorage(root)
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const ownPut = storage.put('own', slowly(reached.resolve, released.promise))
  await reached.promise
  await storage.removeUnfinished(Date.now())
  assert.equal((await readdir(drafts)).length, 2)
  writer.kill('SIGKILL')
  await exited
  const [own = ''] = (await readdir(drafts)).filter(name => name.startsWith(`${process.pid}-`))
  await writeFile(path.join(drafts, own.replace(/-[0-9a-f]{8}-/, '-00000000-')), 'of an earlier process')
  await writeFile(path.join(drafts, own.replace(os.hostname(), 'another-host')), 'of another host')
  await storage.removeUnfinished(Date.now())
  assert.deepEqual((await readdir(drafts)).toSorted(), [own, own.replace(os.hostname(), 'another-host')].toSorted())
  released.resolve()
  await ownPut
  assert.deepEqual(await storage.get('own'), Uint8Array.of(1, 2))
})

/** Two parts: the second one comes when `released`, after the storage has asked for it. */
async function* slowly(onReached: () => void, released: Promise<void>): AsyncGenerator<Uint8Array> {
  yield Uint8Array.of(1)
  onReached()
  await released
  yield Uint8Array.of(2)
}

test('racing writes and deletes in one folder leave a readable storage', async () => {
  const storage = new DiskStorage(path.join(folder, 'race'))
  await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      await storage.put(`deep/folder/${index % 5}`, Uint8Array.of(index))
      await storage.delete(`deep/folder/${(index + 2) % 5}`)
    }),
  )
  for (const { key } of await storage.list('')) assert.equal((await storage.get(key))?.byteLength, 1)
})

test('an object that is opened and never read leaves no file open', async () => {
  const storage = new DiskStorage(path.join(folder, 'unread'))
  await storage.put('picture', Uint8Array.of(1, 2, 3))
  setFlagsFromString('--expose-gc')
  const collectGarbage: unknown = runInNewContext('gc')
  assert(typeof collectGarbage === 'function')
  for (let i = 0; i < 100; i++) await storage.open('picture')
  // Node exits, and so does this test, when an open file handle is garbage-collected.
  for (let i = 0; i < 3; i++) {
    await setTimeout(10)
    collectGarbage()
  }
  assert.deepEqual(await storage.get('picture'), Uint8Array.of(1, 2, 3))
})

describe('an S3 server that fails', () => {
  const open = (timeoutMs: number) =>
    new S3Storage({
      ...s3,
      endpoint: `${s3.url}/bucket`,
      timeoutMs,
      onOperation: (...done) => void operations.push(done),
    })
  const operations: [string, number, boolean][] = []
  const content = new Uint8Array(1024 * 1024).fill(7)
  afterEach(() => {
    s3.fault = null
  })

  test('an object is complete despite a garbage collection between its answer and its first chunk', async () => {
    const storage = open(60_000)
    await storage.put('collected', content)
    setFlagsFromString('--expose-gc')
    const collectGarbage: unknown = runInNewContext('gc')
    assert(typeof collectGarbage === 'function')
    for (let round = 0; round < 20; round++) {
      const object = await storage.open('collected')
      assert.ok(object)
      for (let i = 0; i < 3; i++) {
        await setTimeout(5)
        collectGarbage()
      }
      assert.equal((await readAll(object)).length, object.sizeBytes)
    }
  })

  for (const fault of ['hangs', 'slow-down'] as const) {
    test(`every operation fails with a retryable error while the server ${fault}`, async () => {
      const storage = open(200)
      operations.length = 0
      s3.fault = fault
      const acts = {
        put: () => storage.put('faulty', Uint8Array.of(1)),
        get: () => storage.open('faulty'),
        delete: () => storage.delete('faulty'),
        list: () => storage.list('list/'),
      }
      for (const [operation, act] of Object.entries(acts))
        await assert.rejects(act(), StorageUnavailableError, operation)
      assert.deepEqual(
        operations.map(([operation, , isUnavailable]) => [operation, isUnavailable]),
        Object.keys(acts).map(operation => [operation, true]),
      )
    })
  }

  for (const fault of ['hangs-halfway', 'breaks-off'] as const) {
    test(`an object that ${fault} never looks complete`, async () => {
      const storage = open(200)
      await storage.put('half', content)
      s3.fault = fault
      const object = await storage.open('half')
      assert.ok(object)
      await assert.rejects(readAll(object), StorageUnavailableError)
      await assert.rejects(storage.get('half'), StorageUnavailableError)
    })
  }

  test('a slow reader is not reported as a fault of the server', async () => {
    const storage = open(100)
    await storage.put('slowly', content)
    const object = await storage.open('slowly')
    let sizeBytes = 0
    for await (const part of object?.content ?? []) {
      sizeBytes += part.byteLength
      if (sizeBytes === part.byteLength) await setTimeout(400)
    }
    assert.equal(sizeBytes, content.byteLength)
  })

  test('an unreachable server is a retryable error; a permanent refusal is not', async () => {
    const gone = await startS3()
    await gone.stop()
    await assert.rejects(new S3Storage({ ...gone, endpoint: `${gone.url}/bucket` }).get('x'), StorageUnavailableError)
    const stranger = new S3Storage({
      ...s3,
      credentials: { ...s3.credentials, secretAccessKey: 'another' },
      endpoint: `${s3.url}/bucket`,
    })
    await assert.rejects(stranger.get('x'), (error: unknown) => !(error instanceof StorageUnavailableError))
  })
})

async function readAll(open: OpenObject): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of open.content) parts.push(part)
  return Buffer.concat(parts)
}
