import { type QueryCreator, sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { PSD_IMPORTS_BYTES } from './limits.ts'

type Part = { readonly importId: string; readonly part: number; readonly sizeBytes: number }

/** PostgreSQL's sum is a numeric, which its driver reads as text. */
const partBytes = sql<number | string>`coalesce(sum(size_bytes), 0)`

/** Bytes of the received parts of all accounts' files. */
export async function bytesOfParts(queries: QueryCreator<Schema>): Promise<number> {
  const { bytes } = await queries.selectFrom('psd_import_parts').select(partBytes.as('bytes')).executeTakeFirstOrThrow()
  return Number(bytes)
}

/** Which parts of Photoshop files are stored or being received. */
export class PsdPartRows {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Records a part of an import that exists; one that arrives only if there is room. Parts that begin at the
   * same moment may exceed the room by their sizes. Returns whether the row was added, or is now stored.
   */
  async note({ importId, part, sizeBytes }: Part, state: 'arrives' | 'stored'): Promise<boolean> {
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

  async has({ importId, part }: Part): Promise<boolean> {
    const row = await this.#database.queries
      .selectFrom('psd_import_parts')
      .select('part')
      .where('import_id', '=', importId)
      .where('part', '=', part)
      .executeTakeFirst()
    return row !== undefined
  }

  /** Removes a part's row. `arriving`: only if it is not stored, since another request may have stored it. */
  async forget(importId: string, part: number, which: 'any' | 'arriving'): Promise<void> {
    await this.#database.queries
      .deleteFrom('psd_import_parts')
      .where('import_id', '=', importId)
      .where('part', '=', part)
      .$if(which === 'arriving', query => query.where('is_stored', '=', 0))
      .execute()
  }
}
