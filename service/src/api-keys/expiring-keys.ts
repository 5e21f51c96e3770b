import { limits } from '@vitrine/contract'
import type { Database } from '../database/database.ts'

const DAY_MS = 86_400_000

/** A key that lives for less than twice the notice period was meant to be short-lived. */
const LIFE_MIN_NOTICES = 2

/** Keys per check. The next check takes the rest. */
const KEYS_PER_CHECK = 100

/** A key about to expire, and its account. */
export type ExpiringKey = {
  readonly keyId: string
  readonly name: string
  readonly display: string
  readonly expiresAtMs: number
  readonly email: string
}

/**
 * Keys that expire within the notice period and whose account was not notified. Each is returned once, to one
 * node, which notifies the account. Rotated keys are left out: they are meant to end.
 */
export async function takeExpiringKeys({ queries }: Database, nowMs: number): Promise<readonly ExpiringKey[]> {
  const noticeMs = limits.keyExpiryNoticeDays * DAY_MS
  const found = await queries
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(['api_keys.id as keyId', 'name', 'display', 'expires_at_ms', 'email'])
    .where('expires_at_ms', 'is not', null)
    .where('expiry_told_at_ms', 'is', null)
    .where('expires_at_ms', '>', nowMs)
    .where('expires_at_ms', '<=', nowMs + noticeMs)
    .where(build => build('expires_at_ms', '>=', build('api_keys.created_at_ms', '+', LIFE_MIN_NOTICES * noticeMs)))
    .where('revoked_at_ms', 'is', null)
    .where('replaced_by_key_id', 'is', null)
    .where('accounts.suspended_at_ms', 'is', null)
    .orderBy('expires_at_ms')
    .limit(KEYS_PER_CHECK)
    .execute()
  const taken: ExpiringKey[] = []
  for (const { expires_at_ms: expiresAtMs, ...key } of found) {
    const { numUpdatedRows } = await queries
      .updateTable('api_keys')
      .set({ expiry_told_at_ms: nowMs })
      .where('id', '=', key.keyId)
      .where('expiry_told_at_ms', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 1n && expiresAtMs !== null) taken.push({ ...key, expiresAtMs })
  }
  return taken
}
