import type { Queries, SealedBalance } from '../database/schema.ts'

/** The sealed balance at the end of an account's archive; null if nothing is archived. */
export async function readSealedBalance(queries: Queries, accountId: string): Promise<SealedBalance | null> {
  const sealed = await queries
    .selectFrom('sealed_balances')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('part', 'desc')
    .limit(1)
    .executeTakeFirst()
  return sealed ?? null
}
