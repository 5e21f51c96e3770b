import { sql, type Transaction } from 'kysely'
import type { Schema } from '../database/schema.ts'

export type UsageRecord = {
  readonly accountId: string
  /** Null for a render in the dashboard. */
  readonly keyId: string | null
  /** The HTTP status that was answered: 2xx is a success. */
  readonly status: number
  /** The error code of an answer that was no success. */
  readonly code?: string
  /** The templates that were rendered and delivered, one for each mockup. */
  readonly templateIds: readonly string[]
  readonly creditsConsumed: number
  /** What was reserved for the request and given back. */
  readonly creditsRefunded: number
  readonly atMs: number
}

type DayCounts = { total: number; successful: number; failed: number; consumed: number; refunded: number }

/** So many rows go in one statement: SQLite and PostgreSQL limit its parameters to 32,766 and 65,535. */
const rowsPerStatement = 500

const DAY_MS = 86_400_000

const separator = '\u0000' // in no id, day or code

/** Counts that are not written yet, added up so that a busy second is a handful of rows. */
export class UsageBuffer {
  readonly #days = new Map<string, DayCounts>()
  readonly #failures = new Map<string, number>()
  readonly #templates = new Map<string, number>()
  #dayNumber = Number.NaN
  #day = ''

  get isEmpty(): boolean {
    return this.#days.size === 0
  }

  add(record: UsageRecord): void {
    const day = this.#utcDay(record.atMs)
    const key = [record.accountId, record.keyId ?? '', day].join(separator)
    const isSuccess = record.status >= 200 && record.status < 300
    this.#addDay(key, {
      total: 1,
      successful: isSuccess ? 1 : 0,
      failed: isSuccess ? 0 : 1,
      consumed: record.creditsConsumed,
      refunded: record.creditsRefunded,
    })
    if (!isSuccess) increase(this.#failures, key + separator + (record.code ?? 'UNKNOWN'), 1)
    if (isSuccess) for (const id of record.templateIds) increase(this.#templates, key + separator + id, 1)
  }

  /** Takes over the counts of a later buffer, after this one could not be written. */
  merge(later: UsageBuffer): void {
    for (const [key, counts] of later.#days) this.#addDay(key, counts)
    for (const [key, count] of later.#failures) increase(this.#failures, key, count)
    for (const [key, count] of later.#templates) increase(this.#templates, key, count)
  }

  async write(transaction: Transaction<Schema>): Promise<void> {
    // Rows in one order everywhere: two nodes that lock rows in different orders wait for each other.
    const days = sorted(this.#days).map(([key, counts]) => {
      const [account_id = '', key_id = '', day = ''] = key.split(separator)
      const { total, successful, failed, consumed, refunded } = counts
      return {
        account_id,
        key_id,
        day,
        total,
        successful,
        failed,
        credits_consumed: consumed,
        credits_refunded: refunded,
      }
    })
    for (const values of chunks(days)) {
      await transaction
        .insertInto('usage_days')
        .values(values)
        .onConflict(conflict =>
          conflict.columns(['account_id', 'key_id', 'day']).doUpdateSet({
            total: sql`usage_days.total + excluded.total`,
            successful: sql`usage_days.successful + excluded.successful`,
            failed: sql`usage_days.failed + excluded.failed`,
            credits_consumed: sql`usage_days.credits_consumed + excluded.credits_consumed`,
            credits_refunded: sql`usage_days.credits_refunded + excluded.credits_refunded`,
          }),
        )
        .execute()
    }
    const failures = sorted(this.#failures).map(([key, count]) => {
      const [account_id = '', key_id = '', day = '', code = ''] = key.split(separator)
      return { account_id, key_id, day, code, count }
    })
    for (const values of chunks(failures)) {
      await transaction
        .insertInto('usage_failures')
        .values(values)
        .onConflict(conflict =>
          conflict
            .columns(['account_id', 'key_id', 'day', 'code'])
            .doUpdateSet({ count: sql`usage_failures.count + excluded.count` }),
        )
        .execute()
    }
    const templates = sorted(this.#templates).map(([key, count]) => {
      const [account_id = '', key_id = '', day = '', template_id = ''] = key.split(separator)
      return { account_id, key_id, day, template_id, count }
    })
    for (const values of chunks(templates)) {
      await transaction
        .insertInto('usage_templates')
        .values(values)
        .onConflict(conflict =>
          conflict
            .columns(['account_id', 'key_id', 'day', 'template_id'])
            .doUpdateSet({ count: sql`usage_templates.count + excluded.count` }),
        )
        .execute()
    }
  }

  /** The UTC calendar day of a time, written once a day. */
  #utcDay(atMs: number): string {
    if (Math.floor(atMs / DAY_MS) !== this.#dayNumber) {
      this.#dayNumber = Math.floor(atMs / DAY_MS)
      this.#day = new Date(atMs).toISOString().slice(0, 10)
    }
    return this.#day
  }

  #addDay(key: string, counts: DayCounts): void {
    const known = this.#days.get(key)
    if (!known) {
      this.#days.set(key, { ...counts })
      return
    }
    known.total += counts.total
    known.successful += counts.successful
    known.failed += counts.failed
    known.consumed += counts.consumed
    known.refunded += counts.refunded
  }
}

function increase(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}

function sorted<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1))
}

function* chunks<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let i = 0; i < rows.length; i += rowsPerStatement) yield rows.slice(i, i + rowsPerStatement)
}
