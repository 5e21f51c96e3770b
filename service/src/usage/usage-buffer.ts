import { sql, type Transaction } from 'kysely'
import type { Schema } from '../database/schema.ts'
import type { UsageRecord } from './usage-record.ts'
import { utcDay } from './utc-day.ts'

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

  get isEmpty(): boolean {
    return this.#tables.usage_days.size === 0
  }

  add({ accountId, keyId, status, code, templateIds, atMs }: UsageRecord): void {
    const key = { account_id: accountId, key_id: keyId ?? '', day: utcDay(atMs) }
    if (status >= 200 && status < 300) {
      this.#count('usage_days', key, { total: 1, successful: 1, failed: 0 })
      for (const id of templateIds) this.#count('usage_templates', { ...key, template_id: id }, { count: 1 })
    } else {
      this.#count('usage_days', key, { total: 1, successful: 0, failed: 1 })
      this.#count('usage_failures', { ...key, code: code ?? 'UNKNOWN' }, { count: 1 })
    }
  }

  /** Adds the counts of a later buffer, after this one could not be written. */
  merge(later: UsageBuffer): void {
    for (const table of tableNames) {
      for (const { key, counts } of later.#tables[table].values()) this.#count(table, key, counts)
    }
  }

  async write(transaction: Transaction<Schema>): Promise<void> {
    for (const table of tableNames) {
      // One order everywhere: two nodes that lock rows in different orders block each other.
      const rows = [...this.#tables[table]].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
      for (let i = 0; i < rows.length; i += ROWS_PER_STATEMENT) {
        await addRows(transaction, table, rows.slice(i, i + ROWS_PER_STATEMENT))
      }
    }
  }

  #count(table: UsageTable, key: UsageRow['key'], counts: UsageRow['counts']): void {
    const id = Object.values(key).join('\0') // in no id, day or code
    const known = this.#tables[table].get(id)
    if (known === undefined) this.#tables[table].set(id, { key, counts: { ...counts } })
    else for (const [name, count] of Object.entries(counts)) known.counts[name] = (known.counts[name] ?? 0) + count
  }
}

/** Adds the counts to the rows, or inserts them. All rows have the same columns. */
async function addRows(transaction: Transaction<Schema>, table: UsageTable, rows: readonly UsageRow[]): Promise<void> {
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
