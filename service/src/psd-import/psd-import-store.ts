import {
  limits,
  type PsdImport,
  type PsdImportReport,
  type PsdPlaces,
  psdImportReportSchema,
  psdPartCount,
  psdPlacesSchema,
} from '@vitrine/contract'
import { type Selectable, sql } from 'kysely'
import { z } from 'zod'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { lockAccount } from '../database/lock-account.ts'
import { newId } from '../database/new-id.ts'
import type { Schema } from '../database/schema.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import { PSD_IMPORT_UNUSED_MS, PSD_IMPORTS_BYTES, PSD_SILENT_MS, PSD_UPLOAD_BEGIN_MS } from './limits.ts'

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

type Part = { readonly importId: string; readonly part: number; readonly sizeBytes: number }

/** PostgreSQL's sum is a numeric, which its driver reads as text. */
const partBytes = sql<number | string>`coalesce(sum(size_bytes), 0)`

const PREFIX = 'psd-imports/'
const names = z.array(z.string())

/** A node converts them; its process is gone where it was silent for a while. */
const converting: readonly PsdState[] = ['waiting', 'reading', 'drawing', 'checking']

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

  constructor(database: Database, storage: ObjectStorage, clock: Clock) {
    this.#database = database
    this.#storage = storage
    this.#clock = clock
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
      const { bytes } = await transaction
        .selectFrom('psd_import_parts')
        .select(partBytes.as('bytes'))
        .executeTakeFirstOrThrow()
      if (Number(bytes) + partSize(sizeBytes, 0) > PSD_IMPORTS_BYTES)
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
   * Stores a part of the file. One that is there is replaced. False where the import was removed meanwhile.
   * @throws PsdImportsFullError
   */
  async putPart(
    { id, sizeBytes }: PsdImportRecord,
    part: number,
    content: AsyncIterable<Uint8Array>,
  ): Promise<boolean> {
    const own = { importId: id, part, sizeBytes: partSize(sizeBytes, part) }
    const isReserved = await this.#notePart(own, 'arrives')
    if (!isReserved && !(await this.#hasPart(own))) {
      if ((await this.#countImports(id)) === 0) return false
      throw new PsdImportsFullError('No room for Photoshop files')
    }
    try {
      await this.#storage.put(partKey(id, part), content)
    } catch (error) {
      if (isReserved) {
        // A storage that failed may have it all the same. What stays goes with the import.
        void this.#storage.delete(partKey(id, part)).catch(() => undefined)
        await this.#forgetArriving(own)
      }
      throw error
    }
    if (!(await this.#notePart(own, 'stored'))) {
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

  /**
   * Counts a part, once, of an import that is there; one that arrives where there is room for it. Parts that
   * begin at the same moment may exceed the room by their sizes. Whether it was counted, or is now stored.
   */
  async #notePart({ importId, part, sizeBytes }: Part, state: 'arrives' | 'stored'): Promise<boolean> {
    const isStored = state === 'stored' ? 1 : 0
    const { numInsertedOrUpdatedRows = 0n } = await this.#database.queries
      .insertInto('psd_import_parts')
      .columns(['import_id', 'part', 'size_bytes', 'is_stored'])
      .expression(is =>
        is
          .selectFrom('psd_imports')
          .select([
            'id',
            sql.lit(part).as('part'),
            sql.lit(sizeBytes).as('size_bytes'),
            sql.lit(isStored).as('is_stored'),
          ])
          .where('id', '=', importId)
          .$if(state === 'arrives', query =>
            query.where(
              is.selectFrom('psd_import_parts').select(partBytes.as('bytes')),
              '<=',
              PSD_IMPORTS_BYTES - sizeBytes,
            ),
          ),
      )
      .onConflict(conflict =>
        state === 'stored'
          ? conflict.columns(['import_id', 'part']).doUpdateSet({ is_stored: 1 })
          : conflict.doNothing(),
      )
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows > 0n
  }

  async #hasPart({ importId, part }: Part): Promise<boolean> {
    const row = await this.#database.queries
      .selectFrom('psd_import_parts')
      .select('part')
      .where('import_id', '=', importId)
      .where('part', '=', part)
      .executeTakeFirst()
    return row !== undefined
  }

  /** Another request may have stored it meanwhile: then it stays. */
  async #forgetArriving({ importId, part }: Part): Promise<void> {
    await this.#database.queries
      .deleteFrom('psd_import_parts')
      .where('import_id', '=', importId)
      .where('part', '=', part)
      .where('is_stored', '=', 0)
      .execute()
  }

  async #countImports(id: string): Promise<number> {
    const rows = await this.#database.queries.selectFrom('psd_imports').select('id').where('id', '=', id).execute()
    return rows.length
  }

  /** The parts that lack, by their numbers. */
  async missingParts({ id, sizeBytes }: PsdImportRecord): Promise<readonly number[]> {
    const stored = new Map((await this.#storage.list(partPrefix(id))).map(({ key, sizeBytes }) => [key, sizeBytes]))
    const parts = Array.from({ length: psdPartCount(sizeBytes) }, (_, part) => part)
    return parts.filter(part => stored.get(partKey(id, part)) !== partSize(sizeBytes, part))
  }

  /** The whole file, part after part. */
  async *openFile({ id, sizeBytes }: PsdImportRecord): AsyncGenerator<Uint8Array> {
    for (let part = 0; part < psdPartCount(sizeBytes); part++) {
      const object = await this.#storage.open(partKey(id, part))
      if (object === null) throw new Error(`Part ${part} of the import ${id} is gone`)
      yield* object.content
    }
  }

  /**
   * Takes the next run of an import. Null where it is being converted, here or by another node.
   * @returns the number of the run
   */
  async begin({ id, accountId, run }: PsdImportRecord, frames: readonly string[]): Promise<number | null> {
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
        changed_at_ms: nowMs,
        alive_at_ms: nowMs,
      })
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where('run', '=', run)
      .where(is => is.or([is('state', 'not in', converting), is('alive_at_ms', '<', nowMs - PSD_SILENT_MS)]))
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows) === 0 ? null : run + 1
  }

  /** Notes how far a run is. False where it is another one's turn, or the import was removed. */
  async note(
    id: string,
    run: number,
    change: Partial<Pick<PsdRow, 'state' | 'message' | 'choices' | 'places' | 'report' | 'files' | 'has_comparison'>>,
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
      report: row.report === null ? null : psdImportReportSchema.parse(JSON.parse(row.report)),
      files: row.files === null ? [] : names.parse(JSON.parse(row.files)),
      hasComparison: row.has_comparison === 1,
      createdAtMs: row.created_at_ms,
    }
  }
}

/** How large a part of a file has to be. */
export function partSize(sizeBytes: number, part: number): number {
  return Math.min(limits.psdPartBytes, sizeBytes - part * limits.psdPartBytes)
}

function partPrefix(id: string): string {
  return `${PREFIX}${id}/parts/`
}

function partKey(id: string, part: number): string {
  return `${partPrefix(id)}${part}`
}

export function runPrefix(id: string, run: number): string {
  return `${PREFIX}${id}/runs/${run}/`
}
