import { type KeyScope, limits } from '@vitrine/contract'
import { sql } from 'kysely'
import { readCreditsOfKeys } from '../credits/credit-days.ts'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { newId } from '../database/new-id.ts'
import { PeriodicFlush } from '../database/periodic-flush.ts'
import { type PreparedQuery, prepareQuery } from '../database/prepared-query.ts'
import { isAllowedAddress } from './allowed-addresses.ts'
import { buildApiKey, displayOfApiKey, hasApiKeyForm, hashApiKey, hasPublishableKeyForm } from './api-key-format.ts'
import {
  InvalidKeyLimitError,
  type KeyLimits,
  parseKeyName,
  readAddresses,
  readScopes,
  type StoredLimits,
  storeLimits,
} from './key-limits.ts'

/** The result of looking up a key. */
export type KeyCheck =
  /** A key without scopes may do everything. */
  | {
      readonly kind: 'accepted'
      readonly keyId: string
      readonly accountId: string
      readonly scopes: readonly KeyScope[] | null
    }
  /** Mistyped, unknown or revoked. */
  | { readonly kind: 'unknown' }
  /** A publishable key, which authenticates nothing here. */
  | { readonly kind: 'publishable' }
  | { readonly kind: 'expired'; readonly expiredAtMs: number }
  /** Used from an address that it does not allow, so it may have been stolen. */
  | { readonly kind: 'address-not-allowed'; readonly keyId: string }
  /** The key is valid, but its account is suspended. */
  | { readonly kind: 'suspended' }

/** The row read by a look-up. */
type KeyRow = {
  readonly keyId: string
  readonly accountId: string
  readonly expiresAtMs: number | null
  readonly scopes: string | null
  readonly allowedAddresses: string | null
  readonly suspendedAtMs: number | null
}

/** A key that was just created. This is the only time it can be read. */
export type MadeKey = { readonly keyId: string; readonly key: string; readonly display: string; readonly name: string }

/** A new key, and when the key that it replaces ends. */
export type RotatedKey = MadeKey & { readonly accountId: string; readonly oldEndsAtMs: number }

export type ApiKeyListing = {
  readonly keyId: string
  readonly name: string
  /** The key's first 7 characters. */
  readonly display: string
  readonly createdAtMs: number
  readonly revokedAtMs: number | null
  readonly status: 'active' | 'expired' | 'revoked'
  readonly expiresAtMs: number | null
  /** Null: all. */
  readonly scopes: readonly KeyScope[] | null
  /** Null: all. */
  readonly allowedAddresses: readonly string[] | null
  /** The key that replaces it. */
  readonly replacedByKeyId: string | null
  /** Exact to the minute. */
  readonly lastUsedAtMs: number | null
  readonly requestCount: number
  /** Net of refunds. */
  readonly creditsConsumed: number
}

export type KeyQuery = {
  readonly page?: number
  readonly limit?: number
  readonly search?: string
  readonly order?: 'newest' | 'name' | 'last-used'
  /** Only this key, if it belongs to the account. */
  readonly keyId?: string
}

export type KeyCount = { readonly total: number; readonly active: number }

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** Keys whose last written minute is cached; beyond this limit the oldest are evicted. */
const MAX_REMEMBERED_USES = 100_000

/**
 * The secret API keys of customers. A key is shown once; the database stores its SHA-256. There is no cache,
 * so a revocation by any process takes effect from the next request on.
 */
export class ApiKeys {
  readonly #database: Database
  readonly #clock: Clock
  readonly #ownerQuery: PreparedQuery<{ hash: string }, KeyRow>
  /** The last minute of use queued for writing, by key, oldest first. */
  readonly #usedMinute = new Map<string, number>()
  #unwritten = new Map<string, number>()
  readonly #flush: PeriodicFlush

