import type { OpenSession } from '@vitrine/contract'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { nameBrowser } from './browser-name.ts'

/** Sessions in one list; any others can be ended together. */
const SESSIONS_LISTED = 100

/** An account's sessions without their tokens: the current one first, then by last use. */
export async function listOpenSessions(
  database: Database,
  { accountId, currentToken, nowMs }: { accountId: string; currentToken: string; nowMs: number },
): Promise<OpenSession[]> {
  const rows = await database.queries
    .selectFrom('sign_in_sessions')
    .selectAll()
    .where('user_id', '=', accountId)
    // The current one is always listed.
    .orderBy(sql`case when token = ${currentToken} then 0 else 1 end`)
    .orderBy('updated_at', 'desc')
    .limit(SESSIONS_LISTED)
    .execute()
  return rows
    .filter(row => new Date(row.expires_at).getTime() > nowMs)
    .map(row => ({
      id: row.id,
      browser: nameBrowser(row.user_agent),
      address: row.ip_address === '' ? null : row.ip_address,
      created_at: new Date(row.created_at).toISOString(),
      last_used_at: new Date(row.updated_at).toISOString(),
      current: row.token === currentToken,
    }))
    .sort((a, b) => Number(b.current) - Number(a.current))
}

/** Ends one session of an account. False if it has none with this id. */
export async function endSession(database: Database, accountId: string, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await database.queries
    .deleteFrom('sign_in_sessions')
    .where('user_id', '=', accountId)
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Ends all sessions of an account, except the one whose token is given. */
export async function endSessions(database: Database, accountId: string, exceptToken?: string): Promise<void> {
  await database.queries
    .deleteFrom('sign_in_sessions')
    .where('user_id', '=', accountId)
    .$if(exceptToken !== undefined, query => query.where('token', '<>', exceptToken ?? ''))
    .execute()
}
