import {
  limits,
  type PsdImport,
  type PsdImportReport,
  type PsdPlaces,
  psdImportReportSchema,
  psdPlacesSchema,
} from '@vitrine/contract'
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely'
import { z } from 'zod'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { lockAccount } from '../database/lock-account.ts'
import { newId } from '../database/new-id.ts'
import type { Schema } from '../database/schema.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import { PSD_IMPORT_UNUSED_MS, PSD_IMPORTS_BYTES, PSD_SILENT_MS, PSD_UPLOAD_BEGIN_MS } from './limits.ts'
import { bytesOfParts, PsdPartRows } from './psd-part-rows.ts'
import {
  documentOf,
  mapsOf,
  type PsdMap,
  partSize,
  partsOf,
  placeOfMap,
  psdMapsSchema,
  type SentFile,
} from './psd-parts.ts'

type PsdState = PsdImport['state']
type PsdRow = Selectable<Schema['psd_imports']>

/** A Photoshop file that is no template yet. */
export type PsdImportRecord = {
  readonly id: string
  readonly accountId: string
  readonly fileName: string
  readonly sizeBytes: number
  readonly state: PsdState
  readonly run: number
  readonly frames: readonly string[]
  readonly message: string | null
  /** Where it is refused: names of smart objects of which some have to be chosen. */
  readonly choices: readonly string[]
  /** And where they lie in Photoshop's picture, which is stored where this is not empty. */
  readonly places: PsdPlaces
  /** Names of displacement maps that its frames need and that were not uploaded. */
  readonly missingMaps: readonly string[]
  /** Displacement maps that were announced, and came as far as their parts did. */
  readonly maps: readonly PsdMap[]
  readonly report: PsdImportReport | null
  /** The bundle's, by their names. */
  readonly files: readonly string[]
  readonly hasComparison: boolean
  readonly createdAtMs: number
}

/** Its account has too many such files. */
export class TooManyPsdImportsError extends Error {
  override readonly name = 'TooManyPsdImportsError'
}

/** The files of all accounts take the room that there is for them. */
export class PsdImportsFullError extends Error {
  override readonly name = 'PsdImportsFullError'
}

const PREFIX = 'psd-imports/'
const names = z.array(z.string())

/** A node converts them; its process is gone where it was silent for a while. */
const converting: readonly PsdState[] = ['waiting', 'reading', 'drawing', 'checking']
export const isConverting = ({ state }: PsdImportRecord): boolean => converting.includes(state)

/** What a conversion says that a stop or a crash of its process ended. */
export const INTERRUPTED = 'The conversion was interrupted by a restart of the service: start it again.'

/**
 * Photoshop files on their way to a template: rows in the database, bytes in object storage, so that every
 * node can receive, convert and show each of them.
 */
export class PsdImportStore {
  readonly #database: Database
  readonly #storage: ObjectStorage
  readonly #clock: Clock
  readonly #parts: PsdPartRows

  constructor(database: Database, storage: ObjectStorage, clock: Clock) {
    this.#database = database
    this.#storage = storage
    this.#clock = clock
    this.#parts = new PsdPartRows(database)
  }

