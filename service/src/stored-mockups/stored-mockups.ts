import type { RemovedMockups, SearchedMockups } from '@vitrine/contract'
import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { lockAccount } from '../database/lock-account.ts'
import { newId } from '../database/new-id.ts'
import type { Queries, Schema } from '../database/schema.ts'
import type { ObjectStorage, OpenObject } from '../storage/object-storage.ts'
import type { UploadRoom } from '../storage/upload-room.ts'
import { foldText } from '../templates/fold-text.ts'
import {
  MOCKUPS_PER_PAGE,
  REMOVED_PER_RUN,
  REPLACED_AT_ONCE,
  STORING_LOST_MS,
  TRIM_EVERY_MS,
  WORDS_MAX,
} from './limits.ts'

/** A mockup that was sent, with the dashboard's names for it. */
export type FinishedMockup = {
  readonly accountId: string
  /** Equal for the same picture. */
  readonly pictureKey: string
  readonly name: string
  /** The name of the artwork. */
  readonly artwork: string
  /** Identifies the run that it is part of. */
  readonly run: string
  readonly templateId: string
  readonly mediaType: string
  readonly sizeBytes: number
  readonly open: (pieceBytes: number) => AsyncIterable<Uint8Array>
}

export type StoredMockup = Omit<FinishedMockup, 'open' | 'accountId'> & {
  readonly id: string
  readonly hasThumbnail: boolean
  readonly madeAtMs: number
}

type Row = Selectable<Schema['stored_mockups']>
type Objects = Pick<Row, 'id' | 'object' | 'thumbnail_object'>

const PIECE_BYTES = 256 * 1024
const objectColumns = ['id', 'object', 'thumbnail_object'] as const

type StoredMockupsOptions = {
  readonly database: Database
  readonly storage: ObjectStorage
  /** Of the disk that objects are on. */
  readonly room: UploadRoom
  /** How long each mockup is stored. */
  readonly retentionMs: number
  /** Per account, including thumbnails; 0 stores nothing. */
  readonly bytesMax: number
  /** Called with the reason why a mockup is not stored. */
  readonly onDropped: (reason: unknown, accountId: string) => void
  readonly clock?: Clock
}

/** Mockups that accounts have rendered in the dashboard, stored for a limited time. */
export class StoredMockups {
  readonly #database: Database
  readonly #storage: ObjectStorage
  readonly #room: UploadRoom
  readonly #onDropped: StoredMockupsOptions['onDropped']
  readonly #clock: Clock
  readonly retentionMs: number
  readonly bytesMax: number
  #trimmedAtMs = 0

  constructor(options: StoredMockupsOptions) {
    this.#database = options.database
    this.#storage = options.storage
    this.#room = options.room
    this.#onDropped = options.onDropped
    this.#clock = options.clock ?? Date.now
    this.retentionMs = options.retentionMs
    this.bytesMax = options.bytesMax
  }

  /**
   * Stores a mockup that was sent, replacing the account's oldest ones if there is no room. Never throws: if
   * it cannot be stored, it is dropped and `onDropped` is called.
   */
  async store(mockup: FinishedMockup): Promise<void> {
    if (this.bytesMax === 0) return
    try {
      const full = `Of this account mockups of ${this.bytesMax} bytes are stored, and it has ${mockup.sizeBytes}.`
      if (mockup.sizeBytes > this.bytesMax) throw new Error(full)
      using _room = await this.#room.take(mockup.sizeBytes)
      await this.#makeRoom(mockup)
      const id = newId('mck')
      const object = `mockups/${mockup.accountId}/${id}`
      const reserved = await this.#reserve(mockup, { id, object })
      if (reserved === 'full') throw new Error(full)
      if (reserved === 'reserved') await this.#put(mockup, { id, object, thumbnail_object: null })
    } catch (error) {
      this.#onDropped(error, mockup.accountId)
    }
  }

