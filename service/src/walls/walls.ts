import { createHash } from 'node:crypto'
import {
  limits,
  sharedArtworkSchema,
  type WallAnswer,
  type WallDraft,
  wallAnswerSchema,
  wallDraftSchema,
} from '@vitrine/contract'
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { newId, randomBase62 } from '../database/new-id.ts'
import type { Schema } from '../database/schema.ts'
import type { ObjectStorage, OpenObject } from '../storage/object-storage.ts'
import {
  ANSWERS_PER_WALL,
  FILES_PER_WALL,
  WALL_BYTES_PER_ACCOUNT,
  WALL_DAY_MS,
  WALL_KEPT_MS,
  WALLS_PER_ACCOUNT,
  WALLS_PER_RUN,
} from './limits.ts'

/** The account has as many links that work as it may have. */
export class WallQuotaReachedError extends Error {
  override readonly name = 'WallQuotaReachedError'
}

/** The link has as many answers, or files with answers, as it may have. */
export class WallFullError extends Error {
  override readonly name = 'WallFullError'
}

/** A file that is larger than an artwork may be. */
export class SharedFileTooLargeError extends Error {
  override readonly name = 'SharedFileTooLargeError'
}

/** A file that is no picture, or another one than was announced. */
export class SharedFileRefusedError extends Error {
  override readonly name = 'SharedFileRefusedError'
}

/** Something that names what the link does not show. */
export class ForeignSceneError extends Error {
  override readonly name = 'ForeignSceneError'
}

/** A file as it arrives. It is never decoded here: browsers do that. */
export type ArrivingFile = {
  readonly name: string
  /** What the request states, or the most that it may be. */
  readonly sizeBytes: number
  readonly content: AsyncIterable<Uint8Array>
}

/** A picture that came with a wall or an answer. `object`: of its bytes, in the storage. */
const storedArtworkSchema = sharedArtworkSchema.extend({ object: z.string() })
export type StoredArtwork = z.infer<typeof storedArtworkSchema>

export type Wall = Omit<WallDraft, 'days'> & {
  readonly id: string
  readonly accountId: string
  /** The secret of the address. */
  readonly token: string
  readonly artwork: StoredArtwork | null
  readonly createdAtMs: number
  readonly expiresAtMs: number
  readonly revokedAtMs: number | null
  readonly visits: number
}

export type ReceivedAnswer = WallAnswer & {
  readonly id: string
  readonly wallId: string
  readonly atMs: number
  readonly artwork: StoredArtwork | null
}

/** Links to scenes that an account shows to a customer of its own, and the answers. */
export class Walls {
  readonly #database: Database
  readonly #storage: ObjectStorage
  readonly #clock: Clock

  constructor({ database, storage, clock = Date.now }: { database: Database; storage: ObjectStorage; clock?: Clock }) {
    this.#database = database
    this.#storage = storage
    this.#clock = clock
  }

