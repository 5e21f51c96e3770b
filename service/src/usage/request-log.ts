import { type ExpressionBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { PeriodicFlush } from '../database/periodic-flush.ts'
import type { Schema } from '../database/schema.ts'
import { DAY_MS } from './utc-day.ts'

/** One request with an account, answered or left by its client. */
export type LoggedRequest = {
  readonly accountId: string
  /** Null for a render of the dashboard. */
  readonly keyId: string | null
  readonly requestId: string
  /** Method and path. */
  readonly endpoint: string
  readonly templateIds: readonly string[]
  /** Unix time in milliseconds. */
  readonly atMs: number
  /** 499 where the client left before the answer began. */
  readonly status: number
  readonly code: string | null
  /** The error's sentence, as it was answered. */
  readonly reason: string | null
  readonly durationMs: number
  /** Net of what was given back. */
  readonly credits: number
  /** Whether an earlier answer was sent again, without a charge. */
  readonly isReplayed: boolean
}

/** With what the key is called; null for none, and for one that is gone. */
export type ListedRequest = LoggedRequest & {
  readonly keyName: string | null
  /** In a list of all accounts. */
  readonly accountEmail?: string | null
}

/** Which requests are listed. */
export type RequestFilter = {
  /** Undefined: of every account. */
  readonly accountId?: string | undefined
  /** Not older than this, in Unix milliseconds. */
  readonly sinceMs?: number | undefined
  /** Null: those of the dashboard. */
  readonly keyId?: string | null | undefined
  readonly outcome?: 'ok' | 'failed' | undefined
  readonly code?: string | undefined
  readonly templateId?: string | undefined
  readonly requestId?: string | undefined
}

/** Where a page ends: the next one begins after it. */
export type RequestPlace = { readonly atMs: number; readonly requestId: string }

/** Long enough to look into what a customer reports at the end of a month. */
const KEPT_MS = 30 * DAY_MS

/** Of each account, newest first: an account that asks without end fills no disk. */
const KEPT_PER_ACCOUNT = 50_000

/** After so many requests of an account its bound is looked at, which reads the index of what is kept. */
const REQUESTS_PER_LOOK = 2_000

/** Accounts that are counted at once; beyond, the count of the one that asked longest ago is dropped. */
const ACCOUNTS_COUNTED_MAX = 10_000

/** Requests that cost nothing, per account and write: a flood of refusals says nothing new. */
const UNPAID_PER_WRITE_MAX = 20

/** While the database is away, a node keeps at most so many; later ones are left out. */
const WAITING_MAX = 10_000

/** Characters of a reason: the rest of a longer one is in the answer alone. */
const REASON_LENGTH_MAX = 300

/** What is noted elsewhere for a request differs in time by less: its duration, and clocks of nodes. */
const LOGGED_APART_MS = 5 * 60_000

/** SQLite limits the parameters of a statement to 32,766; a row has twelve. */
const ROWS_PER_STATEMENT = 500

type Row = Schema['request_log']

/**
 * The newest requests of each account, for the people who sent them. They are written every half second: a
 * crash loses those of the last second. Neither bodies nor artwork nor addresses are in it.
 */
export class RequestLog {
  readonly #database: Database
  readonly #clock: Clock
  readonly #flush: PeriodicFlush
  #waiting: Row[] = []
  /** How many of the waiting ones cost nothing, by account. */
  #unpaidOf = new Map<string, number>()
  /** How many were written since the account's bound was looked at, by account, the last written last. */
  readonly #writtenOf = new Map<string, number>()

  constructor(database: Database, { clock = Date.now, onError }: { clock?: Clock; onError: (error: unknown) => void }) {
    this.#database = database
    this.#clock = clock
    this.#flush = new PeriodicFlush(() => this.#write(), 500, onError)
  }

  record(request: LoggedRequest): void {
    if (this.#waiting.length >= WAITING_MAX) return
    if (request.credits === 0) {
      const unpaid = this.#unpaidOf.get(request.accountId) ?? 0
      if (unpaid >= UNPAID_PER_WRITE_MAX) return
      this.#unpaidOf.set(request.accountId, unpaid + 1)
    }
    this.#waiting.push(rowOf(request))
  }

  async flush(): Promise<void> {
    await this.#flush.now()
  }

  /** One page, newest first, and where the next one begins; null after the last. */
  async list(
    filter: RequestFilter,
    { after, limit }: { readonly after: RequestPlace | null; readonly limit: number },
  ): Promise<{ readonly requests: ListedRequest[]; readonly next: RequestPlace | null }> {
    await this.#flush.now()
    const rows = await this.#database.queries
      .selectFrom('request_log')
      .leftJoin('api_keys', 'api_keys.id', 'request_log.key_id')
      .leftJoin('accounts', 'accounts.id', 'request_log.account_id')
      .selectAll('request_log')
      .select(['api_keys.name as key_name', 'accounts.email as account_email'])
      .where(expression => matches(filter, expression))
      .$if(after !== null, query =>
        query.where(sql<SqlBool>`(at_ms, request_id) < (${after?.atMs ?? 0}, ${after?.requestId ?? ''})`),
      )
      .orderBy('at_ms', 'desc')
      .orderBy('request_id', 'desc')
      .limit(limit + 1)
      .execute()
    const requests = rows.slice(0, limit).map(row => ({
      ...requestOf(row),
      keyName: row.key_name,
      ...(filter.accountId === undefined ? { accountEmail: row.account_email } : {}),
    }))
    const last = requests.at(-1)
    const next = rows.length > limit && last !== undefined ? { atMs: last.atMs, requestId: last.requestId } : null
    return { requests, next }
  }

  /**
   * The templates that requests named, by the request's id; those that are not listed any more are left out.
   * Reads the account's requests of the time between the first and the last of them: at most what is kept.
   */
  async templatesOf(
    accountId: string,
    requests: readonly { readonly id: string; readonly atMs: number }[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    if (requests.length === 0) return new Map()
    await this.#flush.now()
    const times = requests.map(({ atMs }) => atMs)
    const rows = await this.#database.queries
      .selectFrom('request_log')
      .select(['request_id', 'template_ids'])
      .where('account_id', '=', accountId)
      .where('at_ms', '>=', Math.min(...times) - LOGGED_APART_MS)
      .where('at_ms', '<=', Math.max(...times) + LOGGED_APART_MS)
      .where(
        'request_id',
        'in',
        requests.map(({ id }) => id),
      )
      .execute()
    return new Map(rows.map(row => [row.request_id, listedIds(row.template_ids)]))
  }

  /** Deletes what is older than it is kept. */
  async forgetOld(nowMs: number = this.#clock()): Promise<void> {
    await this.#database.queries
      .deleteFrom('request_log')
      .where('at_ms', '<', nowMs - KEPT_MS)
      .execute()
  }

  /** Deletes all requests of an account that is deleted. */
  async forgetAccount(accountId: string): Promise<void> {
    await this.#flush.now()
    await this.#database.queries.deleteFrom('request_log').where('account_id', '=', accountId).execute()
  }

  /** Writes what waits and stops the timer. */
  async close(): Promise<void> {
    await this.#flush.stop()
  }

  async #write(): Promise<void> {
    if (this.#waiting.length === 0) return
    const rows = this.#waiting
    this.#waiting = []
    this.#unpaidOf = new Map()
    try {
      await this.#database.transaction(transaction => insertRows(transaction, rows))
    } catch (error) {
      this.#waiting = [...rows, ...this.#waiting].slice(0, WAITING_MAX)
      throw error
    }
    for (const [accountId, { length }] of Map.groupBy(rows, row => row.account_id)) {
      const written = (this.#writtenOf.get(accountId) ?? 0) + length
      this.#writtenOf.delete(accountId)
      if (written >= REQUESTS_PER_LOOK) await this.#forgetBeyondBound(accountId)
      else this.#writtenOf.set(accountId, written)
    }
    for (const accountId of this.#writtenOf.keys()) {
      if (this.#writtenOf.size <= ACCOUNTS_COUNTED_MAX) break
      this.#writtenOf.delete(accountId)
    }
  }

  async #forgetBeyondBound(accountId: string): Promise<void> {
    const { queries } = this.#database
    const newestBeyond = await queries
      .selectFrom('request_log')
      .select('at_ms')
      .where('account_id', '=', accountId)
      .orderBy('at_ms', 'desc')
      .offset(KEPT_PER_ACCOUNT)
      .limit(1)
      .executeTakeFirst()
    if (newestBeyond === undefined) return
    await queries
      .deleteFrom('request_log')
      .where('account_id', '=', accountId)
      .where('at_ms', '<=', newestBeyond.at_ms)
      .execute()
  }
}

async function insertRows(transaction: Transaction<Schema>, rows: readonly Row[]): Promise<void> {
  for (let i = 0; i < rows.length; i += ROWS_PER_STATEMENT)
    await transaction
      .insertInto('request_log')
      .values(rows.slice(i, i + ROWS_PER_STATEMENT))
      // A write whose confirmation was lost is tried again.
      .onConflict(conflict => conflict.doNothing())
      .execute()
}

/** PostgreSQL stores no zero byte in a text. */
const storable = (text: string): string => text.replaceAll('\0', '')

function rowOf(request: LoggedRequest): Row {
  const { reason } = request
  return {
    account_id: request.accountId,
    at_ms: request.atMs,
    request_id: request.requestId,
    key_id: request.keyId ?? '',
    endpoint: storable(request.endpoint),
    template_ids: storable(request.templateIds.join(',')),
    status: request.status,
    code: request.code,
    reason: reason === null ? null : storable(reason).slice(0, REASON_LENGTH_MAX),
    duration_ms: Math.round(request.durationMs),
    credits: request.credits,
    replayed: request.isReplayed ? 1 : 0,
  }
}

function requestOf(row: Row): LoggedRequest {
  return {
    accountId: row.account_id,
    keyId: row.key_id === '' ? null : row.key_id,
    requestId: row.request_id,
    endpoint: row.endpoint,
    templateIds: listedIds(row.template_ids),
    atMs: row.at_ms,
    status: row.status,
    code: row.code,
    reason: row.reason,
    durationMs: row.duration_ms,
    credits: row.credits,
    isReplayed: row.replayed === 1,
  }
}

const listedIds = (text: string): string[] => (text === '' ? [] : text.split(','))

/** Matches a text as it stands. */
const literalPattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

function matches(
  { accountId, sinceMs, keyId, outcome, code, templateId, requestId }: RequestFilter,
  eb: ExpressionBuilder<Schema, 'request_log'>,
) {
  return eb.and([
    ...(accountId === undefined ? [] : [eb('request_log.account_id', '=', accountId)]),
    ...(sinceMs === undefined ? [] : [eb('at_ms', '>=', sinceMs)]),
    ...(keyId === undefined ? [] : [eb('key_id', '=', keyId ?? '')]),
    ...(outcome === undefined ? [] : [eb('status', outcome === 'ok' ? '<' : '>=', 300)]),
    ...(code === undefined ? [] : [eb('code', '=', code)]),
    ...(templateId === undefined
      ? []
      : [sql<SqlBool>`',' || template_ids || ',' like ${`%,${literalPattern(templateId)},%`} escape '\\'`]),
    ...(requestId === undefined ? [] : [eb('request_id', '=', requestId)]),
  ])
}
