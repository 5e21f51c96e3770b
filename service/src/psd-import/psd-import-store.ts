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

/** An uploaded Photoshop file, until it is a template. */
export type PsdImportRecord = {
  readonly id: string
  readonly accountId: string
  readonly fileName: string
  readonly sizeBytes: number
  readonly state: PsdState
  readonly run: number
  readonly frames: readonly string[]
  readonly message: string | null
  /** If it was refused because smart objects have to be chosen: their names. Otherwise empty. */
  readonly choices: readonly string[]
  /** Where they lie in Photoshop's picture, which is stored if this is not empty. */
  readonly places: PsdPlaces
  /** Names of displacement maps that its frames need and that were not uploaded. */
  readonly missingMaps: readonly string[]
  /** Displacement maps that were announced; their parts may still be missing. */
  readonly maps: readonly PsdMap[]
  readonly report: PsdImportReport | null
  /** Names of the bundle's files; empty before the conversion. */
  readonly files: readonly string[]
  readonly hasComparison: boolean
  readonly createdAtMs: number
}

/** The account has as many imports as it may. */
export class TooManyPsdImportsError extends Error {
  override readonly name = 'TooManyPsdImportsError'
}

/** The Photoshop files of all accounts together have reached PSD_IMPORTS_BYTES. */
export class PsdImportsFullError extends Error {
  override readonly name = 'PsdImportsFullError'
}

const PREFIX = 'psd-imports/'
const names = z.array(z.string())

/** States in which a node converts the file, unless it has been silent for PSD_SILENT_MS. */
const converting: readonly PsdState[] = ['waiting', 'reading', 'drawing', 'checking']
export const isConverting = ({ state }: PsdImportRecord): boolean => converting.includes(state)

/** The message of a conversion that a stop or crash of its process ended. */
export const INTERRUPTED = 'The conversion was interrupted by a restart of the service: start it again.'

/**
 * Imports of Photoshop files: rows in the database, bytes in object storage, so that every node can receive,
 * convert and show each of them.
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
      // Only the first part, not the announced size, so that announcing alone takes no room.
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

  /** An account's imports, newest first. */
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
   * Announces a displacement map, whose parts follow. It replaces one of the same name and its parts. Null if
   * the import is being converted, or another request has changed its maps.
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
   * Stores or replaces a part of a file. False if the import has been removed.
   * @throws PsdImportsFullError
   */
  async putPart(record: PsdImportRecord, part: number, content: AsyncIterable<Uint8Array>): Promise<boolean> {
    const { id } = record
    const own = { importId: id, part, sizeBytes: partSize(record, part) }
    let isReserved = await this.#parts.note(own, 'arrives')
    if (!isReserved && !(await this.#parts.has(own))) {
      // An upload of the same part may have broken off between the two, and have removed its row.
      isReserved = await this.#parts.note(own, 'arrives')
      if (!isReserved && (await this.#countImports(id)) === 0) return false
      if (!isReserved) throw new PsdImportsFullError('No room for Photoshop files')
    }
    try {
      await this.#storage.put(partKey(id, part), content)
    } catch (error) {
      if (isReserved) {
        // The storage may have stored it in spite of the error. If this fails, it is deleted with the import.
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

  /** Numbers of the missing parts, those of its maps included. */
  async missingParts(record: PsdImportRecord): Promise<readonly number[]> {
    const { id } = record
    const stored = new Map((await this.#storage.list(partPrefix(id))).map(({ key, sizeBytes }) => [key, sizeBytes]))
    const parts = [documentOf(record), ...mapsOf(record)].flatMap(partsOf)
    return parts.filter(part => stored.get(partKey(id, part)) !== partSize(record, part))
  }

  /** The content of a file, part by part. */
  async *openFile({ id }: PsdImportRecord, file: SentFile): AsyncGenerator<Uint8Array> {
    for (const part of partsOf(file)) {
      const object = await this.#storage.open(partKey(id, part))
      if (object === null) throw new Error(`Part ${part} of the import ${id} is gone`)
      yield* object.content
    }
  }

  /**
   * Begins a conversion. `frames`: names of the chosen smart objects.
   * @returns the number of the run; null if a node is converting the import, or another request has changed
   *   its maps
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

  /** Records the progress of a run. False if another run has begun or the import is gone. */
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

  /** Removes an import with its bytes. A run that is in progress ends at its next `note`. */
  async remove({ id }: Pick<PsdImportRecord, 'id'>): Promise<void> {
    await this.#database.queries.deleteFrom('psd_imports').where('id', '=', id).execute()
    await this.#removeObjects(`${PREFIX}${id}/`)
  }

  /** Removes the files that a run made. */
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
   * Removes imports unused for PSD_IMPORT_UNUSED_MS, uploads that sent nothing for PSD_UPLOAD_BEGIN_MS, and
   * bytes without a row. Called by one node at a time.
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
    // Read after the listing: a row is written before its first object.
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

/** The condition that no node is converting an import. */
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