  /** @throws ForeignSceneError, WallQuotaReachedError */
  async create(accountId: string, draft: WallDraft): Promise<Wall> {
    assertOfWall(draft.template_ids, draft)
    const now = this.#clock()
    const { count } = await this.#database.queries
      .selectFrom('walls')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('revoked_at_ms', 'is', null)
      .where('expires_at_ms', '>', now)
      .executeTakeFirstOrThrow()
    if (count >= WALLS_PER_ACCOUNT)
      throw new WallQuotaReachedError(`This account has ${count} links that work: end some of them first.`)
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
      file_count: 0,
      file_bytes: 0,
    }
    await this.#database.queries.insertInto('walls').values(row).execute()
    return toWall(row)
  }

  /** An account's walls, the newest first. */
  async list(accountId: string): Promise<readonly Wall[]> {
    const rows = await this.#database.queries
      .selectFrom('walls')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('created_at_ms', 'desc')
      .limit(2 * WALLS_PER_ACCOUNT)
      .execute()
    return rows.map(toWall)
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

  /** Takes the artwork that the link shows, once. @throws WallFullError and what `#receive` throws */
  async shareArtwork(wall: Wall, file: ArrivingFile): Promise<StoredArtwork> {
    if (wall.artwork !== null) throw new WallFullError('This link has its artwork.')
    return this.#receive(wall, { countsAsAnswer: false }, file, artwork =>
      this.#database.queries
        .updateTable('walls')
        .set({ artwork: JSON.stringify(artwork) })
        .where('id', '=', wall.id)
        .where('artwork', 'is', null)
        .where(this.#isOpen(wall))
        .executeTakeFirstOrThrow(),
    )
  }

  /** An answer to a link. @throws ForeignSceneError, WallFullError */
  async answer(wall: Wall, answer: WallAnswer): Promise<ReceivedAnswer> {
    assertOfWall(wall.template_ids, answer)
    if (answer.seen !== null && !answer.seen.is_own && answer.seen.sha256 !== wall.artwork?.sha256)
      throw new ForeignSceneError('seen.sha256: expected that of the artwork which this link shows.')
    const counted = await this.#database.queries
      .updateTable('walls')
      .set({ answer_count: sql<number>`answer_count + 1` })
      .where('id', '=', wall.id)
      .where('revoked_at_ms', 'is', null)
      .where('answer_count', '<', ANSWERS_PER_WALL)
      .executeTakeFirstOrThrow()
    if (counted.numUpdatedRows === 0n) throw new WallFullError('This link takes no more answers.')
    const row = {
      id: newId('ans'),
      wall_id: wall.id,
      at_ms: this.#clock(),
      answer: JSON.stringify(answer),
      artwork: null,
    }
    await this.#database.queries.insertInto('wall_answers').values(row).execute()
    return toAnswer(row)
  }

  /**
   * Takes the file of an answer, once: the one whose SHA-256 the answer has. False where there is no such
   * answer, or it has its file. @throws WallFullError and what `#receive` throws
   */
  async attach(wall: Wall, answerId: string, file: ArrivingFile): Promise<boolean> {
    const row = await this.#database.queries
      .selectFrom('wall_answers')
      .selectAll()
      .where('wall_id', '=', wall.id)
      .where('id', '=', answerId)
      .executeTakeFirst()
    const answer = row && toAnswer(row)
    if (answer === undefined || answer.artwork !== null || answer.seen?.is_own !== true) return false
    const announced = answer.seen.sha256
    await this.#receive(wall, { countsAsAnswer: true }, file, artwork => {
      if (artwork.sha256 !== announced)
        throw new SharedFileRefusedError('This file is another one than the answer was given for.')
      return this.#database.queries
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

  /** Of several links, the newest first. */
  async answersOf(wallIds: readonly string[]): Promise<readonly ReceivedAnswer[]> {
    if (wallIds.length === 0) return []
    const rows = await this.#database.queries
      .selectFrom('wall_answers')
      .selectAll()
      .where('wall_id', 'in', wallIds)
      .orderBy('at_ms', 'desc')
      .execute()
    return rows.map(toAnswer)
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

  /** Removes walls that ended long ago. For one node, now and then. */
  async prune(): Promise<void> {
    const rows = await this.#database.queries
      .selectFrom('walls')
      .select('id')
      .where('expires_at_ms', '<', this.#clock() - WALL_KEPT_MS)
      .limit(WALLS_PER_RUN)
      .execute()
    for (const { id } of rows) await this.#remove(id)
  }

  /**
   * Reserves room for a file, stores it, and notes it. Whatever fails leaves neither bytes nor room behind.
   * @throws WallFullError, SharedFileTooLargeError, SharedFileRefusedError
   */
  async #receive(
    { id, accountId }: Wall,
    { countsAsAnswer }: { countsAsAnswer: boolean },
    { name, sizeBytes, content }: ArrivingFile,
    note: (artwork: StoredArtwork) => Promise<{ numUpdatedRows: bigint }>,
  ): Promise<StoredArtwork> {
    if (sizeBytes > limits.artworkSizeBytesMax) throw tooLarge()
    const files = countsAsAnswer ? 1 : 0
    await this.#reserve({ id, accountId }, files, sizeBytes)
    // Of this try alone: two that arrive at once do not write over each other.
    const object = `walls/${id}/${randomBase62(22)}`
    try {
      const digest = createHash('sha256')
      let receivedBytes = 0
      async function* measured(): AsyncGenerator<Uint8Array> {
        for await (const part of asPicture(content)) {
          receivedBytes += part.byteLength
          if (receivedBytes > sizeBytes) throw tooLarge()
          digest.update(part)
          yield part
        }
      }
      await this.#storage.put(object, measured())
      const artwork = { name, size_bytes: receivedBytes, sha256: digest.digest('hex'), object }
      const { numUpdatedRows } = await note(artwork)
      if (numUpdatedRows === 0n) throw new WallFullError('This file was there already, or its link has ended.')
      await this.#release(id, 0, sizeBytes - receivedBytes)
      return artwork
    } catch (error) {
      // Stored or not: a storage that failed may have it all the same. What stays goes with the link.
      void this.#storage.delete(object).catch(() => undefined)
      await this.#release(id, files, sizeBytes)
      throw error
    }
  }

  /** Whether the link still works, asked by the statement that stores something: it may have ended. */
  #isOpen({ id }: Pick<Wall, 'id'>): RawBuilder<SqlBool> {
    return sql<SqlBool>`exists (
      select 1 from walls open_walls join accounts on accounts.id = open_walls.account_id
      where open_walls.id = ${id} and open_walls.revoked_at_ms is null and open_walls.expires_at_ms > ${this.#clock()}
        and accounts.suspended_at_ms is null and accounts.deleted_at_ms is null)`
  }

  /** @throws WallFullError */
  async #reserve({ id, accountId }: Pick<Wall, 'id' | 'accountId'>, files: number, sizeBytes: number): Promise<void> {
    const reserved = await this.#database.queries
      .updateTable('walls')
      .set({ file_count: sql<number>`file_count + ${files}`, file_bytes: sql<number>`file_bytes + ${sizeBytes}` })
      .where('id', '=', id)
      .where('revoked_at_ms', 'is', null)
      .where('file_count', '<=', FILES_PER_WALL - files)
      .where(
        expressions =>
          expressions
            .selectFrom('walls as all')
            .select(({ fn }) => fn.sum<number>('all.file_bytes').as('bytes'))
            .where('all.account_id', '=', accountId),
        '<=',
        WALL_BYTES_PER_ACCOUNT - sizeBytes,
      )
      .executeTakeFirstOrThrow()
    if (reserved.numUpdatedRows === 0n) throw new WallFullError('This link takes no more files.')
  }

  async #release(id: string, files: number, sizeBytes: number): Promise<void> {
    await this.#database.queries
      .updateTable('walls')
      .set({ file_count: sql<number>`file_count - ${files}`, file_bytes: sql<number>`file_bytes - ${sizeBytes}` })
      .where('id', '=', id)
      .execute()
  }

  async #remove(id: string): Promise<void> {
    for (const { key } of await this.#storage.list(`walls/${id}/`)) await this.#storage.delete(key)
    await this.#database.queries.deleteFrom('walls').where('id', '=', id).execute()
  }
}

