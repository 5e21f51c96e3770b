import { sql } from 'kysely'
import type { Transaction } from '../database/schema.ts'
import type { UsageRecord } from './usage-record.ts'
import { DAY_MS, utcDay } from './utc-day.ts'

const tableNames = ['usage_days', 'usage_failures', 'usage_templates'] as const
type UsageTable = (typeof tableNames)[number]

/** One row of a table: the columns of its primary key, and the counts to add. */
type UsageRow = { readonly key: Readonly<Record<string, string>>; readonly counts: Record<string, number> }

/** SQLite and PostgreSQL limit the parameters of a statement to 32,766 and 65,535. */
const ROWS_PER_STATEMENT = 500

/** Counts that are not written yet, summed by row. */
export class UsageBuffer {
  /** The rows of each table by the values of their primary key. */
  readonly #tables: Readonly<Record<UsageTable, Map<string, UsageRow>>> = {
    usage_days: new Map(),
    usage_failures: new Map(),
    usage_templates: new Map(),
  }

  /** The day of the last record, which is usually also that of the next. */
  #day = { index: Number.NaN, text: '' }

  get isEmpty(): boolean {
    return this.#tables.usage_days.size === 0
  }

  add({ accountId, keyId, status, code, templateIds, atMs }: UsageRecord): void {
    const key = { account_id: accountId, key_id: keyId ?? '', day: this.#dayOf(atMs) }
    const id = `${key.account_id}\0${key.key_id}\0${key.day}` // no zero byte in an id, day or code
    if (status >= 200 && status < 300) {
      this.#count('usage_days', id, { key, counts: { total: 1, successful: 1, failed: 0 } })
      for (const template_id of templateIds)
        this.#count('usage_templates', `${id}\0${template_id}`, { key: { ...key, template_id }, counts: { count: 1 } })
    } else {
      const failure = code ?? 'UNKNOWN'
      this.#count('usage_days', id, { key, counts: { total: 1, successful: 0, failed: 1 } })
      this.#count('usage_failures', `${id}\0${failure}`, { key: { ...key, code: failure }, counts: { count: 1 } })
    }
  }

  /** Adds the counts of a later buffer, after this one could not be written. */
  merge(later: UsageBuffer): void {
    for (const table of tableNames) {
      for (const [id, row] of later.#tables[table]) this.#count(table, id, row)
    }
  }

  async write(transaction: Transaction): Promise<void> {
    for (const table of tableNames) {
      // A consistent order: two nodes that lock rows in different orders would deadlock.
      const ordered = [...this.#tables[table].values()].map(row => [lockOrder(row), row] as const)
      const rows = ordered.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
      for (let i = 0; i < rows.length; i += ROWS_PER_STATEMENT) {
        await addRows(transaction, table, rows.slice(i, i + ROWS_PER_STATEMENT))
      }
    }
  }

  #dayOf(atMs: number): string {
    const index = Math.floor(atMs / DAY_MS)
    if (index !== this.#day.index) this.#day = { index, text: utcDay(atMs) }
    return this.#day.text
  }

  #count(table: UsageTable, id: string, row: UsageRow): void {
    const known = this.#tables[table].get(id)
    if (known === undefined) this.#tables[table].set(id, row)
    else
      for (const name of Object.keys(row.counts))
        known.counts[name] = (known.counts[name] ?? 0) + (row.counts[name] ?? 0)
  }
}

/**
 * By day before key, since the sums over all keys are locked along with the rows. No id, day or code contains
 * a zero byte.
 */
function lockOrder({ key: { account_id = '', day = '', template_id = '', key_id = '', ...rest } }: UsageRow): string {
  return [account_id, day, template_id, key_id, ...Object.values(rest)].join('\0')
}

/** Adds the counts to the rows, or inserts them. All rows have the same columns. */
async function addRows(transaction: Transaction, table: UsageTable, rows: readonly UsageRow[]): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = (names: readonly string[]) => sql.join(names.map(name => sql.ref(name)))
  const keyNames = Object.keys(first.key)
  const countNames = Object.keys(first.counts)
  const values = rows.map(({ key, counts }) => sql`(${sql.join([...Object.values(key), ...Object.values(counts)])})`)
  const sums = countNames.map(
    name => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
  )
  await sql`insert into ${sql.table(table)} (${columns([...keyNames, ...countNames])}) values ${sql.join(values)}
    on conflict (${columns(keyNames)}) do update set ${sql.join(sums)}`.execute(transaction)
}
