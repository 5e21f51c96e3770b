import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { Accounts } from '../../src/accounts/accounts.ts'
import { DiskStorage } from '../../src/storage/disk-storage.ts'
import { UploadRoom } from '../../src/storage/upload-room.ts'
import { VERSIONS_RETAINED } from '../../src/templates/limits.ts'
import { sampleArtworkFile } from '../../src/templates/open-template-store.ts'
import { TemplateStorageFullError } from '../../src/templates/template-errors.ts'
import { measureOwnedTemplates } from '../../src/templates/template-queries.ts'
import { TemplateStore } from '../../src/templates/template-store.ts'
import { describeOnBothDatabases } from '../servers/test-database.ts'
import { writeGoodBundle } from './good-bundle.ts'
import { inspectOnce } from './inspect-once.ts'

const MEBIBYTE = 1024 * 1024
const HOUR_MS = 60 * 60_000
const ID = 'versioned'
const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-versions-'))
after(() => rm(folder, { recursive: true, force: true }))
const inspect = inspectOnce(folder)
// The same for every owner, so that each is inspected once. Names of equal length, so that all have the same
// size.
const bundles = await Promise.all([1, 2, 3, 4].map(n => writeGoodBundle(folder, { id: ID, name: nameOf(n) })))

describeOnBothDatabases('earlier versions of a template', use => {
  let nowMs = Date.UTC(2026, 0, 1)
  let count = 0
  let objects: DiskStorage
  function openStore(quotaBytes = 1024 * MEBIBYTE): TemplateStore {
    const place = path.join(folder, `${use().database.kind}-${++count}`)
    objects = new DiskStorage(path.join(folder, `${use().database.kind}-objects`))
    return new TemplateStore({
      room: new UploadRoom(null, 0),
      database: use().database,
      storage: objects,
      cacheFolder: path.join(place, 'cache'),
      cacheBytes: 1024 * MEBIBYTE,
      previewFolder: path.join(place, 'previews'),
      importFolder: path.join(place, 'imports'),
      quotaBytes,
      sampleArtwork: sampleArtworkFile,
      inspect,
      clock: () => nowMs,
    })
  }
  const makeAccount = async (): Promise<string> =>
    (await new Accounts(use().database).create({ email: `v${++count}@example.com` })).accountId
  const save = (store: TemplateStore, ownerAccountId: string | null, n: number) =>
    store.importBundle({ path: bundles[n - 1] ?? '', ownerAccountId, ownedMax: 10, origin: 'editor' })
  const numbersOf = async (store: TemplateStore, ownerAccountId: string | null) =>
    (await store.versionsOf({ id: ID, ownerAccountId })).map(({ version }) => version)
  const prefixesOf = async (store: TemplateStore, ownerAccountId: string | null) =>
    (await store.versionsOf({ id: ID, ownerAccountId })).map(({ objectPrefix }) => objectPrefix)
  const objectsOf = async (prefix: string | undefined): Promise<number> => (await objects.list(prefix ?? '-')).length
  async function nameOnDisk(store: TemplateStore, ownerAccountId: string): Promise<string> {
    const record = await store.get(ID, ownerAccountId)
    assert.ok(record)
    const { folder: bundle } = await store.localBundle(record)
    const description = await readFile(path.join(bundle, 'template.json'), 'utf8')
    assert.ok(description.includes(`"${record.name}"`), 'the row matches the files')
    return record.name
  }

  test('a replaced version is listed, restored with its files on every node, and the restore can be undone the same way', async () => {
    const [store, other] = [openStore(), openStore()]
    const owner = await makeAccount()
    const name = { id: ID, ownerAccountId: owner }
    assert.deepEqual(await store.versionsOf(name), [])
    const times: number[] = []
    for (const n of [1, 2, 3]) {
      await save(store, owner, n)
      times.push(nowMs)
      nowMs += 1000
    }
    const listed = await store.versionsOf(name)
    assert.deepEqual(
      listed.map(each => [each.version, each.isCurrent, each.name, each.madeAtMs, each.origin, each.restoredFrom]),
      [
        [3, true, nameOf(3), times[2], 'editor', null],
        [2, false, nameOf(2), times[1], 'editor', null],
        [1, false, nameOf(1), times[0], 'editor', null],
      ],
    )
    const sizes = new Set(listed.map(({ sizeBytes }) => sizeBytes))
    assert.equal(sizes.size, 1)
    for (const version of listed) {
      const thumbnail = await store.openVersionThumbnail(version)
      assert.ok(thumbnail && thumbnail.sizeBytes > 0)
      for await (const part of thumbnail.content) assert.ok(part.byteLength > 0)
    }
    const first = listed[2]
    assert.equal(await nameOnDisk(other, owner), nameOf(3))

    assert.equal(await store.restore(name, 1), 4)
    assert.equal(await nameOnDisk(other, owner), nameOf(1), 'at once, on the other node')
    assert.deepEqual(await numbersOf(other, owner), [4, 3, 2])
    const [restored] = await store.versionsOf(name)
    assert.deepEqual([restored?.restoredFrom, restored?.origin, restored?.madeAtMs], [1, 'editor', nowMs])
    assert.equal(restored?.objectPrefix, first?.objectPrefix, 'nothing is copied')

    assert.equal(await other.restore(name, 3), 5)
    assert.equal(await nameOnDisk(store, owner), nameOf(3))
    assert.deepEqual(await numbersOf(store, owner), [5, 4, 2])
    nowMs += 2 * HOUR_MS
    await store.prune()
    await other.prune()
    for (const prefix of await prefixesOf(store, owner)) assert.ok((await objectsOf(prefix)) > 0)
    assert.equal(await other.restore(name, 4), 6)
    assert.equal(await nameOnDisk(other, owner), nameOf(1), 'hours later as well')
  })

  test('unknown numbers, the current version, and versions of others or of removed templates are not restored', async () => {
    const store = openStore()
    const [owner, stranger] = [await makeAccount(), await makeAccount()]
    const name = { id: ID, ownerAccountId: owner }
    assert.equal(await store.restore(name, 1), null)
    for (const n of [1, 2]) await save(store, owner, n)
    assert.deepEqual(await Promise.all([store.restore(name, 2), store.restore(name, 7)]), [null, null])
    await save(store, stranger, 3)
    assert.equal(await store.restore({ id: ID, ownerAccountId: stranger }, 1), null)
    const twice = await Promise.all([store.restore(name, 1), store.restore(name, 1)])
    assert.deepEqual(new Set(twice), new Set([3, null]), 'once, with two concurrent requests')
    assert.deepEqual(await numbersOf(store, owner), [3, 2])
    await store.remove(name)
    assert.deepEqual([await store.restore(name, 2), await store.versionsOf(name)], [null, []])
  })

  test(`the newest ${VERSIONS_RETAINED} are retained; objects of the others are deleted after the requests that may need them`, async () => {
    const store = openStore()
    const owner = await makeAccount()
    for (let n = 1; n <= VERSIONS_RETAINED + 1; n++) await save(store, owner, 1 + (n % 2))
    const oldest = (await prefixesOf(store, owner)).at(-1)
    assert.equal((await numbersOf(store, owner)).length, VERSIONS_RETAINED + 1, 'with the current one')
    await save(store, owner, 1 + (VERSIONS_RETAINED % 2))
    const retained = Array.from({ length: VERSIONS_RETAINED + 1 }, (_, i) => VERSIONS_RETAINED + 2 - i)
    assert.deepEqual(await numbersOf(store, owner), retained)
    await store.prune()
    assert.ok((await objectsOf(oldest)) > 0)
    nowMs += HOUR_MS + 1
    await store.prune()
    assert.equal(await objectsOf(oldest), 0)
    for (const prefix of await prefixesOf(store, owner)) assert.ok((await objectsOf(prefix)) > 0)
  })

  test('the oldest versions are dropped for the quota, except those that a request may need, and restoring always fits', async () => {
    const owner = await makeAccount()
    const name = { id: ID, ownerAccountId: owner }
    const { queries } = use().database
    await save(openStore(), owner, 1)
    const sizeBytes = await measureOwnedTemplates(queries, owner)
    const store = openStore(3 * sizeBytes)
    await save(store, owner, 2)
    await save(store, owner, 3)
    assert.equal(await measureOwnedTemplates(queries, owner), 3 * sizeBytes, 'earlier versions count')
    await assert.rejects(save(store, owner, 4), TemplateStorageFullError)
    const asked = { accountId: owner, ownerAccountId: owner, sizeBytes }
    await assert.rejects(store.admitImport(asked), TemplateStorageFullError, 'before its body is received')
    assert.deepEqual(await numbersOf(store, owner), [3, 2, 1], 'a refused one drops nothing')
    assert.equal(await store.restore(name, 1), 4)
    assert.deepEqual(await numbersOf(store, owner), [4, 3, 2])

    nowMs += HOUR_MS + 1
    await (await store.admitImport(asked))[Symbol.asyncDispose]()
    const second = (await prefixesOf(store, owner)).at(-1)
    await save(store, owner, 4)
    assert.deepEqual(await numbersOf(store, owner), [5, 4, 3])
    assert.equal(await measureOwnedTemplates(queries, owner), 3 * sizeBytes)
    assert.ok((await objectsOf(second)) > 0, 'a concurrent backup may refer to them')
    nowMs += HOUR_MS + 1
    await store.prune()
    assert.equal(await objectsOf(second), 0)
  })

  test('versions are removed with their template, and move to a new owner within its quota', async () => {
    const generous = openStore()
    const [owner, next] = [await makeAccount(), await makeAccount()]
    for (const n of [1, 2, 3]) await save(generous, owner, n)
    const { queries } = use().database
    const sizeBytes = (await measureOwnedTemplates(queries, owner)) / 3
    const tight = openStore(2 * sizeBytes)
    const given = { ownerAccountId: next, ownedMax: 10 }
    await assert.rejects(tight.changeOwner({ id: ID, ownerAccountId: owner }, given), TemplateStorageFullError)
    nowMs += HOUR_MS + 1
    assert.equal(await tight.changeOwner({ id: ID, ownerAccountId: owner }, given), true)
    assert.deepEqual([await numbersOf(tight, owner), await numbersOf(tight, next)], [[], [3, 2]])
    assert.equal(await measureOwnedTemplates(queries, owner), 0)

    const prefixes = await prefixesOf(tight, next)
    await tight.remove({ id: ID, ownerAccountId: next })
    assert.equal(await measureOwnedTemplates(queries, next), sizeBytes, 'the current one counts for an hour')
    nowMs += HOUR_MS + 1
    await tight.prune()
    for (const prefix of prefixes) assert.equal(await objectsOf(prefix), 0)

    for (const n of [1, 2]) await save(generous, next, n)
    assert.deepEqual(await numbersOf(generous, next), [5, 4], 'numbers go on')
  })
})

function nameOf(n: number): string {
  return `Version ${n}`
}
