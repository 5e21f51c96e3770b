import { type SelectQueryBuilder, sql } from 'kysely'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { PeriodicFlush } from '../database/periodic-flush.ts'
import type { Schema } from '../database/schema.ts'
import { UsageBuffer, type UsageRecord } from './usage-buffer.ts'

export type UsageStatistics = {
  readonly totalRequests: number
  readonly successfulRequests: number
  readonly failedRequests: number
  /** Net of refunds. */
  readonly creditsConsumed: number
  /** What was reserved or consumed and given back. */
  readonly creditsRefunded: number
  /** At most 10, by successful mockups, then by id. */
  readonly topTemplates: readonly { readonly templateId: string; readonly count: number }[]
  /** Every day of the period, ascending. `date` is UTC, `YYYY-MM-DD`. */
  readonly requestsByDay: readonly { readonly date: string; readonly count: number }[]
  /** Failed requests by error code, most frequent first. */
  readonly failuresByCode: readonly { readonly code: string; readonly count: number }[]
}

/** Whose requests are counted: one key's, or all of an account's (those of its dashboard included). */
export type UsageScope = { readonly accountId: string; readonly keyId?: string }

const dayMs = 86_400_000
const topTemplatesMax = 10

/** Counts of whole days are kept longer than the longest period that can be asked for. */
const keptDays = 400

/** Counts requests and credits by key and UTC day. They are written within a second: a crash loses at most that. */
export class Usage {
  readonly #database: Database
  readonly #clock: Clock
  #buffer = new UsageBuffer()
  readonly #flush: PeriodicFlush

  constructor(database: Database, { clock = Date.now, onError }: { clock?: Clock; onError: (error: unknown) => void }) {
    this.#database = database
    this.#clock = clock
    this.#flush = new PeriodicFlush(() => this.#write(), 500, onError)
  }

  /** Counts one authenticated request that has been answered. */
  record(record: UsageRecord): void {
    this.#buffer.add(record)
  }

  /** What the key, or the account, did in the last `days` UTC calendar days (1 to 365), today included. */
  async statistics(scope: UsageScope, days: number, nowMs: number = this.#clock()): Promise<UsageStatistics> {
    await this.#flush.now()
    const dates = Array.from({ length: days }, (_, i) => utcDay(nowMs - (days - 1 - i) * dayMs))
    const firstDay = dates[0] ?? utcDay(nowMs)
    const within = <Table extends 'usage_days' | 'usage_templates' | 'usage_failures', Row>(
      query: SelectQueryBuilder<Pick<Schema, Table>, Table, Row>,
    ) => {
      const ofAccount = sql<boolean>`account_id = ${scope.accountId} and day >= ${firstDay} and day <= ${utcDay(nowMs)}`
      return query.where(scope.keyId === undefined ? ofAccount : sql<boolean>`${ofAccount} and key_id = ${scope.keyId}`)
    }
    const sum = (column: string) => sql<number>`coalesce(sum(${sql.ref(column)}), 0)`
    const { queries } = this.#database
    const [byDay, templates, failures] = await Promise.all([
      within(
        queries
          .selectFrom('usage_days')
          .select('day')
          .select([
            sum('total').as('total'),
            sum('successful').as('successful'),
            sum('failed').as('failed'),
            sum('credits_consumed').as('consumed'),
            sum('credits_refunded').as('refunded'),
          ])
          .groupBy('day'),
      ).execute(),
      within(
        queries
          .selectFrom('usage_templates')
          .select(['template_id', sum('count').as('total')])
          .groupBy('template_id'),
      )
        .orderBy('total', 'desc')
        .orderBy('template_id')
        .limit(topTemplatesMax)
        .execute(),
      within(
        queries
          .selectFrom('usage_failures')
          .select(['code', sum('count').as('total')])
          .groupBy('code'),
      )
        .orderBy('total', 'desc')
        .orderBy('code')
        .execute(),
    ])
    const totals = new Map(byDay.map(row => [row.day, row.total]))
    const add = (pick: (row: (typeof byDay)[number]) => number) => byDay.reduce((total, row) => total + pick(row), 0)
    return {
      totalRequests: add(row => row.total),
      successfulRequests: add(row => row.successful),
      failedRequests: add(row => row.failed),
      creditsConsumed: add(row => row.consumed),
      creditsRefunded: add(row => row.refunded),
      topTemplates: templates.map(row => ({ templateId: row.template_id, count: row.total })),
      requestsByDay: dates.map(date => ({ date, count: totals.get(date) ?? 0 })),
      failuresByCode: failures.map(row => ({ code: row.code, count: row.total })),
    }
  }

  /** Writes what is counted so far. */
  async flush(): Promise<void> {
    await this.#flush.now()
  }

  /** Removes the counts of days that no period reaches any more. */
  async forgetOldDays(nowMs: number = this.#clock()): Promise<void> {
    const before = utcDay(nowMs - keptDays * dayMs)
    for (const table of ['usage_failures', 'usage_templates'] as const) {
      await this.#database.queries.deleteFrom(table).where('day', '<', before).execute()
    }
  }

  /** Writes what is counted and stops the timer. */
  async close(): Promise<void> {
    await this.#flush.stop()
  }

  async #write(): Promise<void> {
    if (this.#buffer.isEmpty) return
    const buffer = this.#buffer
    this.#buffer = new UsageBuffer()
    try {
      await this.#database.transaction(transaction => buffer.write(transaction))
    } catch (error) {
      buffer.merge(this.#buffer)
      this.#buffer = buffer
      throw error
    }
  }
}

function utcDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}
