import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import path from 'node:path'
import { it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { limits, placementDefaults, type WallAnswer, wallAnswerSchema } from '@vitrine/contract'
import { describeOnBothDatabases } from '../../test/servers/test-database.ts'
import { Accounts } from '../accounts/accounts.ts'
import type { Database } from '../database/database.ts'
import { InvalidPublishableKeyError, PublishableKeys } from '../publishable-keys/publishable-keys.ts'
import { DiskStorage } from '../storage/disk-storage.ts'
import {
  ANSWERS_PER_PAGE,
  ANSWERS_PER_WALL,
  ROOM_HELD_MS,
  WALL_BYTES_PER_ACCOUNT,
  WALLS_PER_ACCOUNT,
} from './limits.ts'
import type { ArrivingFile } from './shared-picture.ts'
import { WallFullError, WallQuotaReachedError } from './wall-errors.ts'
import type { ReceivedAnswer, Wall } from './wall-rows.ts'
import { Walls } from './walls.ts'

const draft = {
  title: 'Poster',
  shop_name: 'Print & Co.',
  template_ids: ['one-frame'],
  placements: {},
  colors: {},
  days: 14,
}
const bytes = Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1')
const seen = { name: 'a.png', sha256: createHash('sha256').update(bytes).digest('hex'), is_own: true }
const answer: WallAnswer = { hearts: [], word: '', is_approved: false, placements: {}, colors: {}, seen, name: '' }

async function* inOnePart(): AsyncGenerator<Uint8Array> {
  yield bytes
}
const file = (sizeBytes = bytes.byteLength): ArrivingFile => ({ name: 'a.png', sizeBytes, content: inOnePart() })

describeOnBothDatabases('Links', use => {
  let nowMs = 1_800_000_000_000
  const start = async (email: string) => {
    const { database, location } = use()
    const storage = new DiskStorage(path.join(location.dataDir, 'objects'))
    const { accountId } = await new Accounts(database).create({ email })
    return { database, storage, accountId, walls: new Walls({ database, storage, clock: () => nowMs }) }
  }
  const roomOf = (database: Database, { id }: Wall) =>
    database.queries
      .selectFrom('walls')
      .select(['file_count', 'file_bytes'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  it('that are made at once are exactly as many as an account may have', async () => {
    const { walls, accountId } = await start('at-once@example.com')
    const made = await Promise.allSettled(Array.from({ length: 150 }, () => walls.create(accountId, draft)))
    for (const each of made)
      if (each.status === 'rejected') assert.ok(each.reason instanceof WallQuotaReachedError, String(each.reason))
    assert.equal(made.filter(({ status }) => status === 'fulfilled').length, WALLS_PER_ACCOUNT)
  })

  it('and publishable keys, too', async () => {
    const { database, accountId } = await start('keys-at-once@example.com')
    const keys = new PublishableKeys(database)
    const wanted = { accountId, name: 'shop', origins: ['https://shop.example'] }
    const made = await Promise.allSettled(Array.from({ length: 150 }, () => keys.create(wanted)))
    for (const each of made)
      if (each.status === 'rejected') assert.ok(each.reason instanceof InvalidPublishableKeyError, String(each.reason))
    assert.equal(made.filter(({ status }) => status === 'fulfilled').length, limits.publishableKeysMax)
  })

  it('are listed in pages, each once, the newest first, and so are their answers', async () => {
    const { walls, accountId } = await start('pages@example.com')
    const made: string[] = []
    // Some in the same millisecond.
    for (let count = 0; count < 45; count++) {
      if (count % 3 === 0) nowMs += 1
      made.push((await walls.create(accountId, draft)).id)
    }
    const [wall] = (await walls.list(accountId)).items
    assert.ok(wall)
    const given: ReceivedAnswer[] = []
    for (let count = 0; count < ANSWERS_PER_PAGE * 2 + 1; count++)
      given.push(await walls.answer({ ...wall, placements: {}, colors: {} }, answer))
    const listed = await readPages(after => walls.list(accountId, after))
    assert.deepEqual(listed.toSorted(), made.toSorted())
    assert.equal((await walls.list(accountId)).items[0]?.answerCount, given.length)
    const answers = await readPages(after => walls.answersOf(wall, after))
    assert.deepEqual(answers.toSorted(), given.map(({ id }) => id).toSorted())
    const { accountId: other } = await start('others-pages@example.com')
    assert.deepEqual((await walls.list(other, made[0] ?? '')).items, [])
  })

  it('take answers up to a bound each and for the account, and read larger ones of earlier versions', async () => {
    const { walls, database, accountId } = await start('answers@example.com')
    const wall = await walls.create(accountId, draft)
    const large = { ...answer, colors: { 'one-frame': Object.fromEntries(Array.from({ length: 900 }, colorOf)) } }
    assert.equal(wallAnswerSchema.safeParse(large).success, false)
    await database.queries
      .insertInto('wall_answers')
      .values({ id: 'ans_old', wall_id: wall.id, at_ms: 1, answer: JSON.stringify(large), artwork: null })
      .execute()
    assert.deepEqual((await walls.answersOf(wall)).items[0]?.colors, large.colors)

    const placed = Object.fromEntries(
      Array.from({ length: limits.wallScenesMax }, (_, index) => [
        `a-template-with-a-long-name-${index}`,
        { ...placementDefaults, x: -0.123456789, y: 0.123456789, scale: 1.23456789, background: '#aabbcc' },
      ]),
    )
    const longest = { ...answer, hearts: Object.keys(placed), placements: placed, word: '\u00e9'.repeat(2000) }
    assert.ok(wallAnswerSchema.safeParse(longest).success, 'what a page can send is taken')

    await database.queries
      .updateTable('walls')
      .set({ answer_bytes: WALL_BYTES_PER_ACCOUNT - 2 * Buffer.byteLength(JSON.stringify(answer)) })
      .where('id', '=', wall.id)
      .execute()
    const sent = await Promise.allSettled(Array.from({ length: 10 }, () => walls.answer(wall, answer)))
    for (const each of sent)
      if (each.status === 'rejected') assert.ok(each.reason instanceof WallFullError, String(each.reason))
    assert.equal(sent.filter(({ status }) => status === 'fulfilled').length, 2)
    await assert.rejects(walls.shareArtwork(wall, file()), WallFullError)
  })

  it('give back the room of an upload whose process was killed, and what it had stored', async () => {
    const { walls, storage, database, accountId } = await start('killed@example.com')
    const wall = await walls.create(accountId, draft)
    const given = await walls.answer(wall, answer)
    await walls.attach(wall, given.id, file())
    const before = await roomOf(database, wall)
    assert.deepEqual(before, { file_count: 1, file_bytes: bytes.byteLength })
    // What a process leaves that is killed before it notes the file.
    const object = `walls/${wall.id}/left-by-the-killed`
    await storage.put(object, inOnePart())
    await database.queries
      .insertInto('wall_rooms')
      .values({ object, wall_id: wall.id, files: 9, size_bytes: 200_000_000, reserved_at_ms: nowMs })
      .execute()
    await database.queries
      .updateTable('walls')
      .set({ file_count: 10, file_bytes: before.file_bytes + 200_000_000 })
      .where('id', '=', wall.id)
      .execute()
    await walls.prune()
    assert.equal((await roomOf(database, wall)).file_count, 10, 'it may still arrive')
    nowMs += ROOM_HELD_MS + 1
    await walls.prune()
    assert.deepEqual(await roomOf(database, wall), before)
    assert.equal(await storage.open(object), null)
  })

  it('keep nothing of an upload that ends after its link was ended', async () => {
    const { walls, storage, database, accountId } = await start('ended@example.com')
    const wall = await walls.create(accountId, draft)
    const given = await walls.answer(wall, answer)
    async function* endingMeanwhile(): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, 14)
      await walls.revoke(wall)
      yield bytes.subarray(14)
    }
    await assert.rejects(walls.attach(wall, given.id, { ...file(), content: endingMeanwhile() }), WallFullError)
    // What is stored is removed after the answer.
    while ((await storage.list(`walls/${wall.id}/`)).length > 0) await nextTurn()
    assert.deepEqual(await roomOf(database, wall), { file_count: 0, file_bytes: 0 })
  })

  it('take so many answers at once as they may have', async () => {
    const { walls, accountId } = await start('answers-at-once@example.com')
    const wall = await walls.create(accountId, draft)
    const sent = await Promise.allSettled(Array.from({ length: 70 }, () => walls.answer(wall, answer)))
    assert.equal(sent.filter(({ status }) => status === 'fulfilled').length, ANSWERS_PER_WALL)
    assert.equal((await walls.find(accountId, wall.id))?.answerCount, ANSWERS_PER_WALL)
  })
})

const colorOf = (_: unknown, index: number) => [`area ${index}`, '#aa0000']

async function readPages(
  read: (after: string | null) => Promise<{ items: readonly { id: string }[]; nextAfter: string | null }>,
): Promise<string[]> {
  const ids: string[] = []
  let after: string | null = null
  do {
    const page: Awaited<ReturnType<typeof read>> = await read(after)
    ids.push(...page.items.map(({ id }) => id))
    after = page.nextAfter
  } while (after !== null)
  return ids
}
