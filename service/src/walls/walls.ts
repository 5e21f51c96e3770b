import type { WallAnswer, WallDraft } from '@vitrine/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { lockAccount } from '../database/lock-account.ts'
import { newId, randomBase62 } from '../database/new-id.ts'
import type { ObjectStorage, OpenObject } from '../storage/object-storage.ts'
import {
  ANSWERS_PER_PAGE,
  ANSWERS_PER_WALL,
  WALL_DAY_MS,
  WALL_RETAINED_MS,
  WALLS_PER_ACCOUNT,
  WALLS_PER_PAGE,
  WALLS_PER_RUN,
} from './limits.ts'
import { type ArrivingFile, artworkTypes } from './shared-picture.ts'
import { ForeignSceneError, SharedFileRefusedError, WallFullError, WallQuotaReachedError } from './wall-errors.ts'
import { WallFiles } from './wall-files.ts'
import {
  type ListedWall,
  listedColumns,
  type PageOf,
  pageOf,
  type ReceivedAnswer,
  type StoredArtwork,
  toAnswer,
  toListedWall,
  toWall,
  type Wall,
} from './wall-rows.ts'

/** Links to scenes that an account shows to a customer of its own, and the answers. */
export class Walls {
  readonly #database: Database
  readonly #storage: ObjectStorage
  readonly #clock: Clock
  readonly #files: WallFiles

  constructor({ database, storage, clock = Date.now }: { database: Database; storage: ObjectStorage; clock?: Clock }) {
    this.#files = new WallFiles({ database, storage, clock })
    this.#database = database
    this.#storage = storage
    this.#clock = clock
  }