  /** @throws TooManyPsdImportsError, PsdImportsFullError */
  async create(accountId: string, { fileName, sizeBytes }: { fileName: string; sizeBytes: number }): Promise<string> {
    const id = newId('psd')
    await this.#database.transaction(async transaction => {
      await lockAccount(this.#database, transaction, accountId)
      const { own } = await transaction
        .selectFrom('psd_imports')
        .select(({ fn }) => fn.countAll<number>().as('own'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      if (own >= limits.psdImportsMax) throw new TooManyPsdImportsError(`The account has ${own} imports`)
      // Not the announced size: who sends nothing takes no room.
      if ((await bytesOfParts(transaction)) + partSize({ sizeBytes, maps: [] }, 0) > PSD_IMPORTS_BYTES)
        throw new PsdImportsFullError('No room for Photoshop files')
      const nowMs = this.#clock()
      await transaction
        .insertInto('psd_imports')
        .values({
          id,
          account_id: accountId,
          file_name: fileName,
          size_bytes: sizeBytes,
          state: 'uploading',
          run: 0,
          frames: '[]',
          message: null,
          choices: '[]',
          places: '[]',
          missing_maps: '[]',
          maps: '[]',
          report: null,
          files: null,
          has_comparison: 0,
          created_at_ms: nowMs,
          changed_at_ms: nowMs,
          alive_at_ms: nowMs,
        })
        .execute()
    })
    return id
  }

  /** Those of an account, the newest first. */
  async list(accountId: string): Promise<readonly PsdImportRecord[]> {
    const rows = await this.#database.queries
      .selectFrom('psd_imports')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('created_at_ms', 'desc')
      .limit(limits.psdImportsMax)
      .execute()
    return rows.map(row => this.#toRecord(row))
  }

  async find(accountId: string, id: string): Promise<PsdImportRecord | null> {
    const row = await this.#database.queries
      .selectFrom('psd_imports')
      .selectAll()
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    return row === undefined ? null : this.#toRecord(row)
  }

  /**
   * Announces a displacement map, whose parts follow; one of the same name is replaced with its parts. Null
   * where the import is being converted, or has other maps meanwhile.
   */
  async addMap(record: PsdImportRecord, map: PsdMap): Promise<SentFile | null> {
    const { id } = record
    const at = placeOfMap(record.maps, map.name)
    const nowMs = this.#clock()
    const maps = record.maps.toSpliced(at, 1, map)
    const { numUpdatedRows } = await this.#database.queries
      .updateTable('psd_imports')
      .set({ maps: JSON.stringify(maps), changed_at_ms: nowMs })
      .where('id', '=', id)
      .where('maps', '=', JSON.stringify(record.maps))
      .where(isIdle(nowMs))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return null
    const replaced = mapsOf(record)[at]
    for (const part of replaced ? partsOf(replaced) : []) {
      await this.#storage.delete(partKey(id, part))
      await this.#parts.forget(id, part, 'any')
    }
    return mapsOf({ maps })[at] ?? null
  }

  /**
   * Stores a part of a file. One that is there is replaced. False where the import was removed meanwhile.
   * @throws PsdImportsFullError
   */
  async putPart(record: PsdImportRecord, part: number, content: AsyncIterable<Uint8Array>): Promise<boolean> {
    const { id } = record
    const own = { importId: id, part, sizeBytes: partSize(record, part) }
    const isReserved = await this.#parts.note(own, 'arrives')
    if (!isReserved && !(await this.#parts.has(own))) {
      if ((await this.#countImports(id)) === 0) return false
      throw new PsdImportsFullError('No room for Photoshop files')
    }
    try {
      await this.#storage.put(partKey(id, part), content)
    } catch (error) {
      if (isReserved) {
        // A storage that failed may have it all the same. What stays goes with the import.
        void this.#storage.delete(partKey(id, part)).catch(() => undefined)
        await this.#parts.forget(id, part, 'arriving')
      }
      throw error
    }
    if (!(await this.#parts.note(own, 'stored'))) {
      await this.#storage.delete(partKey(id, part))
      return false
    }
    await this.#database.queries
      .updateTable('psd_imports')
      .set({ changed_at_ms: this.#clock() })
      .where('id', '=', id)
      .execute()
    return true
  }

  async #countImports(id: string): Promise<number> {
    const rows = await this.#database.queries.selectFrom('psd_imports').select('id').where('id', '=', id).execute()
    return rows.length
  }

  /** The parts that lack, by their numbers: those of its maps too. */
  async missingParts(record: PsdImportRecord): Promise<readonly number[]> {
    const { id } = record
    const stored = new Map((await this.#storage.list(partPrefix(id))).map(({ key, sizeBytes }) => [key, sizeBytes]))
    const parts = [documentOf(record), ...mapsOf(record)].flatMap(partsOf)
    return parts.filter(part => stored.get(partKey(id, part)) !== partSize(record, part))
  }

  /** A whole file of an import, part after part. */
  async *openFile({ id }: PsdImportRecord, file: SentFile): AsyncGenerator<Uint8Array> {
    for (const part of partsOf(file)) {
      const object = await this.#storage.open(partKey(id, part))
      if (object === null) throw new Error(`Part ${part} of the import ${id} is gone`)
      yield* object.content
    }
  }

  /**
   * Takes the next run of an import. Null where it is being converted, here or by another node, or has other
   * maps meanwhile.
   * @returns the number of the run
   */
  async begin({ id, accountId, run, maps }: PsdImportRecord, frames: readonly string[]): Promise<number | null> {
    const nowMs = this.#clock()
    const { numUpdatedRows } = await this.#database.queries
      .updateTable('psd_imports')
      .set({
        state: 'waiting',
        run: run + 1,
        frames: JSON.stringify(frames),
        message: null,
        choices: '[]',
        places: '[]',
        missing_maps: '[]',
        changed_at_ms: nowMs,
        alive_at_ms: nowMs,
      })
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where('run', '=', run)
      .where('maps', '=', JSON.stringify(maps))
      .where(isIdle(nowMs))
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows) === 0 ? null : run + 1
  }

  /** Notes how far a run is. False where it is another one's turn, or the import was removed. */
  async note(
    id: string,
    run: number,
    change: Partial<Omit<PsdRow, 'id' | 'account_id' | 'run' | 'maps'>>,
  ): Promise<boolean> {
    const nowMs = this.#clock()
    const { numUpdatedRows } = await this.#database.queries
      .updateTable('psd_imports')
      .set({ ...change, changed_at_ms: nowMs, alive_at_ms: nowMs })
      .where('id', '=', id)
      .where('run', '=', run)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows) > 0
  }

  /** Removes an import with its bytes. What still runs for it finds that it is gone. */
  async remove({ id }: Pick<PsdImportRecord, 'id'>): Promise<void> {
    await this.#database.queries.deleteFrom('psd_imports').where('id', '=', id).execute()
    await this.#removeObjects(`${PREFIX}${id}/`)
  }

  /** Removes what a run made. */
  async removeRun(id: string, run: number): Promise<void> {
    await this.#removeObjects(runPrefix(id, run))
  }

  async removeAll(accountId: string): Promise<void> {
    const rows = await this.#database.queries
      .selectFrom('psd_imports')
      .select('id')
      .where('account_id', '=', accountId)
      .execute()
    for (const row of rows) await this.remove(row)
  }

  /**
   * Removes what nobody used for an hour, uploads that sent nothing for minutes, and bytes whose row is gone.
   * For one node, now and then.
   */
  async sweep(): Promise<void> {
    const nowMs = this.#clock()
    const rows = await this.#database.queries
      .selectFrom('psd_imports')
      .select('id')
      .where(is =>
        is.or([
          is('changed_at_ms', '<', nowMs - PSD_IMPORT_UNUSED_MS),
          is.and([
            is('state', '=', 'uploading'),
            is('changed_at_ms', '=', is.ref('created_at_ms')),
            is('created_at_ms', '<', nowMs - PSD_UPLOAD_BEGIN_MS),
          ]),
        ]),
      )
      .execute()
    for (const row of rows) await this.remove(row)
    const stored = new Set((await this.#storage.list(PREFIX)).map(({ key }) => key.split('/')[1] ?? ''))
    if (stored.size === 0) return
    // Asked after the listing: a row is there before its first object.
    const known = await this.#database.queries.selectFrom('psd_imports').select('id').execute()
    const ids = new Set(known.map(({ id }) => id))
    for (const id of stored) if (!ids.has(id)) await this.#removeObjects(`${PREFIX}${id}/`)
  }

  async #removeObjects(prefix: string): Promise<void> {
    for (const { key } of await this.#storage.list(prefix)) await this.#storage.delete(key)
  }

  #toRecord(row: PsdRow): PsdImportRecord {
    const isLost = converting.includes(row.state) && row.alive_at_ms < this.#clock() - PSD_SILENT_MS
    return {
      id: row.id,
      accountId: row.account_id,
      fileName: row.file_name,
      sizeBytes: row.size_bytes,
      state: isLost ? 'failed' : row.state,
      run: row.run,
      frames: names.parse(JSON.parse(row.frames)),
      message: isLost ? INTERRUPTED : row.message,
      choices: names.parse(JSON.parse(row.choices)),
      places: psdPlacesSchema.parse(JSON.parse(row.places)),
      missingMaps: names.parse(JSON.parse(row.missing_maps)),
      maps: psdMapsSchema.parse(JSON.parse(row.maps)),
      report: row.report === null ? null : psdImportReportSchema.parse(JSON.parse(row.report)),
      files: row.files === null ? [] : names.parse(JSON.parse(row.files)),
      hasComparison: row.has_comparison === 1,
      createdAtMs: row.created_at_ms,
    }
  }
}

/** That no node converts an import. */
const isIdle =
  (nowMs: number) =>
  (is: ExpressionBuilder<Schema, 'psd_imports'>): Expression<SqlBool> =>
    is.or([is('state', 'not in', converting), is('alive_at_ms', '<', nowMs - PSD_SILENT_MS)])

function partPrefix(id: string): string {
  return `${PREFIX}${id}/parts/`
}

function partKey(id: string, part: number): string {
  return `${partPrefix(id)}${part}`
}

export function runPrefix(id: string, run: number): string {
  return `${PREFIX}${id}/runs/${run}/`
}
