import { createHash, hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { type CopiedTable, listCopiedTables, tablesOfAnInstallation } from './copied-tables.ts'
import { type Column, findColumns, type Side, toPortable } from './table-columns.ts'

const ROWS_PER_PAGE = 1_000

export type TableDigest = {
  readonly rows: number
  /** Independent of row order, since databases sort text in different ways. */
  readonly sha256: string
}

export type TableDigests = ReadonlyMap<string, TableDigest>

type Row = readonly (string | number | null)[]

/** Whether the database contains only what migrations create. */
export async function isWithoutInstallation({ transaction }: Side): Promise<boolean> {
  for (const table of tablesOfAnInstallation) {
    if ((await transaction.selectFrom(table).select(sql`1`.as('one')).limit(1).execute()).length > 0) return false
  }
  return true
}

/** Blocks all other writes to the tables until the transaction ends. SQLite has one writer. */
export async function lockTables({ kind, transaction }: Side): Promise<void> {
  if (kind === 'sqlite') return
  for (const { name } of listCopiedTables())
    await sql`lock table ${sql.table(name)} in share row exclusive mode`.execute(transaction)
}

/**
 * Copies every row into a database without an installation. Triggers are disabled meanwhile: they would add
 * to sums that are copied as well.
 */
export async function copyTables(from: Side, to: Side): Promise<void> {
  const tables = listCopiedTables()
  const restoreTriggers = await removeTriggers(to, tables)
  for (const { name } of tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(to.transaction)
  for (const table of tables) {
    const columns = await findColumns(from, to, table.name)
    for await (const rows of readPages(from, table, columns)) await insert(to, table, columns, rows)
    await continueSequences(to, table, columns)
  }
  await restoreTriggers()
  // The planner has no statistics of the new rows, so that the following checks would scan tables.
  if (to.kind === 'postgres') await sql`analyze`.execute(to.transaction)
}

/** The digests of all tables of one side, over the columns that both sides have. */
export async function digestTables(side: Side, other: Side): Promise<TableDigests> {
  const digests = new Map<string, TableDigest>()
  for (const table of listCopiedTables()) {
    let rowCount = 0
    let sum = 0n
    for await (const rows of readPages(side, table, await findColumns(side, other, table.name))) {
      rowCount += rows.length
      for (const row of rows) sum += BigInt(`0x${hash('sha256', JSON.stringify(row))}`)
    }
    const sha256 = createHash('sha256')
      .update(`${rowCount} ${BigInt.asUintN(256, sum).toString(16)}`)
      .digest('hex')
    digests.set(table.name, { rows: rowCount, sha256 })
  }
  return digests
}

/** The first table whose rows differ, or null. */
export function findDifference(one: TableDigests, other: TableDigests): string | null {
  for (const [name, { sha256 }] of one) if (other.get(name)?.sha256 !== sha256) return name
  return null
}

async function* readPages({ transaction }: Side, table: CopiedTable, columns: readonly Column[]) {
  const key = sql.join(table.key.map(name => sql.ref(name)))
  const positions = table.key.map(name => columns.findIndex(column => column.name === name))
  const names = sql.join(columns.map(({ name }) => sql.ref(name)))
  for (let last: Row | null = null; ; ) {
    const after: RawBuilder<unknown> = last === null ? sql`` : sql`where (${key}) > (${sql.join([...last])})`
    const { rows } = await sql<Record<string, unknown>>`select ${names} from ${sql.table(table.name)} ${after}
      order by ${key} limit ${sql.lit(ROWS_PER_PAGE)}`.execute(transaction)
    const page: Row[] = rows.map(row => columns.map(({ name, content }) => toPortable(row[name], content)))
    if (page.length > 0) yield page
    if (page.length < ROWS_PER_PAGE) return
    last = positions.map(position => page.at(-1)?.[position] ?? null)
  }
}

/** One parameter for all rows: a parameter for each value would take several times as long. */
async function insert({ kind, transaction }: Side, table: CopiedTable, columns: readonly Column[], rows: Row[]) {
  const names = sql.join(columns.map(({ name }) => sql.ref(name)))
  const values = sql.join(
    columns.map(({ targetType }, index) => sql`cast(value ->> ${sql.lit(index)} as ${sql.raw(targetType)})`),
  )
  const json = JSON.stringify(rows)
  const source = kind === 'sqlite' ? sql`json_each(${json})` : sql`json_array_elements(cast(${json} as json)) as value`
  const overriding = kind === 'sqlite' ? sql`` : sql`overriding system value`
  await sql`insert into ${sql.table(table.name)} (${names}) ${overriding} select ${values} from ${source}`.execute(
    transaction,
  )
}

/** Continues generated numbers after the copied ones; SQLite does that by itself. */
async function continueSequences({ kind, transaction }: Side, { name }: CopiedTable, columns: readonly Column[]) {
  if (kind === 'sqlite') return
  for (const column of columns.filter(({ content }) => content === 'number')) {
    await sql`select setval(found.sequence, greatest((select max(${sql.ref(column.name)}) from ${sql.table(name)}), 1),
        exists (select 1 from ${sql.table(name)}))
      from (select pg_get_serial_sequence(${name}, ${column.name}) as sequence) as found
      where found.sequence is not null`.execute(transaction)
  }
}

async function removeTriggers({ kind, transaction }: Side, tables: readonly CopiedTable[]) {
  if (kind === 'postgres') {
    const turn = async (how: 'enable' | 'disable') => {
      for (const { name } of tables)
        await sql`alter table ${sql.table(name)} ${sql.raw(how)} trigger user`.execute(transaction)
    }
    await turn('disable')
    return () => turn('enable')
  }
  const { rows } = await sql<{ name: string; sql: string }>`select name, sql from sqlite_schema
    where type = 'trigger'`.execute(transaction)
  for (const { name } of rows) await sql`drop trigger ${sql.ref(name)}`.execute(transaction)
  return async () => {
    for (const trigger of rows) await sql.raw(trigger.sql).execute(transaction)
  }
}
