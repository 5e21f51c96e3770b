import type { ProofAnswer, ProofDraft } from '@vitrine/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { lockAccount } from '../database/lock-account.ts'
import { newId, randomBase62 } from '../database/new-id.ts'
import type { ObjectStorage, OpenObject } from '../storage/object-storage.ts'
import {
  ANSWERS_PER_PAGE,
  ANSWERS_PER_PROOF,
  PROOF_DAY_MS,
  PROOF_RETAINED_MS,
  PROOFS_PER_ACCOUNT,
  PROOFS_PER_PAGE,
  PROOFS_PER_RUN,
} from './limits.ts'
import { ForeignSceneError, ProofFullError, ProofQuotaReachedError, SharedFileRefusedError } from './proof-errors.ts'
import { ProofFiles } from './proof-files.ts'
import {
  type ListedProof,
  listedColumns,
  type PageOf,
  type Proof,
  pageOf,
  type ReceivedAnswer,
  type StoredArtwork,
  toAnswer,
  toListedProof,
  toProof,
} from './proof-rows.ts'
import { type ArrivingFile, artworkTypes } from './shared-picture.ts'

/** Links to scenes that an account shows to a customer, and the answers. */
export class Proofs {
  readonly #database: Database
  readonly #storage: ObjectStorage
  readonly #clock: Clock
  readonly #files: ProofFiles

  constructor({ database, storage, clock = Date.now }: { database: Database; storage: ObjectStorage; clock?: Clock }) {
    this.#files = new ProofFiles({ database, storage, clock })
    this.#database = database
    this.#storage = storage
    this.#clock = clock
  }

