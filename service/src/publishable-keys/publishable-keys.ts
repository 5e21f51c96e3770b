import { limits } from '@vitrine/contract'
import { type Selectable, sql } from 'kysely'
import { buildPublishableKey, hasPublishableKeyForm } from '../api-keys/api-key-format.ts'
import { parseKeyName } from '../api-keys/key-limits.ts'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { lockAccount } from '../database/lock-account.ts'
import { newId } from '../database/new-id.ts'
import type { Schema } from '../database/schema.ts'
import { OperatorError } from '../errors/operator-error.ts'
import { parsePageOrigin } from './page-origins.ts'
import { parseWatermark } from './watermark-text.ts'

/** The settings of a publishable key are invalid: the message is for the caller. */
export class InvalidPublishableKeyError extends OperatorError {
  override readonly name = 'InvalidPublishableKeyError'
}

/** What a publishable key opens. */
export type PublishableKey = {
  readonly keyId: string
  readonly accountId: string
  readonly name: string
  readonly key: string
  /** Origins of the pages that may use it, as from `parsePageOrigin`. */
  readonly origins: readonly string[]
  /** Null: all shared templates, including future ones. */
  readonly templateIds: readonly string[] | null
  /** Greatest width in pixels of what it opens. */
  readonly widthPx: number
  /** Drawn over the pictures; null for none. */
  readonly watermark: string | null
  readonly loadsPerDay: number
  readonly createdAtMs: number
  readonly revokedAtMs: number | null
}

/** The requested settings of a key. Missing ones have defaults. */
export type WantedPublishableKey = {
  readonly accountId: string
  readonly name: string
  readonly origins: readonly string[]
  readonly templateIds?: readonly string[] | null | undefined
  readonly widthPx?: number | undefined
  readonly watermark?: string | null | undefined
  readonly loadsPerDay?: number | undefined
}

/** All active keys, and the newest of the revoked. Each takes up to 9 KB: 900 KB in all. */
const LISTED_MAX = limits.publishableKeysMax

/**
 * The keys embedded in shops' pages. A key is a label, not a secret: it identifies the account, and what the
 * account lets pages show. It is stored in plain text, and opens only previews.
 */
export class PublishableKeys {
  readonly #database: Database
  readonly #clock: Clock

  constructor(database: Database, { clock = Date.now }: { clock?: Clock } = {}) {
    this.#database = database
    this.#clock = clock
  }

  /** Creates a key. @throws InvalidKeyNameError, InvalidPublishableKeyError */
  async create(wanted: WantedPublishableKey): Promise<PublishableKey> {
    const row = buildRow(wanted, this.#clock())
    await this.#database.transaction(async transaction => {
      await lockAccount(this.#database, transaction, wanted.accountId)
      const { count } = await transaction
        .selectFrom('publishable_keys')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('account_id', '=', wanted.accountId)
        .where('revoked_at_ms', 'is', null)
        .executeTakeFirstOrThrow()
      if (count >= limits.publishableKeysMax)
        throw new InvalidPublishableKeyError(
          `Expected at most ${limits.publishableKeysMax} active publishable keys of an account: revoke one first.`,
        )
      await transaction.insertInto('publishable_keys').values(row).execute()
    })
    return toKey(row)
  }

  /**
   * Changes the name and settings of an active key; its text stays. Null if the account has no such key.
   * @throws InvalidKeyNameError, InvalidPublishableKeyError
   */
  async change(keyId: string, wanted: WantedPublishableKey): Promise<PublishableKey | null> {
    const row = await this.#database.queries
      .updateTable('publishable_keys')
      .set(parseWanted(wanted))
      .where('id', '=', keyId)
      .where('account_id', '=', wanted.accountId)
      .where('revoked_at_ms', 'is', null)
      .returningAll()
      .executeTakeFirst()
    return row === undefined ? null : toKey(row)
  }

  /** The keys of an account, active ones first, then the newest. */
  async list(accountId: string): Promise<readonly PublishableKey[]> {
    const rows = await this.#database.queries
      .selectFrom('publishable_keys')
      .selectAll()
      .where('account_id', '=', accountId)
      // Active keys come first, so that a full list never omits them.
      .orderBy(sql`case when revoked_at_ms is null then 0 else 1 end`)
      .orderBy('created_at_ms', 'desc')
      .orderBy('id')
      .limit(LISTED_MAX)
      .execute()
    return rows.map(toKey)
  }

  /** Active keys that were made since a moment, the oldest first. */
  async madeSince(sinceMs: number, limit: number): Promise<readonly PublishableKey[]> {
    const rows = await this.#database.queries
      .selectFrom('publishable_keys')
      .selectAll()
      .where('created_at_ms', '>=', sinceMs)
      .where('revoked_at_ms', 'is', null)
      .orderBy('created_at_ms')
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(toKey)
  }

  /** Whether the account has a key with this id, active or revoked. */
  async has(accountId: string, keyId: string): Promise<boolean> {
    const row = await this.#database.queries
      .selectFrom('publishable_keys')
      .select('id')
      .where('id', '=', keyId)
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    return row !== undefined
  }

  /** The key with this text; null if it is mistyped, unknown, revoked, or of a suspended account. */
  async find(key: string): Promise<PublishableKey | null> {
    return hasPublishableKeyForm(key) ? this.#findActive('key_text', key) : null
  }

