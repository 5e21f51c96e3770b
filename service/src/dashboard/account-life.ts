import type { Database } from '../database/database.ts'
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

/**
 * Erases a person: sessions, sign-in data, keys, private templates, kept answers and the address. Ledger entries and daily counts
 * stay, for the books, under an id that names nobody any more. What was left of the credits can't be spent by anybody.
 * Repeated after a failure half-way, it goes on where it was.
 */
export async function deleteAccount(
  { database, accounts, apiKeys, templates, idempotency }: DashboardServices,
  accountId: string,
): Promise<void> {
  // First, so that nothing new begins: a suspended account has neither keys that work nor sessions.
  await accounts.suspend(accountId)
  await apiKeys.revokeAll(accountId)
  for (const templateId of await templates.ownedIds(accountId)) await templates.remove(templateId)
  await idempotency.forgetBeyondBounds(accountId, { maxAnswers: 0, maxBytes: 0 })
  await database.queries.deleteFrom('sign_in_users').where('id', '=', accountId).execute()
  await accounts.erase(accountId)
}
