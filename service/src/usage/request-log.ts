import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { PeriodicFlush } from '../database/periodic-flush.ts'
import type { Schema, Transaction } from '../database/schema.ts'
import { DAY_MS } from './utc-day.ts'

/** A request with an account, whether answered or abandoned by its client. */
export type LoggedRequest = {
  readonly accountId: string
  /** Null for a render from the dashboard. */
  readonly keyId: string | null
  readonly requestId: string
  /** Method and path. */
  readonly endpoint: string
  readonly templateIds: readonly string[]
  /** Unix time in milliseconds. */
  readonly atMs: number
  /** 499 if the client left before the answer began. */
  readonly status: number
  readonly code: string | null
  /** The message of the error that was answered. */
  readonly reason: string | null
  readonly durationMs: number
  /** Net of refunds. */
  readonly credits: number
  /** Whether a saved answer was sent again, without a charge. */
  readonly isReplayed: boolean
}

/** With the key's name; null if there is no key, or it no longer exists. */
export type ListedRequest = LoggedRequest & {
  readonly keyName: string | null
  /** In a list of all accounts. */
  readonly accountEmail?: string | null
}

/** Filters a list of requests. */
export type RequestFilter = {
  /** Undefined: of every account. */
  readonly accountId?: string | undefined
  /** Not older than this, in Unix milliseconds. */
  readonly sinceMs?: number | undefined
  /** Null: those from the dashboard. */
  readonly keyId?: string | null | undefined
  readonly outcome?: 'ok' | 'failed' | undefined
  readonly code?: string | undefined
  readonly templateId?: string | undefined
  readonly requestId?: string | undefined
}

/** A cursor: the end of a page, after which the next one begins. */
export type RequestPlace = { readonly atMs: number; readonly requestId: string }

/** Long enough to look into what a customer reports at the end of a month. */
const RETAINED_MS = 30 * DAY_MS

/** Per account, newest first, so that an account with endless requests cannot fill the disk. */
const RETAINED_PER_ACCOUNT = 50_000

/** The limit of an account is checked after this many of its requests, since a check reads an index. */
const REQUESTS_PER_CHECK = 2_000

/** Accounts with counts in memory; beyond them the count of the least recently active one is dropped. */
const ACCOUNTS_COUNTED_MAX = 10_000

/** Free requests logged per account and write: a flood of refusals adds no information. */
const UNPAID_PER_WRITE_MAX = 20

/** The most requests a node buffers while the database is unavailable; later ones are not logged. */
const WAITING_MAX = 10_000

/** Characters of a reason: a longer one is only complete in the answer. */
const REASON_LENGTH_MAX = 300

/** Bound on the difference between times recorded for a request: its duration, and the nodes' clocks. */
const LOG_TIME_TOLERANCE_MS = 5 * 60_000

/** SQLite limits the parameters of a statement to 32,766; a row has twelve. */
const ROWS_PER_STATEMENT = 500

type Row = Schema['request_log']

/**
 * The newest requests of each account, for their senders. They are written every half second: a crash loses
 * those of the last second. Bodies, artwork and addresses are not logged.
 */
export class RequestLog {
  readonly #database: Database
  readonly #clock: Clock
  readonly #flush: PeriodicFlush
  #waiting: Row[] = []
  /** The number of buffered free requests, by account. */
  #unpaidOf = new Map<string, number>()
  /** Requests written since the account's limit was last checked, by account, most recently written last. */
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

  /** One page, newest first, and the cursor of the next one; null after the last. */
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
   * The templates of requests, by request id; requests no longer in the log are omitted. Reads the account's
   * log between the first and the last of them.
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
      .where('at_ms', '>=', Math.min(...times) - LOG_TIME_TOLERANCE_MS)
      .where('at_ms', '<=', Math.max(...times) + LOG_TIME_TOLERANCE_MS)
      .where(
        'request_id',
        'in',
        requests.map(({ id }) => id),
      )
      .execute()
    return new Map(rows.map(row => [row.request_id, listedIds(row.template_ids)]))
  }

  /** Deletes requests older than the retention time. */
  async forgetOld(nowMs: number = this.#clock()): Promise<void> {
    await this.#database.queries
      .deleteFrom('request_log')
      .where('at_ms', '<', nowMs - RETAINED_MS)
      .execute()
  }

  /** Deletes all requests of a deleted account. */
  async forgetAccount(accountId: string): Promise<void> {
    await this.#flush.now()
    await this.#database.queries.deleteFrom('request_log').where('account_id', '=', accountId).execute()
  }

  /** Writes the buffer and stops the timer. */
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
      if (written >= REQUESTS_PER_CHECK) await this.#forgetBeyondBound(accountId)
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
      .offset(RETAINED_PER_ACCOUNT)
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

async function insertRows(transaction: Transaction, rows: readonly Row[]): Promise<void> {
  for (let i = 0; i < rows.length; i += ROWS_PER_STATEMENT)
    await transaction
      .insertInto('request_log')
      .values(rows.slice(i, i + ROWS_PER_STATEMENT))
      // A write whose confirmation was lost is retried.
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

/** Escapes a text for `like`. */
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
