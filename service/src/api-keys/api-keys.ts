import { sql } from 'kysely'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { newId } from '../database/new-id.ts'
import { PeriodicFlush } from '../database/periodic-flush.ts'
import { buildApiKey, displayOfApiKey, hasApiKeyForm, hashApiKey } from './api-key-format.ts'

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

/** The name for a key is missing or too long: the message is for the caller. */
export class InvalidKeyName extends Error {
  override name = 'InvalidKeyName'
}

const maxNameLength = 100
const minuteMs = 60_000

/** A key used within the minute before is not written again; these many are remembered before the oldest are forgotten. */
const maxRememberedUses = 100_000

/**
 * The secret tokens that customers call with. A key is shown once, at its creation; the database has its SHA-256.
 *
 * Every call asks the database, by an indexed look-up: so a revocation made anywhere (another process beside this one,
 * another node) holds from the next request on, and there is no cache to be wrong.
 */
export class ApiKeys {
  readonly #database: Database
  readonly #clock: Clock
  /** The minute of each key's last use that was handed over for writing, oldest first. */
  readonly #usedMinute = new Map<string, number>()
  #unwritten = new Map<string, number>()
  readonly #flush: PeriodicFlush

  constructor(database: Database, { clock = Date.now, onError }: { clock?: Clock; onError: (error: unknown) => void }) {
    this.#database = database
    this.#clock = clock
    this.#flush = new PeriodicFlush(() => this.#writeUses(), 1_000, onError)
  }

  /** Makes a key. It can be read from the result and never again. @throws InvalidKeyName */
  async create({ accountId, name }: { readonly accountId: string; readonly name: string }): Promise<{
    readonly keyId: string
    readonly key: string
    readonly display: string
  }> {
    const label = name.trim().normalize('NFC')
    if (label.length === 0 || label.length > maxNameLength || /\p{C}/u.test(label)) {
      throw new InvalidKeyName(`Expected a name of 1 to ${maxNameLength} characters for the key but received another.`)
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
        revoked_at_ms: null,
        last_used_at_ms: null,
      })
      .execute()
    return { keyId, key, display }
  }

  /** Whose key this is; null when it is mistyped (which needs no look-up), unknown or revoked, or its account is suspended. */
  async authenticate(key: string): Promise<{ readonly keyId: string; readonly accountId: string } | null> {
    if (!hasApiKeyForm(key)) return null
    const row = await this.#database.queries
      .selectFrom('api_keys')
      .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
      .select(['api_keys.id', 'api_keys.account_id'])
      .where('key_hash', '=', hashApiKey(key))
      .where('revoked_at_ms', 'is', null)
      .where('accounts.suspended_at_ms', 'is', null)
      .executeTakeFirst()
    return row ? { keyId: row.id, accountId: row.account_id } : null
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

  /** The account's keys, newest first, with what each has done. */
  async list(accountId: string): Promise<ApiKeyListing[]> {
    const rows = await this.#database.queries
      .selectFrom('api_keys')
      .leftJoin('usage_days', join =>
        join.onRef('usage_days.account_id', '=', 'api_keys.account_id').onRef('usage_days.key_id', '=', 'api_keys.id'),
      )
      .where('api_keys.account_id', '=', accountId)
      .groupBy('api_keys.id')
      .selectAll('api_keys')
      .select([
        sql<number>`coalesce(sum(usage_days.total), 0)`.as('request_count'),
        sql<number>`coalesce(sum(usage_days.credits_consumed), 0)`.as('credits_consumed'),
      ])
      .orderBy('api_keys.created_at_ms', 'desc')
      .orderBy('api_keys.id')
      .execute()
    return rows.map(row => ({
      keyId: row.id,
      name: row.name,
      display: row.display,
      createdAtMs: row.created_at_ms,
      revokedAtMs: row.revoked_at_ms,
      lastUsedAtMs: row.last_used_at_ms,
      requestCount: row.request_count,
      creditsConsumed: row.credits_consumed,
    }))
  }

  /** How many keys of the account work. */
  async countActive(accountId: string): Promise<number> {
    const row = await this.#database.queries
      .selectFrom('api_keys')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('revoked_at_ms', 'is', null)
      .executeTakeFirstOrThrow()
    return row.count
  }

  /** Notes a use. It is written within a second, and at most once a minute for each key. */
  touch(keyId: string): void {
    const minute = Math.floor(this.#clock() / minuteMs)
    if (this.#usedMinute.get(keyId) === minute) return
    this.#usedMinute.delete(keyId)
    this.#usedMinute.set(keyId, minute)
    this.#unwritten.set(keyId, minute)
    const [oldest] = this.#usedMinute.keys()
    if (this.#usedMinute.size > maxRememberedUses && oldest !== undefined) this.#usedMinute.delete(oldest)
  }

  /** Writes the uses that are noted. */
  async flush(): Promise<void> {
    await this.#flush.now()
  }

  /** Writes what is noted and stops the timer. */
  async close(): Promise<void> {
    await this.#flush.stop()
  }

  async #writeUses(): Promise<void> {
    if (this.#unwritten.size === 0) return
    const uses = this.#unwritten
    this.#unwritten = new Map()
    try {
      await this.#database.transaction(async transaction => {
        // In one order everywhere: two nodes that lock rows in different orders wait for each other.
        for (const [keyId, minute] of [...uses].sort(([a], [b]) => (a < b ? -1 : 1))) {
          const usedAtMs = minute * minuteMs
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
