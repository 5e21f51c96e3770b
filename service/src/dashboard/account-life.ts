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

/** Ends every session of an account. */
export async function endSessions(database: Database, accountId: string): Promise<void> {
  await database.queries.deleteFrom('sign_in_sessions').where('user_id', '=', accountId).execute()
}

/**
 * Erases a person: sessions, sign-in data, keys, private templates and the address. Ledger entries and daily counts stay, for
 * the books, under an id that names nobody any more. What was left of the credits can't be spent by anybody.
 */
export async function deleteAccount(
  { database, accounts, apiKeys, templates }: DashboardServices,
  accountId: string,
): Promise<void> {
  for (const key of await apiKeys.list(accountId)) await apiKeys.revoke({ keyId: key.keyId, accountId })
  for (const templateId of await templates.ownedIds(accountId)) await templates.remove(templateId)
  await database.queries.deleteFrom('sign_in_users').where('id', '=', accountId).execute()
  await accounts.erase(accountId)
}