  /**
   * A page of an account's mockups, newest first. @param after the id of the last one on the previous page
   */
  async list(
    accountId: string,
    { after, search = '', run }: SearchedMockups,
  ): Promise<{ readonly items: readonly StoredMockup[]; readonly nextAfter: string | null }> {
    // No name contains a zero byte, and PostgreSQL rejects one in a parameter.
    if (`${search}${run ?? ''}${after ?? ''}`.includes('\0')) return { items: [], nextAfter: null }
    const position = sql.raw(this.#database.kind === 'sqlite' ? 'instr' : 'strpos')
    const words = search.split(/\s+/).filter(Boolean).slice(0, WORDS_MAX)
    let found = this.#of(accountId).selectAll()
    for (const word of words) found = found.where(sql<SqlBool>`${position}(text_folded, ${foldText(word)}) > 0`)
    if (run !== undefined) found = found.where('run', '=', run)
    if (after !== null)
      found = found.where(
        expression =>
          sql<SqlBool>`${expression.refTuple('made_at_ms', 'id')} < ${expression
            .selectFrom('stored_mockups as last')
            .select(['last.made_at_ms', 'last.id'])
            .where('last.id', '=', after)
            .where('last.account_id', '=', accountId)}`,
      )
    const rows = await found
      .orderBy('made_at_ms', 'desc')
      .orderBy('id', 'desc')
      .limit(MOCKUPS_PER_PAGE + 1)
      .execute()
    const items = rows.slice(0, MOCKUPS_PER_PAGE).map(toMockup)
    return { items, nextAfter: rows.length > MOCKUPS_PER_PAGE ? (items.at(-1)?.id ?? null) : null }
  }

  /** The number and total size of an account's stored mockups. */
  async measure(accountId: string): Promise<{ readonly count: number; readonly sizeBytes: number }> {
    return measured(this.#database.queries, accountId)
  }

  async find(accountId: string, id: string): Promise<StoredMockup | null> {
    const row = await this.#of(accountId).selectAll().where('id', '=', id).executeTakeFirst()
    return row === undefined ? null : toMockup(row)
  }

  /** The picture of a mockup, or its thumbnail. Null if there is none. */
  async open(accountId: string, id: string, which: 'picture' | 'thumbnail'): Promise<OpenObject | null> {
    const row = await this.#of(accountId).select(objectColumns).where('id', '=', id).executeTakeFirst()
    const object = which === 'picture' ? row?.object : row?.thumbnail_object
    return object === undefined || object === null ? null : this.#storage.open(object)
  }

  /**
   * Receives the thumbnail of a mockup, once, even while that is being stored. False if there is no such
   * mockup.
   */
  async addThumbnail(
    accountId: string,
    { pictureKey, name }: Pick<StoredMockup, 'pictureKey' | 'name'>,
    bytes: Uint8Array,
  ): Promise<boolean> {
    const row = await this.#database.queries
      .selectFrom('stored_mockups')
      .select(objectColumns)
      .where('account_id', '=', accountId)
      .where('picture_key', '=', pictureKey)
      .where('name', '=', name)
      .executeTakeFirst()
    if (row === undefined) return false
    if (row.thumbnail_object !== null) return true
    using _room = await this.#room.take(bytes.byteLength)
    const thumbnail = `${row.object}-thumbnail`
    await this.#storage.put(thumbnail, bytes)
    const { numUpdatedRows } = await this.#database.queries
      .updateTable('stored_mockups')
      .set({ thumbnail_object: thumbnail, thumbnail_bytes: bytes.byteLength })
      .where('id', '=', row.id)
      .executeTakeFirstOrThrow()
    // The mockup was removed in the meantime.
    if (numUpdatedRows === 0n) await this.#storage.delete(thumbnail)
    return numUpdatedRows > 0n
  }

  /** Removes mockups by id, by run, or all of an account. Resolves with their number. */
  async remove(accountId: string, which: RemovedMockups): Promise<number> {
    let removed = 0
    for (;;) {
      let found = this.#of(accountId).select(objectColumns)
      if (which.ids !== undefined) found = found.where('id', 'in', [...which.ids, ''])
      if (which.run !== undefined) found = found.where('run', '=', which.run)
      const rows = await found.limit(REMOVED_PER_RUN).execute()
      await this.#delete(rows)
      removed += rows.length
      if (rows.length < REMOVED_PER_RUN) return removed
    }
  }

  /** Removes all mockups of a deleted account, including those being stored. */
  async removeAll(accountId: string): Promise<void> {
    const rows = await this.#database.queries
      .selectFrom('stored_mockups')
      .select(objectColumns)
      .where('account_id', '=', accountId)
      .execute()
    await this.#delete(rows)
  }

  /**
   * Removes mockups that are too old, beyond the limit, or were never finished; oldest first. To be run by
   * one node.
   */
  async prune(): Promise<void> {
    const now = this.#clock()
    const all = this.#database.queries.selectFrom('stored_mockups')
    const old = await all
      .select(objectColumns)
      .where(is =>
        is.or([
          is('made_at_ms', '<', now - this.retentionMs),
          is.and([is('is_stored', '=', 0), is('made_at_ms', '<', now - STORING_LOST_MS)]),
        ]),
      )
      .orderBy('made_at_ms')
      .limit(REMOVED_PER_RUN)
      .execute()
    await this.#delete(old)
    if (now - this.#trimmedAtMs < TRIM_EVERY_MS) return
    this.#trimmedAtMs = now
    const beyond = await all
      .select('account_id')
      .groupBy('account_id')
      .having(sql<SqlBool>`sum(size_bytes + thumbnail_bytes) > ${this.bytesMax}`)
      .execute()
    for (const { account_id } of beyond) await this.#makeRoom({ accountId: account_id, sizeBytes: 0 })
  }

  /** Removes an account's oldest mockups until there is room for `sizeBytes`. */
  async #makeRoom({ accountId, sizeBytes }: Pick<FinishedMockup, 'accountId' | 'sizeBytes'>): Promise<void> {
    for (;;) {
      let beyondBytes = (await this.measure(accountId)).sizeBytes + sizeBytes - this.bytesMax
      if (beyondBytes <= 0) return
      const oldest = await this.#of(accountId)
        .select([...objectColumns, 'size_bytes', 'thumbnail_bytes'])
        .orderBy('made_at_ms')
        .orderBy('id')
        .limit(REPLACED_AT_ONCE)
        .execute()
      if (oldest.length === 0) return
      const removed = oldest.filter(row => {
        const isNeeded = beyondBytes > 0
        beyondBytes -= row.size_bytes + row.thumbnail_bytes
        return isNeeded
      })
      await this.#delete(removed)
    }
  }

  /** Records a mockup that is about to be stored, or moves a stored one to the newest run. */
  async #reserve(
    { accountId, pictureKey, name, artwork, run, templateId, mediaType, sizeBytes }: FinishedMockup,
    { id, object }: { readonly id: string; readonly object: string },
  ): Promise<'reserved' | 'known' | 'full'> {
    const now = this.#clock()
    return this.#database.transaction(async transaction => {
      await lockAccount(this.#database, transaction, accountId)
      const { numUpdatedRows } = await transaction
        .updateTable('stored_mockups')
        .set({ run, artwork, made_at_ms: now })
        .where('account_id', '=', accountId)
        .where('picture_key', '=', pictureKey)
        .where('name', '=', name)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows > 0n) return 'known'
      const account = await transaction
        .selectFrom('accounts')
        .select('id')
        .where('id', '=', accountId)
        .where('suspended_at_ms', 'is', null)
        .where('deleted_at_ms', 'is', null)
        .executeTakeFirst()
      if (account === undefined) return 'known'
      if ((await measured(transaction, accountId)).sizeBytes + sizeBytes > this.bytesMax) return 'full'
      await transaction
        .insertInto('stored_mockups')
        .values({
          id,
          account_id: accountId,
          picture_key: pictureKey,
          name,
          artwork,
          run,
          template_id: templateId,
          text_folded: foldText(`${name} ${artwork} ${templateId}`),
          media_type: mediaType,
          object,
          size_bytes: sizeBytes,
          thumbnail_object: null,
          thumbnail_bytes: 0,
          made_at_ms: now,
          is_stored: 0,
        })
        .execute()
      return 'reserved'
    })
  }

  async #put(mockup: FinishedMockup, row: Objects): Promise<void> {
    try {
      await this.#storage.put(row.object, mockup.open(PIECE_BYTES))
      const { numUpdatedRows } = await this.#database.queries
        .updateTable('stored_mockups')
        .set({ is_stored: 1 })
        .where('id', '=', row.id)
        .executeTakeFirstOrThrow()
      // It was removed in the meantime, with its account.
      if (numUpdatedRows === 0n) await this.#storage.delete(row.object)
    } catch (error) {
      // If this fails, housekeeping does it.
      await this.#delete([row]).catch(() => undefined)
      throw error
    }
  }

  #of(accountId: string) {
    return this.#database.queries
      .selectFrom('stored_mockups')
      .where('account_id', '=', accountId)
      .where('is_stored', '=', 1)
  }

  /** Objects are deleted first: a row without them is found again. */
  async #delete(rows: readonly Objects[]): Promise<void> {
    for (const { id, object, thumbnail_object } of rows) {
      await this.#storage.delete(object)
      if (thumbnail_object !== null) await this.#storage.delete(thumbnail_object)
      await this.#database.queries.deleteFrom('stored_mockups').where('id', '=', id).execute()
    }
  }
}

/** Includes those being stored. */
async function measured(queries: Queries, accountId: string) {
  const { count, size_bytes } = await queries
    .selectFrom('stored_mockups')
    .select(({ fn }) => [
      fn.countAll<number | string>().as('count'),
      sql<number | string>`coalesce(sum(size_bytes + thumbnail_bytes), 0)`.as('size_bytes'),
    ])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return { count: Number(count), sizeBytes: Number(size_bytes) }
}

function toMockup(row: Row): StoredMockup {
  return {
    id: row.id,
    pictureKey: row.picture_key,
    name: row.name,
    artwork: row.artwork,
    run: row.run,
    templateId: row.template_id,
    mediaType: row.media_type,
    sizeBytes: row.size_bytes,
    hasThumbnail: row.thumbnail_object !== null,
    madeAtMs: row.made_at_ms,
  }
}