  /** The key with this id, as in `find`. */
  async findById(keyId: string): Promise<PublishableKey | null> {
    return /^pub_[0-9A-Za-z]{22}$/.test(keyId) ? this.#findActive('publishable_keys.id', keyId) : null
  }

  async #findActive(column: 'key_text' | 'publishable_keys.id', value: string): Promise<PublishableKey | null> {
    const row = await this.#database.queries
      .selectFrom('publishable_keys')
      .innerJoin('accounts', 'accounts.id', 'publishable_keys.account_id')
      .selectAll('publishable_keys')
      .where(column, '=', value)
      .where('revoked_at_ms', 'is', null)
      .where('accounts.suspended_at_ms', 'is', null)
      .executeTakeFirst()
    return row === undefined ? null : toKey(row)
  }

  /** Revokes a key. Returns its account; null if there is no such key, or it was already revoked. */
  async revoke({ keyId, accountId }: { readonly keyId: string; readonly accountId?: string }): Promise<string | null> {
    const row = await this.#database.queries
      .updateTable('publishable_keys')
      .set({ revoked_at_ms: this.#clock() })
      .where('id', '=', keyId)
      .where('revoked_at_ms', 'is', null)
      .$if(accountId !== undefined, query => query.where('account_id', '=', accountId ?? ''))
      .returning('account_id')
      .executeTakeFirst()
    return row?.account_id ?? null
  }

  /** Revokes all keys of an account. */
  async revokeAll(accountId: string): Promise<void> {
    await this.#database.queries
      .updateTable('publishable_keys')
      .set({ revoked_at_ms: this.#clock() })
      .where('account_id', '=', accountId)
      .where('revoked_at_ms', 'is', null)
      .execute()
  }
}

type Row = Selectable<Schema['publishable_keys']>

/** @throws InvalidKeyNameError, InvalidPublishableKeyError */
const buildRow = (wanted: WantedPublishableKey, nowMs: number): Row => ({
  id: newId('pub'),
  account_id: wanted.accountId,
  key_text: buildPublishableKey(),
  created_at_ms: nowMs,
  revoked_at_ms: null,
  ...parseWanted(wanted),
})

/** @throws InvalidKeyNameError, InvalidPublishableKeyError */
function parseWanted(wanted: WantedPublishableKey) {
  const { pageWidthPxMin, pageWidthPxMax, pageLoadsPerDayDefault, pageLoadsPerDayMax } = limits
  return {
    name: parseKeyName(wanted.name),
    origins: parseOrigins(wanted.origins).join(' '),
    template_ids: parseTemplateIds(wanted.templateIds ?? null)?.join(' ') ?? null,
    width_px: parseWhole('the width in pixels', wanted.widthPx ?? pageWidthPxMax, pageWidthPxMin, pageWidthPxMax),
    watermark: parseMark(wanted.watermark ?? null),
    loads_per_day: parseWhole('the loads per day', wanted.loadsPerDay ?? pageLoadsPerDayDefault, 1, pageLoadsPerDayMax),
  }
}

function parseWhole(what: string, value: number, least: number, greatest: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= greatest) return value
  throw new InvalidPublishableKeyError(
    `Expected a whole number from ${least} to ${greatest} for ${what} but received ${value}.`,
  )
}

function parseOrigins(written: readonly string[]): readonly string[] {
  const origins = written.map(text => {
    const origin = parsePageOrigin(text)
    if (origin !== null) return origin
    throw new InvalidPublishableKeyError(
      `Expected origins such as https://shop.example or http://localhost:* for the key's pages but received ${JSON.stringify(text.slice(0, 80))}.`,
    )
  })
  if (origins.length >= 1 && origins.length <= limits.pageOriginsMax) return [...new Set(origins)]
  throw new InvalidPublishableKeyError(
    `Expected 1 to ${limits.pageOriginsMax} origins for the key's pages but received ${origins.length}.`,
  )
}

function parseTemplateIds(ids: readonly string[] | null): readonly string[] | null {
  if (ids === null) return null
  const wrong = ids.find(id => !/^[a-z0-9-]{2,64}$/.test(id))
  if (wrong !== undefined)
    throw new InvalidPublishableKeyError(
      `Expected ids of templates for the key's templates but received ${JSON.stringify(wrong.slice(0, 80))}.`,
    )
  if (ids.length >= 1 && ids.length <= limits.pageTemplatesMax) return [...new Set(ids)]
  throw new InvalidPublishableKeyError(
    `Expected 1 to ${limits.pageTemplatesMax} of the key's templates, or none named for all shared ones, but received ${ids.length}.`,
  )
}

function parseMark(text: string | null): string | null {
  const mark = parseWatermark(text ?? '')
  if (mark !== null) return mark === '' ? null : mark
  throw new InvalidPublishableKeyError(
    `Expected at most ${limits.watermarkCharactersMax} Latin letters, digits and common signs for the watermark but received ${JSON.stringify((text ?? '').slice(0, 80))}.`,
  )
}

function toKey(row: Row): PublishableKey {
  return {
    keyId: row.id,
    accountId: row.account_id,
    name: row.name,
    key: row.key_text,
    origins: row.origins.split(' '),
    templateIds: row.template_ids?.split(' ') ?? null,
    widthPx: row.width_px,
    watermark: row.watermark,
    loadsPerDay: row.loads_per_day,
    createdAtMs: row.created_at_ms,
    revokedAtMs: row.revoked_at_ms,
  }
}
