import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import path from 'node:path'
import { it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { limits, type ProofAnswer, placementDefaults, proofAnswerSchema } from '@vitrine/contract'
import { describeOnBothDatabases } from '../../test/servers/test-database.ts'
import { Accounts } from '../accounts/accounts.ts'
import type { Database } from '../database/database.ts'
import { InvalidPublishableKeyError, PublishableKeys } from '../publishable-keys/publishable-keys.ts'
import { DiskStorage } from '../storage/disk-storage.ts'
import {
  ANSWERS_PER_PAGE,
  ANSWERS_PER_PROOF,
  PROOF_BYTES_PER_ACCOUNT,
  PROOFS_PER_ACCOUNT,
  ROOM_HELD_MS,
} from './limits.ts'
import { ProofFullError, ProofQuotaReachedError } from './proof-errors.ts'
import type { Proof, ReceivedAnswer } from './proof-rows.ts'
import { Proofs } from './proofs.ts'
import type { ArrivingFile } from './shared-picture.ts'

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
const answer: ProofAnswer = { hearts: [], word: '', is_approved: false, placements: {}, colors: {}, seen, name: '' }

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
    return { database, storage, accountId, proofs: new Proofs({ database, storage, clock: () => nowMs }) }
  }
  const roomOf = (database: Database, { id }: Proof) =>
    database.queries
      .selectFrom('proofs')
      .select(['file_count', 'file_bytes'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  it('that are created concurrently do not exceed an account’s limit', async () => {
    const { proofs, accountId } = await start('at-once@example.com')
    const made = await Promise.allSettled(Array.from({ length: 150 }, () => proofs.create(accountId, draft)))
    for (const each of made)
      if (each.status === 'rejected') assert.ok(each.reason instanceof ProofQuotaReachedError, String(each.reason))
    assert.equal(made.filter(({ status }) => status === 'fulfilled').length, PROOFS_PER_ACCOUNT)
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

  it('are listed in pages, each once, newest first, and so are their answers', async () => {
    const { proofs, accountId } = await start('pages@example.com')
    const made: string[] = []
    // Some in the same millisecond.
    for (let count = 0; count < 45; count++) {
      if (count % 3 === 0) nowMs += 1
      made.push((await proofs.create(accountId, draft)).id)
    }
    const [proof] = (await proofs.list(accountId)).items
    assert.ok(proof)
    const given: ReceivedAnswer[] = []
    for (let count = 0; count < ANSWERS_PER_PAGE * 2 + 1; count++)
      given.push(await proofs.answer({ ...proof, placements: {}, colors: {} }, answer))
    const listed = await readPages(after => proofs.list(accountId, after))
    assert.deepEqual(listed.toSorted(), made.toSorted())
    assert.equal((await proofs.list(accountId)).items[0]?.answerCount, given.length)
    const answers = await readPages(after => proofs.answersOf(proof, after))
    assert.deepEqual(answers.toSorted(), given.map(({ id }) => id).toSorted())
    const { accountId: other } = await start('others-pages@example.com')
    assert.deepEqual((await proofs.list(other, made[0] ?? '')).items, [])
  })

  it('accept answers up to limits per link and account', async () => {
    const { proofs, database, accountId } = await start('answers@example.com')
    const proof = await proofs.create(accountId, draft)
    const large = { ...answer, colors: { 'one-frame': Object.fromEntries(Array.from({ length: 900 }, colorOf)) } }
    assert.equal(proofAnswerSchema.safeParse(large).success, false)

    const placed = Object.fromEntries(
      Array.from({ length: limits.proofScenesMax }, (_, index) => [
        `a-template-with-a-long-name-${index}`,
        { ...placementDefaults, x: -0.123456789, y: 0.123456789, scale: 1.23456789, background: '#aabbcc' },
      ]),
    )
    const longest = { ...answer, hearts: Object.keys(placed), placements: placed, word: '\u00e9'.repeat(2000) }
    assert.ok(proofAnswerSchema.safeParse(longest).success, 'everything that a page can send is accepted')

    await database.queries
      .updateTable('proofs')
      .set({ answer_bytes: PROOF_BYTES_PER_ACCOUNT - 2 * Buffer.byteLength(JSON.stringify(answer)) })
      .where('id', '=', proof.id)
      .execute()
    const sent = await Promise.allSettled(Array.from({ length: 10 }, () => proofs.answer(proof, answer)))
    for (const each of sent)
      if (each.status === 'rejected') assert.ok(each.reason instanceof ProofFullError, String(each.reason))
    assert.equal(sent.filter(({ status }) => status === 'fulfilled').length, 2)
    await assert.rejects(proofs.shareArtwork(proof, file()), ProofFullError)
  })

  it('release the space of an upload whose process was killed, and delete what it had stored', async () => {
    const { proofs, storage, database, accountId } = await start('killed@example.com')
    const proof = await proofs.create(accountId, draft)
    const given = await proofs.answer(proof, answer)
    await proofs.attach(proof, given.id, file())
    const before = await roomOf(database, proof)
    assert.deepEqual(before, { file_count: 1, file_bytes: bytes.byteLength })
    // What a process leaves if it is killed before it records the file.
    const object = `proofs/${proof.id}/left-by-the-killed`
    await storage.put(object, inOnePart())
    await database.queries
      .insertInto('proof_rooms')
      .values({ object, proof_id: proof.id, files: 9, size_bytes: 200_000_000, reserved_at_ms: nowMs })
      .execute()
    await database.queries
      .updateTable('proofs')
      .set({ file_count: 10, file_bytes: before.file_bytes + 200_000_000 })
      .where('id', '=', proof.id)
      .execute()
    await proofs.prune()
    assert.equal((await roomOf(database, proof)).file_count, 10, 'it may still arrive')
    nowMs += ROOM_HELD_MS + 1
    await proofs.prune()
    assert.deepEqual(await roomOf(database, proof), before)
    assert.equal(await storage.open(object), null)
  })

  it('store nothing of an upload that ends after its link was revoked', async () => {
    const { proofs, storage, database, accountId } = await start('ended@example.com')
    const proof = await proofs.create(accountId, draft)
    const given = await proofs.answer(proof, answer)
    async function* endingMeanwhile(): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, 14)
      await proofs.revoke(proof)
      yield bytes.subarray(14)
    }
    await assert.rejects(proofs.attach(proof, given.id, { ...file(), content: endingMeanwhile() }), ProofFullError)
    // Deleted in the background.
    while ((await storage.list(`proofs/${proof.id}/`)).length > 0) await nextTurn()
    assert.deepEqual(await roomOf(database, proof), { file_count: 0, file_bytes: 0 })
  })

  it('accept no more concurrent answers than their limit', async () => {
    const { proofs, accountId } = await start('answers-at-once@example.com')
    const proof = await proofs.create(accountId, draft)
    const sent = await Promise.allSettled(Array.from({ length: 70 }, () => proofs.answer(proof, answer)))
    assert.equal(sent.filter(({ status }) => status === 'fulfilled').length, ANSWERS_PER_PROOF)
    assert.equal((await proofs.find(accountId, proof.id))?.answerCount, ANSWERS_PER_PROOF)
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