  constructor(database: Database, { clock = Date.now, onError }: { clock?: Clock; onError: (error: unknown) => void }) {
    this.#database = database
    this.#clock = clock
    this.#ownerQuery = prepareQuery(slot =>
      database.queries
        .selectFrom('api_keys')
        .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
        .select(['api_keys.id as keyId', 'api_keys.account_id as accountId'])
        .select(['expires_at_ms as expiresAtMs', 'scopes', 'allowed_addresses as allowedAddresses'])
        .select('accounts.suspended_at_ms as suspendedAtMs')
        .where('key_hash', '=', slot('hash'))
        .where('revoked_at_ms', 'is', null),
    )
    this.#flush = new PeriodicFlush(() => this.#writeUses(), 1_000, onError)
  }

  /** Creates a key. @throws InvalidKeyNameError, InvalidKeyLimitError */
  async create({
    accountId,
    name,
    ...wanted
  }: { readonly accountId: string; readonly name: string } & KeyLimits): Promise<MadeKey> {
    const nowMs = this.#clock()
    const label = parseKeyName(name)
    const key = buildApiKey()
    const keyId = newId('key')
    const row = buildRow({ key, keyId, accountId, name: label, nowMs, limits: storeLimits(wanted, nowMs) })
    await this.#database.queries.insertInto('api_keys').values(row).execute()
    return madeKeyOf(key, keyId, label)
  }

  /**
   * Creates a replacement for a key, with its name, scopes and addresses. The old key works for another
   * `overlapMs`, or until it expires. Null if the account has no such key, or it has ended or already been
   * rotated.
   *
   * @param rotation.expiresAtMs of the new key; if undefined, it lives as long as the old one was created for
   * @throws InvalidKeyLimitError
   */
  async rotate({
    keyId,
    accountId,
    overlapMs = limits.keyOverlapHoursDefault * HOUR_MS,
    expiresAtMs,
  }: {
    readonly keyId: string
    readonly accountId?: string
    readonly overlapMs?: number | undefined
    readonly expiresAtMs?: number | null | undefined
  }): Promise<RotatedKey | null> {
    if (!(overlapMs >= 0 && overlapMs <= limits.keyOverlapHoursMax * HOUR_MS))
      throw new InvalidKeyLimitError(
        `Expected 0 to ${limits.keyOverlapHoursMax} hours for the overlap of the keys but received ${overlapMs / HOUR_MS}.`,
      )
    const nowMs = this.#clock()
    const key = buildApiKey()
    const newKeyId = newId('key')
    return this.#database.transaction(
      async transaction => {
        const old = await transaction.selectFrom('api_keys').selectAll().where('id', '=', keyId).executeTakeFirst()
        if (old === undefined || (accountId !== undefined && old.account_id !== accountId)) return null
        const { account_id, name, scopes, allowed_addresses, created_at_ms, expires_at_ms } = old
        const oldEndsAtMs = Math.min(nowMs + overlapMs, expires_at_ms ?? Number.POSITIVE_INFINITY)
        const rotated = { ...madeKeyOf(key, newKeyId, name), accountId: account_id, oldEndsAtMs }
        // A retry after a commit whose answer was lost.
        if (old.replaced_by_key_id === newKeyId) return rotated
        const inheritedMs = expires_at_ms === null ? null : nowMs + expires_at_ms - created_at_ms
        const ownLimits = storeLimits({ expiresAtMs: expiresAtMs === undefined ? inheritedMs : expiresAtMs }, nowMs)
        const stored = { ...ownLimits, scopes, allowed_addresses }
        const row = buildRow({ key, keyId: newKeyId, accountId: account_id, name, nowMs, limits: stored })
        const { numUpdatedRows } = await transaction
          .updateTable('api_keys')
          .set({ expires_at_ms: oldEndsAtMs, replaced_by_key_id: newKeyId })
          .where('id', '=', keyId)
          .where('revoked_at_ms', 'is', null)
          .where('replaced_by_key_id', 'is', null)
          .where(build => build.or([build('expires_at_ms', 'is', null), build('expires_at_ms', '>', nowMs)]))
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return null
        await transaction.insertInto('api_keys').values(row).execute()
        return rotated
      },
      { isRepeatable: true },
    )
  }

  /**
   * Looks up a key; a malformed one without the database.
   * @param clientAddress as from `clientAddressOf`
   */
  async authenticate(key: string, clientAddress: string): Promise<KeyCheck> {
    if (!hasApiKeyForm(key)) return { kind: hasPublishableKeyForm(key) ? 'publishable' : 'unknown' }
    const [row] = await this.#database.lookUp(this.#ownerQuery({ hash: hashApiKey(key) }))
    if (row === undefined) return { kind: 'unknown' }
    const { keyId, accountId, expiresAtMs, scopes, allowedAddresses, suspendedAtMs } = row
    if (expiresAtMs !== null && expiresAtMs <= this.#clock()) return { kind: 'expired', expiredAtMs: expiresAtMs }
    const allowed = readAddresses(allowedAddresses)
    if (allowed !== null && !isAllowedAddress(clientAddress, allowed)) return { kind: 'address-not-allowed', keyId }
    if (suspendedAtMs !== null) return { kind: 'suspended' }
    return { kind: 'accepted', keyId, accountId, scopes: readScopes(scopes) }
  }

  /** Revokes a key. False if the account has no such key, or it was already revoked. */
  async revoke({ keyId, accountId }: { readonly keyId: string; readonly accountId?: string }): Promise<boolean> {
    const result = await this.#database.queries
      .updateTable('api_keys')
      .set({ revoked_at_ms: this.#clock() })
      .where('id', '=', keyId)
      .where('revoked_at_ms', 'is', null)
      .$if(accountId !== undefined, query => query.where('account_id', '=', accountId ?? ''))
      .executeTakeFirst()
    return result.numUpdatedRows === 1n
  }

  /** The account of a key, including revoked keys; null if there is no such key. */
  async ownerOf(keyId: string): Promise<string | null> {
    const row = await this.#database.queries
      .selectFrom('api_keys')
      .select('account_id')
      .where('id', '=', keyId)
      .executeTakeFirst()
    return row?.account_id ?? null
  }

  /** Revokes all keys of an account. */
  async revokeAll(accountId: string): Promise<void> {
    await this.#database.queries
      .updateTable('api_keys')
      .set({ revoked_at_ms: this.#clock() })
      .where('account_id', '=', accountId)
      .where('revoked_at_ms', 'is', null)
      .execute()
  }

  /**
   * One page of the account's keys with their use, and the total number found. `search` is a case-insensitive
   * part of the name or of the displayed characters. `page` counts from 1.
   */
  async list(
    accountId: string,
    { page = 1, limit = 50, search = '', order = 'newest', keyId }: KeyQuery = {},
  ): Promise<{ readonly keys: ApiKeyListing[]; readonly total: number }> {
    const pattern = `%${search.toLowerCase().replaceAll(/[!%_]/g, '!$&')}%`
    // PostgreSQL rejects text with a zero byte, and no name contains one.
    if (search.includes('\0')) return { keys: [], total: 0 }
    const found = this.#database.queries
      .selectFrom('api_keys')
      .where('api_keys.account_id', '=', accountId)
      .$if(keyId !== undefined, query => query.where('api_keys.id', '=', keyId ?? ''))
      .$if(search !== '', query =>
        query.where(
          sql<boolean>`(lower(name) like ${pattern} escape '!' or lower(display) like ${pattern} escape '!')`,
        ),
      )
    const keys = await found
      .select(['id as keyId', 'name', 'display'])
      .select(['created_at_ms as createdAtMs', 'revoked_at_ms as revokedAtMs', 'last_used_at_ms as lastUsedAtMs'])
      .select(['expires_at_ms as expiresAtMs', 'scopes', 'allowed_addresses as allowedAddresses'])
      .select('replaced_by_key_id as replacedByKeyId')
      .$if(order === 'name', query => query.orderBy(sql`lower(name)`))
      .$if(order === 'last-used', query => query.orderBy(sql`coalesce(last_used_at_ms, 0)`, 'desc'))
      .orderBy('api_keys.created_at_ms', 'desc')
      .orderBy('api_keys.id')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute()
    const nowMs = this.#clock()
    const keyIds = keys.map(({ keyId }) => keyId)
    const [{ total }, requests, credits] = await Promise.all([
      found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
      this.#requestsOf(accountId, keyIds),
      readCreditsOfKeys(this.#database.queries, accountId, keyIds),
    ])
    return {
      keys: keys.map(key => ({
        ...key,
        status: statusOf(key, nowMs),
        scopes: readScopes(key.scopes),
        allowedAddresses: readAddresses(key.allowedAddresses),
        requestCount: requests.get(key.keyId) ?? 0,
        creditsConsumed: credits.get(key.keyId) ?? 0,
      })),
      total,
    }
  }

  async #requestsOf(accountId: string, keyIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (keyIds.length === 0) return new Map()
    const rows = await this.#database.queries
      .selectFrom('usage_days')
      .where('account_id', '=', accountId)
      .where('key_id', 'in', keyIds)
      .groupBy('key_id')
      .select(['key_id', sql<number>`sum(total)`.as('requests')])
      .execute()
    return new Map(rows.map(row => [row.key_id, row.requests]))
  }

  /**
   * The number of keys of each account, active ones being those that work; accounts without keys are omitted.
   */
  async count(accountIds: readonly string[]): Promise<ReadonlyMap<string, KeyCount>> {
    if (accountIds.length === 0) return new Map()
    const rows = await this.#database.queries
      .selectFrom('api_keys')
      .where('account_id', 'in', accountIds)
      .groupBy('account_id')
      .select(({ fn }) => [
        'account_id',
        fn.countAll<number>().as('total'),
        sql<number>`sum(case when revoked_at_ms is null and (expires_at_ms is null or expires_at_ms > ${this.#clock()})
          then 1 else 0 end)`.as('active'),
      ])
      .execute()
    return new Map(rows.map(({ account_id, total, active }) => [account_id, { total, active }]))
  }

  /** Records a use. It is written within a second, at most once a minute for each key. */
  touch(keyId: string): void {
    const minute = Math.floor(this.#clock() / MINUTE_MS)
    if (this.#usedMinute.get(keyId) === minute) return
    this.#usedMinute.delete(keyId)
    this.#usedMinute.set(keyId, minute)
    this.#unwritten.set(keyId, minute)
    const [oldest] = this.#usedMinute.keys()
    if (this.#usedMinute.size > MAX_REMEMBERED_USES && oldest !== undefined) this.#usedMinute.delete(oldest)
  }

  async flush(): Promise<void> {
    await this.#flush.now()
  }

  /** Writes the recorded uses and stops the timer. */
  async close(): Promise<void> {
    await this.#flush.stop()
  }

  async #writeUses(): Promise<void> {
    if (this.#unwritten.size === 0) return
    const uses = this.#unwritten
    this.#unwritten = new Map()
    try {
      await this.#database.transaction(async transaction => {
        // A consistent order: two nodes that lock rows in different orders would deadlock.
        for (const [keyId, minute] of [...uses].sort(([a], [b]) => (a < b ? -1 : 1))) {
          const usedAtMs = minute * MINUTE_MS
          await transaction
            .updateTable('api_keys')
            .set({ last_used_at_ms: usedAtMs })
            .where('id', '=', keyId)
            .where(build => build.or([build('last_used_at_ms', 'is', null), build('last_used_at_ms', '<', usedAtMs)]))
            .execute()
        }
      })
    } catch (error) {
      for (const [keyId, minute] of uses) {
        if (!this.#unwritten.has(keyId)) this.#unwritten.set(keyId, minute)
      }
      throw error
    }
  }
}

/** The row of a new key. */
function buildRow(made: {
  readonly key: string
  readonly keyId: string
  readonly accountId: string
  readonly name: string
  readonly nowMs: number
  readonly limits: StoredLimits
}) {
  return {
    id: made.keyId,
    account_id: made.accountId,
    name: made.name,
    key_hash: hashApiKey(made.key),
    display: displayOfApiKey(made.key),
    created_at_ms: made.nowMs,
    ...made.limits,
  }
}

function madeKeyOf(key: string, keyId: string, name: string): MadeKey {
  return { keyId, key, display: displayOfApiKey(key), name }
}

function statusOf(
  { revokedAtMs, expiresAtMs }: Pick<ApiKeyListing, 'revokedAtMs' | 'expiresAtMs'>,
  nowMs: number,
): ApiKeyListing['status'] {
  if (revokedAtMs !== null) return 'revoked'
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'expired' : 'active'
}
