import type { Database } from './database.ts'
import type { Transaction } from './schema.ts'

/**
 * Locks an account for operations that count and then insert. SQLite has one writer at a time anyway. Rows
 * that only reference the account can still be written.
 */
export async function lockAccount(
  { kind }: Pick<Database, 'kind'>,
  transaction: Transaction,
  accountId: string,
): Promise<void> {
  if (kind !== 'postgres') return
  await transaction.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
}