  /** @throws ForeignSceneError, ProofQuotaReachedError */
  async create(accountId: string, draft: ProofDraft): Promise<Proof> {
    assertOfProof(draft.template_ids, draft)
    const now = this.#clock()
    const row = {
      id: newId('prf'),
      account_id: accountId,
      token: randomBase62(32),
      title: draft.title,
      shop_name: draft.shop_name,
      template_ids: JSON.stringify(draft.template_ids),
      placements: JSON.stringify(draft.placements),
      colors: JSON.stringify(draft.colors),
      artwork: null,
      created_at_ms: now,
      expires_at_ms: now + draft.days * PROOF_DAY_MS,
      revoked_at_ms: null,
      visits: 0,
      answer_count: 0,
      read_count: 0,
      file_count: 0,
      file_bytes: 0,
      answer_bytes: 0,
    }
    await this.#database.transaction(async transaction => {
      await lockAccount(this.#database, transaction, accountId)
      const { count } = await transaction
        .selectFrom('proofs')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .where('revoked_at_ms', 'is', null)
        .where('expires_at_ms', '>', now)
        .executeTakeFirstOrThrow()
      if (count >= PROOFS_PER_ACCOUNT)
        throw new ProofQuotaReachedError(`This account has ${count} links that work: end some of them first.`)
      await transaction.insertInto('proofs').values(row).execute()
    })
    return toProof(row)
  }

  /**
   * A page of an account's links, newest first.
   * @param after the id of the last link on the previous page
   */
  async list(accountId: string, after: string | null = null): Promise<PageOf<ListedProof>> {
    const rows = await this.#database.queries
      .selectFrom('proofs')
      .select(listedColumns)
      .where('account_id', '=', accountId)
      .$if(after !== null, query =>
        query.where(
          expression =>
            sql<boolean>`${expression.refTuple('created_at_ms', 'id')} < ${expression
              .selectFrom('proofs as last')
              .select(['last.created_at_ms', 'last.id'])
              .where('last.id', '=', after ?? '')
              .where('last.account_id', '=', accountId)}`,
        ),
      )
      .orderBy('created_at_ms', 'desc')
      .orderBy('id', 'desc')
      .limit(PROOFS_PER_PAGE + 1)
      .execute()
    return pageOf(rows.map(toListedProof), PROOFS_PER_PAGE)
  }

  async find(accountId: string, id: string): Promise<Proof | null> {
    const row = await this.#database.queries
      .selectFrom('proofs')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst()
    return row ? toProof(row) : null
  }

  /** The proof of an active link: not ended, of an account that is neither suspended nor deleted. */
  async open(token: string): Promise<Proof | null> {
    if (!/^[0-9A-Za-z]{32}$/.test(token)) return null
    const row = await this.#database.queries
      .selectFrom('proofs')
      .innerJoin('accounts', 'accounts.id', 'proofs.account_id')
      .selectAll('proofs')
      .where('token', '=', token)
      .where('accounts.suspended_at_ms', 'is', null)
      .where('accounts.deleted_at_ms', 'is', null)
      .where('revoked_at_ms', 'is', null)
      .where('expires_at_ms', '>', this.#clock())
      .executeTakeFirst()
    return row ? toProof(row) : null
  }

  async countVisit({ id }: Proof): Promise<void> {
    await this.#database.queries
      .updateTable('proofs')
      .set({ visits: sql<number>`visits + 1` })
      .where('id', '=', id)
      .execute()
  }

  /** Ends a link at once. False if it had already ended. */
  async revoke({ id }: Proof): Promise<boolean> {
    const { numUpdatedRows } = await this.#database.queries
      .updateTable('proofs')
      .set({ revoked_at_ms: this.#clock() })
      .where('id', '=', id)
      .where('revoked_at_ms', 'is', null)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }

  /** Receives the artwork that the link shows, once. @throws ProofFullError, and as `ProofFiles.receive` */
  async shareArtwork(proof: Proof, file: ArrivingFile): Promise<StoredArtwork> {
    if (proof.artwork !== null) throw new ProofFullError('This link has its artwork.')
    return this.#files.receive(proof, { countsAsAnswer: false, types: artworkTypes }, file, (artwork, transaction) =>
      transaction
        .updateTable('proofs')
        .set({ artwork: JSON.stringify(artwork) })
        .where('id', '=', proof.id)
        .where('artwork', 'is', null)
        .where(this.#isOpen(proof))
        .executeTakeFirstOrThrow(),
    )
  }

  /**
   * Receives the picture of a scene when the link is sent, a JPEG, once. False if the link has no such scene.
   * @throws ProofFullError and what `ProofFiles.receive` throws
   */
  async addStill(proof: Proof, position: number, file: ArrivingFile): Promise<boolean> {
    if (proof.template_ids[position] === undefined) return false
    await this.#files.receive(proof, { countsAsAnswer: false, types: ['jpeg'] }, file, async (still, transaction) => {
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('proof_stills')
        .values({ proof_id: proof.id, position, object: still.object, size_bytes: still.size_bytes })
        .onConflict(conflict => conflict.doNothing())
        .executeTakeFirst()
      return { numUpdatedRows: numInsertedOrUpdatedRows ?? 0n }
    })
    return true
  }

  /** The positions of scenes that have a picture from when the link was sent, by proof id. */
  async stillsOf(proofIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
    if (proofIds.length === 0) return new Map()
    const rows = await this.#database.queries
      .selectFrom('proof_stills')
      .select(['proof_id', 'position'])
      .where('proof_id', 'in', proofIds)
      .execute()
    const byProof = Map.groupBy(rows, row => row.proof_id)
    return new Map([...byProof].map(([id, found]) => [id, new Set(found.map(({ position }) => position))]))
  }

  async openStill({ id }: Pick<Proof, 'id'>, position: number): Promise<OpenObject | null> {
    const row = await this.#database.queries
      .selectFrom('proof_stills')
      .select('object')
      .where('proof_id', '=', id)
      .where('position', '=', position)
      .executeTakeFirst()
    return row === undefined ? null : this.#storage.open(row.object)
  }

  /** Records how many answers the shop has seen. */
  async markRead({ id }: Pick<Proof, 'id'>, count: number): Promise<void> {
    await this.#database.queries
      .updateTable('proofs')
      .set({ read_count: count })
      .where('id', '=', id)
      .where('read_count', '<', count)
      .where('answer_count', '>=', count)
      .execute()
  }

  /** The number of unseen answers to all links of an account. */
  async countUnread(accountId: string): Promise<number> {
    const { count } = await this.#database.queries
      .selectFrom('proofs')
      .select(sql<number | string | null>`sum(answer_count - read_count)`.as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    return Number(count ?? 0)
  }

  /** Adds an answer to a link. @throws ForeignSceneError, ProofFullError */
  async answer(proof: Proof, answer: ProofAnswer): Promise<ReceivedAnswer> {
    assertOfProof(proof.template_ids, answer)
    if (answer.seen !== null && !answer.seen.is_own && answer.seen.sha256 !== proof.artwork?.sha256)
      throw new ForeignSceneError('seen.sha256: expected that of the artwork which this link shows.')
    const row = {
      id: newId('ans'),
      proof_id: proof.id,
      at_ms: this.#clock(),
      answer: JSON.stringify(answer),
      artwork: null,
    }
    const sizeBytes = Buffer.byteLength(row.answer)
    await this.#database.transaction(async transaction => {
      await this.#files.assertRoom(transaction, proof, sizeBytes)
      const counted = await transaction
        .updateTable('proofs')
        .set({
          answer_count: sql<number>`answer_count + 1`,
          answer_bytes: sql<number>`answer_bytes + ${sizeBytes}`,
        })
        .where('id', '=', proof.id)
        .where('revoked_at_ms', 'is', null)
        .where('answer_count', '<', ANSWERS_PER_PROOF)
        .executeTakeFirstOrThrow()
      if (counted.numUpdatedRows === 0n) throw new ProofFullError('This link takes no more answers.')
      await transaction.insertInto('proof_answers').values(row).execute()
    })
    return toAnswer(row)
  }

  /**
   * Receives an answer's file, once; its SHA-256 must be the one in the answer. False if there is no such
   * answer, or it already has its file. @throws ProofFullError and what `ProofFiles.receive` throws
   */
  async attach(proof: Proof, answerId: string, file: ArrivingFile): Promise<boolean> {
    const answer = await this.findAnswer(proof, answerId)
    if (answer === null || answer.artwork !== null || answer.seen?.is_own !== true) return false
    const announced = answer.seen.sha256
    await this.#files.receive(proof, { countsAsAnswer: true, types: artworkTypes }, file, (artwork, transaction) => {
      if (artwork.sha256 !== announced)
        throw new SharedFileRefusedError('This file is another one than the answer was given for.')
      return transaction
        .updateTable('proof_answers')
        .set({ artwork: JSON.stringify(artwork) })
        .where('id', '=', answerId)
        .where('proof_id', '=', proof.id)
        .where('artwork', 'is', null)
        .where(this.#isOpen(proof))
        .executeTakeFirstOrThrow()
    })
    return true
  }

  async findAnswer(proof: Pick<Proof, 'id'>, answerId: string): Promise<ReceivedAnswer | null> {
    const row = await this.#database.queries
      .selectFrom('proof_answers')
      .selectAll()
      .where('proof_id', '=', proof.id)
      .where('id', '=', answerId)
      .executeTakeFirst()
    return row === undefined ? null : toAnswer(row)
  }

  async newestAnswer(proof: Pick<Proof, 'id'>): Promise<ReceivedAnswer | null> {
    const row = await this.#database.queries
      .selectFrom('proof_answers')
      .selectAll()
      .where('proof_id', '=', proof.id)
      .orderBy('at_ms', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row === undefined ? null : toAnswer(row)
  }

  /**
   * A page of the answers to a link, newest first.
   * @param after the id of the last answer on the previous page
   */
  async answersOf(proof: Pick<Proof, 'id'>, after: string | null = null): Promise<PageOf<ReceivedAnswer>> {
    const rows = await this.#database.queries
      .selectFrom('proof_answers')
      .selectAll()
      .where('proof_id', '=', proof.id)
      .$if(after !== null, query =>
        query.where(
          expression =>
            sql<boolean>`${expression.refTuple('at_ms', 'id')} < ${expression
              .selectFrom('proof_answers as last')
              .select(['last.at_ms', 'last.id'])
              .where('last.id', '=', after ?? '')
              .where('last.proof_id', '=', proof.id)}`,
        ),
      )
      .orderBy('at_ms', 'desc')
      .orderBy('id', 'desc')
      .limit(ANSWERS_PER_PAGE + 1)
      .execute()
    return pageOf(rows.map(toAnswer), ANSWERS_PER_PAGE)
  }

  /** The bytes of a picture. */
  openArtwork({ object }: StoredArtwork): Promise<OpenObject | null> {
    return this.#storage.open(object)
  }

  /** Removes a link with its answers and their files. */
  remove({ id }: Proof): Promise<void> {
    return this.#remove(id)
  }

  /** Removes all links of an account. */
  async removeAll(accountId: string): Promise<void> {
    for (const proof of await this.#database.queries
      .selectFrom('proofs')
      .select('id')
      .where('account_id', '=', accountId)
      .execute())
      await this.#remove(proof.id)
  }

  /**
   * Removes proofs that ended long ago, and releases the space of uploads whose process died. To be run by
   * one node.
   */
  async prune(): Promise<void> {
    await this.#files.releaseLost()
    const rows = await this.#database.queries
      .selectFrom('proofs')
      .select('id')
      .where('expires_at_ms', '<', this.#clock() - PROOF_RETAINED_MS)
      .limit(PROOFS_PER_RUN)
      .execute()
    for (const { id } of rows) await this.#remove(id)
  }

  /** Whether the link is still active, checked in the same statement that stores something. */
  #isOpen({ id }: Pick<Proof, 'id'>): RawBuilder<SqlBool> {
    return sql<SqlBool>`exists (
      select 1 from proofs open_proofs join accounts on accounts.id = open_proofs.account_id
      where open_proofs.id = ${id} and open_proofs.revoked_at_ms is null and open_proofs.expires_at_ms > ${this.#clock()}
        and accounts.suspended_at_ms is null and accounts.deleted_at_ms is null)`
  }

  async #remove(id: string): Promise<void> {
    for (const { key } of await this.#storage.list(`proofs/${id}/`)) await this.#storage.delete(key)
    await this.#database.queries.deleteFrom('proofs').where('id', '=', id).execute()
  }
}

/** @throws ForeignSceneError */
function assertOfProof(
  templateIds: readonly string[],
  { hearts = [], placements, colors }: Pick<ProofAnswer, 'placements' | 'colors'> & { hearts?: readonly string[] },
): void {
  const named = { hearts, placements: Object.keys(placements), colors: Object.keys(colors) }
  for (const [field, ids] of Object.entries(named)) {
    const foreign = ids.find(id => !templateIds.includes(id))
    if (foreign !== undefined)
      throw new ForeignSceneError(`${field}: expected scenes of this link but received “${foreign}”.`)
  }
}