const tooLarge = () =>
  new SharedFileTooLargeError(`Expected a picture of at most ${limits.artworkSizeBytesMax / 1024 / 1024} MiB.`)

/** How the pictures begin that artwork may be. */
const pictureStarts = [/^\xff\xd8\xff/, /^\x89PNG\r\n/, /^GIF8[79]a/, /^RIFF[^]{4}WEBP/]
const START_BYTES = 12

/** The same bytes. Only their start is looked at: nothing is decoded here. @throws SharedFileRefusedError */
async function* asPicture(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start = Buffer.alloc(0)
  let isKnown = false
  const assertPicture = () => {
    isKnown = true
    const text = start.subarray(0, START_BYTES).toString('latin1')
    if (!pictureStarts.some(pattern => pattern.test(text)))
      throw new SharedFileRefusedError('Expected a JPEG, PNG, WebP or GIF picture but received another type of file.')
  }
  for await (const part of content) {
    if (isKnown) {
      yield part
      continue
    }
    start = Buffer.concat([start, part])
    if (start.byteLength < START_BYTES) continue
    assertPicture()
    yield start
  }
  if (!isKnown) assertPicture()
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

function toWall(row: Selectable<Schema['walls']>): Wall {
  const shown = wallDraftSchema.omit({ days: true }).parse({
    title: row.title,
    shop_name: row.shop_name,
    template_ids: JSON.parse(row.template_ids),
    placements: JSON.parse(row.placements),
    colors: JSON.parse(row.colors),
  })
  return {
    ...shown,
    id: row.id,
    accountId: row.account_id,
    token: row.token,
    artwork: row.artwork === null ? null : storedArtworkSchema.parse(JSON.parse(row.artwork)),
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    revokedAtMs: row.revoked_at_ms,
    visits: row.visits,
  }
}

function toAnswer(row: Selectable<Schema['wall_answers']>): ReceivedAnswer {
  return {
    ...wallAnswerSchema.parse(JSON.parse(row.answer)),
    id: row.id,
    wallId: row.wall_id,
    atMs: row.at_ms,
    artwork: row.artwork === null ? null : storedArtworkSchema.parse(JSON.parse(row.artwork)),
  }
}
