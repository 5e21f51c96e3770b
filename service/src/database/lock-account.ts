import type { Transaction } from 'kysely'
import type { Database } from './database.ts'
import type { Schema } from './schema.ts'

/**
 * What counts and then inserts for an account waits for the others that do. SQLite has one writer at a time.
 * Rows that only refer to the account are written meanwhile.
 */
export async function lockAccount(
  { kind }: Pick<Database, 'kind'>,
  transaction: Transaction<Schema>,
  accountId: string,
): Promise<void> {
  if (kind !== 'postgres') return
  await transaction.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
}
