import type { Account } from '../accounts/accounts.ts'
import type { Database } from '../database/database.ts'
import { DashboardError } from '../errors/dashboard-error.ts'
import type { DashboardServices } from './dashboard-services.ts'

export async function hasPassword(database: Database, accountId: string): Promise<boolean> {
  const row = await database.queries
    .selectFrom('sign_in_credentials')
    .select('id')
    .where('user_id', '=', accountId)
    .where('provider_id', '=', 'credential')
    .where('password', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Deleting an account requires typing its address. @throws DashboardError */
export function assertConfirmed(account: Account, typedEmail: string): void {
  if (typedEmail.trim().toLowerCase() === account.email.toLowerCase()) return
  throw new DashboardError('NOT_CONFIRMED', { message: `Type ${account.email} to confirm.` })
}

/**
 * Erases sessions, sign-in data, keys, private templates, favourites and tags, links to proofs with their
 * files, stored mockups, saved answers, the request log and the address. Ledger entries and daily counts stay
 * for accounting, under an anonymous id; remaining credits are lost. Can be repeated after a failure.
 */
export async function deleteAccount(
  {
    database,
    accounts,
    apiKeys,
    publishableKeys,
    templates,
    templateMarks,
    proofs,
    storedMockups,
    psdImportStore,
    idempotency,
    requestLog,
  }: DashboardServices,
  accountId: string,
): Promise<void> {
  // First, so that nothing new begins: keys and sessions of a suspended account do not work.
  await accounts.suspend(accountId)
  await apiKeys.revokeAll(accountId)
  await publishableKeys.revokeAll(accountId)
  for (const id of await templates.ownedIds(accountId)) await templates.remove({ id, ownerAccountId: accountId })
  await templateMarks.removeAll(accountId)
  await proofs.removeAll(accountId)
  await storedMockups.removeAll(accountId)
  await psdImportStore.removeAll(accountId)
  await idempotency.forgetBeyondBounds(accountId, { maxAnswers: 0, maxBytes: 0 })
  await requestLog.forgetAccount(accountId)
  await database.queries.deleteFrom('sign_in_users').where('id', '=', accountId).execute()
  await accounts.erase(accountId)
}
