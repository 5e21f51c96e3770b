import { sql } from 'kysely'
import { readCreditsOfKeys } from '../credits/credit-days.ts'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { newId } from '../database/new-id.ts'
import { PeriodicFlush } from '../database/periodic-flush.ts'
import { type PreparedQuery, prepareQuery } from '../database/prepared-query.ts'
import { buildApiKey, displayOfApiKey, hasApiKeyForm, hashApiKey } from './api-key-format.ts'

/** The account that a key belongs to. */
export type KeyOwner = { readonly keyId: string; readonly accountId: string }

export type ApiKeyListing = {
  readonly keyId: string
  readonly name: string
  /** The key's first 7 characters. */
  readonly display: string
  readonly createdAtMs: number
  readonly revokedAtMs: number | null
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
  /** This key alone, if the account has it. */
  readonly keyId?: string
}

export type KeyCount = { readonly total: number; readonly active: number }

/** The name for a key is missing or too long: the message is for the caller. */
export class InvalidKeyNameError extends Error {
  override readonly name = 'InvalidKeyNameError'
}

const MAX_NAME_LENGTH = 100
const MINUTE_MS = 60_000

/** Keys whose last written minute is remembered; beyond it the oldest are forgotten. */
const MAX_REMEMBERED_USES = 100_000

/**
 * The secret tokens that customers call with. A key is shown once; the database has its SHA-256. There is no
 * cache: a revocation by any process holds from the next request on.
 */
export class ApiKeys {
  readonly #database: Database
  readonly #clock: Clock
  readonly #ownerQuery: PreparedQuery<{ hash: string }, KeyOwner>
  /** The minute of each key's last use that was handed over for writing, oldest first. */
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
        .where('key_hash', '=', slot('hash'))
        .where('revoked_at_ms', 'is', null)
        .where('accounts.suspended_at_ms', 'is', null),
    )
    this.#flush = new PeriodicFlush(() => this.#writeUses(), 1_000, onError)
  }

  /** Makes a key. It can be read from the result and never again. @throws InvalidKeyNameError */
  async create({
    accountId,
    name,
  }: {
    readonly accountId: string
    readonly name: string
  }): Promise<{ readonly keyId: string; readonly key: string; readonly display: string }> {
    const label = name.trim().normalize('NFC')
    if (label.length === 0 || label.length > MAX_NAME_LENGTH || /\p{C}/u.test(label)) {
      throw new InvalidKeyNameError(
        `Expected a name of 1 to ${MAX_NAME_LENGTH} characters for the key but received another.`,
      )
    }
    const key = buildApiKey()
    const keyId = newId('key')
    const display = displayOfApiKey(key)
    await this.#database.queries
      .insertInto('api_keys')
      .values({
        id: keyId,
        account_id: accountId,
        name: label,
        key_hash: hashApiKey(key),
        display,
        created_at_ms: this.#clock(),
      })
      .execute()
    return { keyId, key, display }
  }

  /** Null for a mistyped key (without a look-up), an unknown or revoked one, or a suspended account's. */
  async authenticate(key: string): Promise<KeyOwner | null> {
    if (!hasApiKeyForm(key)) return null
    const [owner] = await this.#database.lookUp(this.#ownerQuery({ hash: hashApiKey(key) }))
    return owner === undefined ? null : { ...owner }
  }

  /** Ends a key for good. False when the account has no such key, or it was revoked before. */
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

  /** Ends all keys of an account for good. */
  async revokeAll(accountId: string): Promise<void> {
    await this.#database.queries
      .updateTable('api_keys')
      .set({ revoked_at_ms: this.#clock() })
      .where('account_id', '=', accountId)
      .where('revoked_at_ms', 'is', null)
      .execute()
  }

  /**
   * One page of the account's keys with their uses, and the number of keys found. `search` is a
   * case-insensitive part of the name or of the displayed characters. `page` counts from 1.
   */
  async list(
    accountId: string,
    { page = 1, limit = 50, search = '', order = 'newest', keyId }: KeyQuery = {},
  ): Promise<{ readonly keys: ApiKeyListing[]; readonly total: number }> {
    const pattern = `%${search.toLowerCase().replaceAll(/[!%_]/g, '!$&')}%`
    // PostgreSQL refuses text with a zero byte, and no name has one.
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
      .$if(order === 'name', query => query.orderBy(sql`lower(name)`))
      .$if(order === 'last-used', query => query.orderBy(sql`coalesce(last_used_at_ms, 0)`, 'desc'))
      .orderBy('api_keys.created_at_ms', 'desc')
      .orderBy('api_keys.id')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute()
    const keyIds = keys.map(({ keyId }) => keyId)
    const [{ total }, requests, credits] = await Promise.all([
      found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
      this.#requestsOf(accountId, keyIds),
      readCreditsOfKeys(this.#database.queries, accountId, keyIds),
    ])
    return {
      keys: keys.map(key => ({
        ...key,
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

  /** The number of keys of each account; accounts without keys are left out. Revoked keys are not active. */
  async count(accountIds: readonly string[]): Promise<ReadonlyMap<string, KeyCount>> {
    if (accountIds.length === 0) return new Map()
    const rows = await this.#database.queries
      .selectFrom('api_keys')
      .where('account_id', 'in', accountIds)
      .groupBy('account_id')
      .select(({ fn }) => [
        'account_id',
        fn.countAll<number>().as('total'),
        sql<number>`sum(case when revoked_at_ms is null then 1 else 0 end)`.as('active'),
      ])
      .execute()
    return new Map(rows.map(({ account_id, total, active }) => [account_id, { total, active }]))
  }

  /** Notes a use. It is written within a second, at most once a minute for each key. */
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

  /** Writes the noted uses and stops the timer. */
  async close(): Promise<void> {
    await this.#flush.stop()
  }

  async #writeUses(): Promise<void> {
    if (this.#unwritten.size === 0) return
    const uses = this.#unwritten
    this.#unwritten = new Map()
    try {
      await this.#database.transaction(async transaction => {
        // One order everywhere: two nodes that lock rows in different orders block each other.
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
