import assert from 'node:assert/strict'
import path from 'node:path'
import { it } from 'node:test'
import { describeOnBothDatabases } from '../../test/servers/test-database.ts'
import { Accounts } from '../accounts/accounts.ts'
import { DiskStorage } from '../storage/disk-storage.ts'
import { UploadRoom } from '../storage/upload-room.ts'
import { MOCKUPS_PER_PAGE, STORING_LOST_MS, TRIM_EVERY_MS } from './limits.ts'
import { type FinishedMockup, StoredMockups } from './stored-mockups.ts'

const DAY_MS = 24 * 3600 * 1000
const BYTES = 100
const all = { after: null }

async function* bytesOf(sizeBytes: number): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(sizeBytes, 7)
}

describeOnBothDatabases('Stored mockups', use => {
  let nowMs = 1_800_000_000_000
  const open = (email: string, { bytesMax = 10 * BYTES, freeBytes = 0 } = {}) =>
    start(email, bytesMax, new UploadRoom(freeBytes === 0 ? null : use().location.dataDir, freeBytes))
  const start = async (email: string, bytesMax: number, room: UploadRoom) => {
    const { database, location } = use()
    const storage = new DiskStorage(path.join(location.dataDir, 'objects'))
    const accounts = new Accounts(database)
    const { accountId } = (await accounts.findByEmail(email)) ?? (await accounts.create({ email }))
    const dropped: unknown[] = []
    const clock = () => nowMs
    const onDropped = (reason: unknown) => void dropped.push(reason)
    const options = { database, storage, room, retentionMs: 30 * DAY_MS, bytesMax, onDropped, clock }
    const mockups = new StoredMockups(options)
    const store = (name: string, more: Partial<FinishedMockup> = {}) => {
      nowMs += 1
      const { sizeBytes = BYTES } = more
      const named = { pictureKey: name, name, artwork: 'Poster.png', run: 'one', templateId: 'oak-frame' }
      const made = { accountId, mediaType: 'image/jpeg', sizeBytes, open: () => bytesOf(sizeBytes) }
      return mockups.store({ ...named, ...made, ...more })
    }
    const names = async () => (await mockups.list(accountId, all)).items.map(({ name }) => name)
    const objects = async () => (await storage.list(`mockups/${accountId}/`)).length
    return { database, storage, accounts, accountId, mockups, store, names, objects, dropped, options }
  }

  it('are listed by page, newest first, found by words and by run, and shown only to their account', async () => {
    const { accountId, mockups, store, names, dropped } = await open('lists@example.com', { bytesMax: 1e6 })
    const stranger = await open('stranger@example.com')
    await store('Straße.jpg', { run: 'two' })
    await Promise.all(Array.from({ length: MOCKUPS_PER_PAGE - 1 }, (_, index) => store(`b${index}.jpg`)))
    await store('last.jpg')
    const first = await mockups.list(accountId, all)
    assert.equal(first.items.length, MOCKUPS_PER_PAGE)
    const second = await mockups.list(accountId, { after: first.nextAfter })
    assert.deepEqual([second.items.map(({ name }) => name), second.nextAfter], [['Straße.jpg'], null])
    const find = async (search: string) => (await mockups.list(accountId, { after: null, search })).items.length
    assert.deepEqual([await find('STRASSE oak poster'), await find('strasse elm'), await find('\0')], [1, 0, 0])
    assert.equal((await mockups.list(accountId, { after: null, run: 'two' })).items.length, 1)
    assert.deepEqual(await stranger.names(), [])
    const [mine] = first.items
    assert.ok(mine)
    assert.equal(await stranger.mockups.find(stranger.accountId, mine.id), null)
    assert.equal(await stranger.mockups.open(stranger.accountId, mine.id, 'picture'), null)
    assert.equal(await stranger.mockups.addThumbnail(stranger.accountId, mine, Buffer.alloc(1)), false)
    for (const which of [{ ids: [mine.id] }, { run: 'one' }, {}])
      assert.equal(await stranger.mockups.remove(stranger.accountId, which), 0)
    assert.deepEqual(dropped, [])
    assert.equal((await names())[0], 'last.jpg')
  })

  it('that are rendered again are stored once, in the newest run', async () => {
    const { accountId, mockups, store, objects } = await open('again@example.com')
    await store('a.jpg')
    await store('b.jpg')
    await store('a.jpg', { run: 'two' })
    const { items } = await mockups.list(accountId, all)
    assert.deepEqual(
      items.map(({ name, run }) => `${name} ${run}`),
      ['a.jpg two', 'b.jpg one'],
    )
    assert.equal(await objects(), 2)
  })

  it('replace the oldest if there is no room, counting thumbnails, and never exceed the limit', async () => {
    const { accountId, mockups, store, names, objects, dropped } = await open('bound@example.com')
    for (const name of ['a', 'b', 'c']) await store(name, { sizeBytes: 3 * BYTES })
    const [newest] = (await mockups.list(accountId, all)).items
    assert.ok(newest)
    assert.equal(await mockups.addThumbnail(accountId, newest, Buffer.alloc(BYTES)), true)
    await store('d')
    assert.deepEqual(await names(), ['d', 'c', 'b'])
    assert.deepEqual([await objects(), (await mockups.measure(accountId)).sizeBytes], [4, 8 * BYTES])
    await store('larger than the whole limit', { sizeBytes: 11 * BYTES })
    assert.deepEqual([await names(), dropped.length], [['d', 'c', 'b'], 1])
    await Promise.all(Array.from({ length: 20 }, (_, index) => store(`at once ${index}`, { sizeBytes: 2 * BYTES })))
    assert.ok((await mockups.measure(accountId)).sizeBytes <= 10 * BYTES)
  })

  it('are dropped, with a reason and nothing left, if the disk is full or storing fails', async () => {
    const full = await open('full@example.com', { freeBytes: Number.MAX_SAFE_INTEGER })
    await full.store('a')
    const broken = await open('broken@example.com')
    async function* half(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(BYTES / 2)
      throw new Error('The file is gone')
    }
    await broken.store('a', { open: half })
    const none = await open('none@example.com', { bytesMax: 0 })
    await none.store('a')
    for (const { names, objects, dropped } of [full, broken, none])
      assert.deepEqual([await names(), await objects()], [[], 0], String(dropped))
    assert.deepEqual([full.dropped.length, broken.dropped.length, none.dropped.length], [1, 1, 0])
  })

  it('are removed one by one, by run, all, and with their account, whose later ones are dropped', async () => {
    const { accountId, accounts, mockups, store, names, objects } = await open('removes@example.com')
    for (const [name, run] of [
      ['a', 'one'],
      ['b', 'two'],
      ['c', 'two'],
      ['d', 'three'],
      ['e', 'four'],
    ] as const)
      await store(name, { run })
    const [, last] = (await mockups.list(accountId, all)).items
    assert.equal(await mockups.remove(accountId, { ids: [last?.id ?? '', 'unknown'] }), 1)
    assert.equal(await mockups.remove(accountId, { run: 'two' }), 2)
    assert.deepEqual(await names(), ['e', 'a'])
    assert.equal(await mockups.remove(accountId, {}), 2)
    assert.deepEqual([await names(), await objects()], [[], 0])
    await store('f')
    await accounts.suspend(accountId)
    await mockups.removeAll(accountId)
    await store('g')
    assert.deepEqual([await names(), await objects()], [[], 0])
  })

  it('are pruned by age, if they were never finished, and if the limit was lowered, oldest first', async () => {
    const { accountId, database, mockups, store, names, objects, options } = await open('ages@example.com')
    await store('old')
    nowMs += 20 * DAY_MS
    for (const name of ['a', 'b', 'c']) await store(name, { sizeBytes: 3 * BYTES })
    await mockups.prune()
    assert.deepEqual(await names(), ['c', 'b', 'a', 'old'])
    nowMs += 11 * DAY_MS
    await mockups.prune()
    assert.deepEqual(await names(), ['c', 'b', 'a'])
    const lower = new StoredMockups({ ...options, bytesMax: 6 * BYTES })
    nowMs += TRIM_EVERY_MS
    await lower.prune()
    assert.deepEqual([await names(), await objects()], [['c', 'b'], 2])
    await store('lost')
    await database.queries.updateTable('stored_mockups').set({ is_stored: 0 }).where('name', '=', 'lost').execute()
    await mockups.prune()
    assert.equal(await objects(), 3)
    nowMs += STORING_LOST_MS + 1
    await mockups.prune()
    assert.equal(await objects(), 2)
    assert.equal((await mockups.measure(accountId)).count, 2)
  })
})
