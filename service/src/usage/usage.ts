import { sql } from 'kysely'
import { type CreditScope, readCreditDays } from '../credits/credit-days.ts'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { PeriodicFlush } from '../database/periodic-flush.ts'
import { countMockupsByDay, countTopTemplates } from './mockup-counts.ts'
import { UsageBuffer } from './usage-buffer.ts'
import type { UsageRecord } from './usage-record.ts'
import { DAY_MS, utcDay } from './utc-day.ts'

export type UsageDay = {
  /** UTC, `YYYY-MM-DD`. */
  readonly date: string
  readonly requests: number
  readonly succeeded: number
  readonly failed: number
  /** Delivered mockups. */
  readonly mockups: number
  /** Net of refunds. */
  readonly creditsConsumed: number
  /** Credits that were reserved or consumed and then given back. */
  readonly creditsRefunded: number
}

export type UsageStatistics = {
  /** Every day of the period, ascending. */
  readonly days: readonly UsageDay[]
  readonly totals: Omit<UsageDay, 'date'>
  /** At most 10, by successful mockups, then by id. */
  readonly topTemplates: readonly { readonly templateId: string; readonly count: number }[]
  /** Failed requests by error code, most frequent first. */
  readonly failuresByCode: readonly { readonly code: string; readonly count: number }[]
}

const MAX_TOP_TEMPLATES = 10

/** Counts by error code and template are retained longer than the longest period of a query. */
const RETAINED_DAYS = 400

/**
 * Usage by key and UTC day. Requests are counted in memory and written every half second: a crash loses those
 * of the last second. Credits come from the ledger.
 */
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

  record(record: UsageRecord): void {
    this.#buffer.add(record)
  }

  /** The usage of the last `dayCount` UTC days (1 to 365), including today. */
  async statistics(scope: CreditScope, dayCount: number, nowMs: number = this.#clock()): Promise<UsageStatistics> {
    await this.#flush.now()
    const dates = Array.from({ length: dayCount }, (_, i) => utcDay(nowMs - (dayCount - 1 - i) * DAY_MS))
    const [firstDay = '', lastDay = ''] = [dates[0], dates.at(-1)]
    const ofKey = scope.keyId === undefined ? sql`` : sql` and key_id = ${scope.keyId ?? ''}`
    const isCounted = sql<boolean>`account_id = ${scope.accountId} and day >= ${firstDay} and day <= ${lastDay}${ofKey}`
    const sum = (column: string) => sql<number>`sum(${sql.ref(column)})`
    const { queries } = this.#database
    const [requestDays, creditDays, mockupsOn, topTemplates, failures] = await Promise.all([
      queries
        .selectFrom('usage_days')
        .select(['day', sum('total').as('total'), sum('successful').as('successful'), sum('failed').as('failed')])
        .where(isCounted)
        .groupBy('day')
        .execute(),
      readCreditDays(queries, scope, firstDay, lastDay),
      countMockupsByDay(queries, scope, firstDay, lastDay),
      countTopTemplates(queries, scope, firstDay, lastDay, MAX_TOP_TEMPLATES),
      queries
        .selectFrom('usage_failures')
        .select(['code', sum('count').as('count')])
        .where(isCounted)
        .groupBy('code')
        .orderBy(sum('count'), 'desc')
        .orderBy('code')
        .execute(),
    ])
    const requestsOn = new Map(requestDays.map(row => [row.day, row]))
    const creditsOn = new Map(creditDays.map(row => [row.day, row]))
    const days = dates.map(date => ({
      date,
      requests: requestsOn.get(date)?.total ?? 0,
      succeeded: requestsOn.get(date)?.successful ?? 0,
      failed: requestsOn.get(date)?.failed ?? 0,
      mockups: mockupsOn.get(date) ?? 0,
      creditsConsumed: creditsOn.get(date)?.consumed ?? 0,
      creditsRefunded: creditsOn.get(date)?.refunded ?? 0,
    }))
    const total = (of: (day: UsageDay) => number) => days.reduce((sum, day) => sum + of(day), 0)
    return {
      days,
      totals: {
        requests: total(day => day.requests),
        succeeded: total(day => day.succeeded),
        failed: total(day => day.failed),
        mockups: total(day => day.mockups),
        creditsConsumed: total(day => day.creditsConsumed),
        creditsRefunded: total(day => day.creditsRefunded),
      },
      topTemplates,
      failuresByCode: failures,
    }
  }

  async flush(): Promise<void> {
    await this.#flush.now()
  }

  /** Deletes the counts by error code and template of days that no period includes any more. */
  async forgetOldDays(nowMs: number = this.#clock()): Promise<void> {
    const before = utcDay(nowMs - RETAINED_DAYS * DAY_MS)
    for (const table of ['usage_failures', 'usage_templates'] as const) {
      await this.#database.queries.deleteFrom(table).where('day', '<', before).execute()
    }
    // A month sorts before its days, so it is deleted when its last day is.
    await this.#database.queries.deleteFrom('usage_sums').where('span', '<', before.slice(0, 7)).execute()
  }

  /** Writes the counts and stops the timer. */
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