  /** @throws ForeignSceneError, WallQuotaReachedError */
  async create(accountId: string, draft: WallDraft): Promise<Wall> {
    assertOfWall(draft.template_ids, draft)
    const now = this.#clock()
    const row = {
      id: newId('wal'),
      account_id: accountId,
      token: randomBase62(32),
      title: draft.title,
      shop_name: draft.shop_name,
      template_ids: JSON.stringify(draft.template_ids),
      placements: JSON.stringify(draft.placements),
      colors: JSON.stringify(draft.colors),
      artwork: null,
      created_at_ms: now,
      expires_at_ms: now + draft.days * WALL_DAY_MS,
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
        .selectFrom('walls')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .where('revoked_at_ms', 'is', null)
        .where('expires_at_ms', '>', now)
        .executeTakeFirstOrThrow()
      if (count >= WALLS_PER_ACCOUNT)
        throw new WallQuotaReachedError(`This account has ${count} links that work: end some of them first.`)
      await transaction.insertInto('walls').values(row).execute()
    })
    return toWall(row)
  }

  /**
   * A page of an account's links, the newest first.
   * @param after the id of the last one of the page before
   */
  async list(accountId: string, after: string | null = null): Promise<PageOf<ListedWall>> {
    const rows = await this.#database.queries
      .selectFrom('walls')
      .select(listedColumns)
      .where('account_id', '=', accountId)
      .$if(after !== null, query =>
        query.where(
          expression =>
            sql<boolean>`${expression.refTuple('created_at_ms', 'id')} < ${expression
              .selectFrom('walls as last')
              .select(['last.created_at_ms', 'last.id'])
              .where('last.id', '=', after ?? '')
              .where('last.account_id', '=', accountId)}`,
        ),
      )
      .orderBy('created_at_ms', 'desc')
      .orderBy('id', 'desc')
      .limit(WALLS_PER_PAGE + 1)
      .execute()
    return pageOf(rows.map(toListedWall), WALLS_PER_PAGE)
  }

  async find(accountId: string, id: string): Promise<Wall | null> {
    const row = await this.#database.queries
      .selectFrom('walls')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst()
    return row ? toWall(row) : null
  }

  /** The wall of a link that works: not ended, of an account that is neither suspended nor deleted. */
  async open(token: string): Promise<Wall | null> {
    if (!/^[0-9A-Za-z]{32}$/.test(token)) return null
    const row = await this.#database.queries
      .selectFrom('walls')
      .innerJoin('accounts', 'accounts.id', 'walls.account_id')
      .selectAll('walls')
      .where('token', '=', token)
      .where('accounts.suspended_at_ms', 'is', null)
      .where('accounts.deleted_at_ms', 'is', null)
      .where('revoked_at_ms', 'is', null)
      .where('expires_at_ms', '>', this.#clock())
      .executeTakeFirst()
    return row ? toWall(row) : null
  }

  async countVisit({ id }: Wall): Promise<void> {
    await this.#database.queries
      .updateTable('walls')
      .set({ visits: sql<number>`visits + 1` })
      .where('id', '=', id)
      .execute()
  }

  /** The link stops to work at once. False where it had stopped before. */
  async revoke({ id }: Wall): Promise<boolean> {
    const { numUpdatedRows } = await this.#database.queries
      .updateTable('walls')
      .set({ revoked_at_ms: this.#clock() })
      .where('id', '=', id)
      .where('revoked_at_ms', 'is', null)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }

  /** Takes the artwork that the link shows, once. @throws WallFullError, and as `WallFiles.receive` */
  async shareArtwork(wall: Wall, file: ArrivingFile): Promise<StoredArtwork> {
    if (wall.artwork !== null) throw new WallFullError('This link has its artwork.')
    return this.#files.receive(wall, { countsAsAnswer: false, types: artworkTypes }, file, (artwork, transaction) =>
      transaction
        .updateTable('walls')
        .set({ artwork: JSON.stringify(artwork) })
        .where('id', '=', wall.id)
        .where('artwork', 'is', null)
        .where(this.#isOpen(wall))
        .executeTakeFirstOrThrow(),
    )
  }

  /**
   * Takes the picture of a scene as it is sent, a JPEG, once. False where the link has no such scene.
   * @throws WallFullError and what `WallFiles.receive` throws
   */
  async addStill(wall: Wall, position: number, file: ArrivingFile): Promise<boolean> {
    if (wall.template_ids[position] === undefined) return false
    await this.#files.receive(wall, { countsAsAnswer: false, types: ['jpeg'] }, file, async (still, transaction) => {
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('wall_stills')
        .values({ wall_id: wall.id, position, object: still.object, size_bytes: still.size_bytes })
        .onConflict(conflict => conflict.doNothing())
        .executeTakeFirst()
      return { numUpdatedRows: numInsertedOrUpdatedRows ?? 0n }
    })
    return true
  }

  /** The scenes of which there is a picture as they were sent, by the ids of their walls. */
  async stillsOf(wallIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
    if (wallIds.length === 0) return new Map()
    const rows = await this.#database.queries
      .selectFrom('wall_stills')
      .select(['wall_id', 'position'])
      .where('wall_id', 'in', wallIds)
      .execute()
    const byWall = Map.groupBy(rows, row => row.wall_id)
    return new Map([...byWall].map(([id, found]) => [id, new Set(found.map(({ position }) => position))]))
  }

  async openStill({ id }: Pick<Wall, 'id'>, position: number): Promise<OpenObject | null> {
    const row = await this.#database.queries
      .selectFrom('wall_stills')
      .select('object')
      .where('wall_id', '=', id)
      .where('position', '=', position)
      .executeTakeFirst()
    return row === undefined ? null : this.#storage.open(row.object)
  }

  /** The shop has seen so many answers. */
  async markRead({ id }: Pick<Wall, 'id'>, count: number): Promise<void> {
    await this.#database.queries
      .updateTable('walls')
      .set({ read_count: count })
      .where('id', '=', id)
      .where('read_count', '<', count)
      .where('answer_count', '>=', count)
      .execute()
  }

  /** Answers to all links of an account that nobody there has seen. */
  async countUnread(accountId: string): Promise<number> {
    const { count } = await this.#database.queries
      .selectFrom('walls')
      .select(sql<number | string | null>`sum(answer_count - read_count)`.as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    return Number(count ?? 0)
  }

  /** An answer to a link. @throws ForeignSceneError, WallFullError */
  async answer(wall: Wall, answer: WallAnswer): Promise<ReceivedAnswer> {
    assertOfWall(wall.template_ids, answer)
    if (answer.seen !== null && !answer.seen.is_own && answer.seen.sha256 !== wall.artwork?.sha256)
      throw new ForeignSceneError('seen.sha256: expected that of the artwork which this link shows.')
    const row = {
      id: newId('ans'),
      wall_id: wall.id,
      at_ms: this.#clock(),
      answer: JSON.stringify(answer),
      artwork: null,
    }
    const sizeBytes = Buffer.byteLength(row.answer)
    await this.#database.transaction(async transaction => {
      await this.#files.assertRoom(transaction, wall, sizeBytes)
      const counted = await transaction
        .updateTable('walls')
        .set({
          answer_count: sql<number>`answer_count + 1`,
          answer_bytes: sql<number>`answer_bytes + ${sizeBytes}`,
        })
        .where('id', '=', wall.id)
        .where('revoked_at_ms', 'is', null)
        .where('answer_count', '<', ANSWERS_PER_WALL)
        .executeTakeFirstOrThrow()
      if (counted.numUpdatedRows === 0n) throw new WallFullError('This link takes no more answers.')
      await transaction.insertInto('wall_answers').values(row).execute()
    })
    return toAnswer(row)
  }

  /**
   * Takes the file of an answer, once: the one whose SHA-256 the answer has. False where there is no such
   * answer, or it has its file. @throws WallFullError and what `WallFiles.receive` throws
   */
  async attach(wall: Wall, answerId: string, file: ArrivingFile): Promise<boolean> {
    const answer = await this.findAnswer(wall, answerId)
    if (answer === null || answer.artwork !== null || answer.seen?.is_own !== true) return false
    const announced = answer.seen.sha256
    await this.#files.receive(wall, { countsAsAnswer: true, types: artworkTypes }, file, (artwork, transaction) => {
      if (artwork.sha256 !== announced)
        throw new SharedFileRefusedError('This file is another one than the answer was given for.')
      return transaction
        .updateTable('wall_answers')
        .set({ artwork: JSON.stringify(artwork) })
        .where('id', '=', answerId)
        .where('wall_id', '=', wall.id)
        .where('artwork', 'is', null)
        .where(this.#isOpen(wall))
        .executeTakeFirstOrThrow()
    })
    return true
  }

  async findAnswer(wall: Pick<Wall, 'id'>, answerId: string): Promise<ReceivedAnswer | null> {
    const row = await this.#database.queries
      .selectFrom('wall_answers')
      .selectAll()
      .where('wall_id', '=', wall.id)
      .where('id', '=', answerId)
      .executeTakeFirst()
    return row === undefined ? null : toAnswer(row)
  }

  async newestAnswer(wall: Pick<Wall, 'id'>): Promise<ReceivedAnswer | null> {
    const row = await this.#database.queries
      .selectFrom('wall_answers')
      .selectAll()
      .where('wall_id', '=', wall.id)
      .orderBy('at_ms', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row === undefined ? null : toAnswer(row)
  }

  /**
   * A page of the answers to a link, the newest first.
   * @param after the id of the last one of the page before
   */
  async answersOf(wall: Pick<Wall, 'id'>, after: string | null = null): Promise<PageOf<ReceivedAnswer>> {
    const rows = await this.#database.queries
      .selectFrom('wall_answers')
      .selectAll()
      .where('wall_id', '=', wall.id)
      .$if(after !== null, query =>
        query.where(
          expression =>
            sql<boolean>`${expression.refTuple('at_ms', 'id')} < ${expression
              .selectFrom('wall_answers as last')
              .select(['last.at_ms', 'last.id'])
              .where('last.id', '=', after ?? '')
              .where('last.wall_id', '=', wall.id)}`,
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
  remove({ id }: Wall): Promise<void> {
    return this.#remove(id)
  }

  /** Removes all of an account. */
  async removeAll(accountId: string): Promise<void> {
    for (const wall of await this.#database.queries
      .selectFrom('walls')
      .select('id')
      .where('account_id', '=', accountId)
      .execute())
      await this.#remove(wall.id)
  }

  /**
   * Removes walls that ended long ago, and frees the room of uploads that ended with their process. For
   * one node.
   */
  async prune(): Promise<void> {
    await this.#files.releaseLost()
    const rows = await this.#database.queries
      .selectFrom('walls')
      .select('id')
      .where('expires_at_ms', '<', this.#clock() - WALL_RETAINED_MS)
      .limit(WALLS_PER_RUN)
      .execute()
    for (const { id } of rows) await this.#remove(id)
  }

  /** Whether the link still works, asked by the statement that stores something: it may have ended. */
  #isOpen({ id }: Pick<Wall, 'id'>): RawBuilder<SqlBool> {
    return sql<SqlBool>`exists (
      select 1 from walls open_walls join accounts on accounts.id = open_walls.account_id
      where open_walls.id = ${id} and open_walls.revoked_at_ms is null and open_walls.expires_at_ms > ${this.#clock()}
        and accounts.suspended_at_ms is null and accounts.deleted_at_ms is null)`
  }

  async #remove(id: string): Promise<void> {
    for (const { key } of await this.#storage.list(`walls/${id}/`)) await this.#storage.delete(key)
    await this.#database.queries.deleteFrom('walls').where('id', '=', id).execute()
  }
}

/** @throws ForeignSceneError */
function assertOfWall(
  templateIds: readonly string[],
  { hearts = [], placements, colors }: Pick<WallAnswer, 'placements' | 'colors'> & { hearts?: readonly string[] },
): void {
  const named = { hearts, placements: Object.keys(placements), colors: Object.keys(colors) }
  for (const [field, ids] of Object.entries(named)) {
    const foreign = ids.find(id => !templateIds.includes(id))
    if (foreign !== undefined)
      throw new ForeignSceneError(`${field}: expected scenes of this link but received “${foreign}”.`)
  }
}
