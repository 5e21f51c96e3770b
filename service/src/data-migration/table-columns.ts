import { sql } from 'kysely'
import type { Transaction } from '../database/schema.ts'

export type DatabaseKind = 'sqlite' | 'postgres'

/** A database in a transaction, and its kind. */
export type Side = { readonly kind: DatabaseKind; readonly transaction: Transaction }

/** The kind of a column's content, whatever type its database uses for it. */
type Content = 'number' | 'text' | 'flag' | 'moment'

export type Column = {
  readonly name: string
  readonly content: Content
  /** The type in the target database. */
  readonly targetType: string
}

const contentOfType: Readonly<Record<string, Content>> = {
  integer: 'number',
  bigint: 'number',
  text: 'text',
  boolean: 'flag',
  'timestamp with time zone': 'moment',
}

/** The columns that both sides have. SQLite has no types of its own for flags and moments. */
export async function findColumns(from: Side, to: Side, table: string): Promise<Column[]> {
  const sourceTypes = await readTypes(from, table)
  const targetTypes = await readTypes(to, table)
  const names = new Set([...sourceTypes.keys(), ...targetTypes.keys()])
  return [...names].sort().map(name => {
    const types = [sourceTypes.get(name), targetTypes.get(name)]
    const contents = types.map(type => contentOfType[type ?? ''])
    const content = contents.find(each => each === 'flag' || each === 'moment') ?? contents[0]
    const [, targetType] = types
    if (content === undefined || targetType === undefined || contents.includes(undefined))
      throw new TypeError(`Expected the column ${table}.${name} on both sides but found ${types.join(' and ')}`)
    return { name, content, targetType }
  })
}

/** The columns of a table by name with their types, without generated ones. */
export async function readTypes({ kind, transaction }: Side, table: string): Promise<Map<string, string>> {
  const query =
    kind === 'sqlite'
      ? sql<{ name: string; type: string }>`select name, lower(type) as type from pragma_table_info(${table})`
      : sql<{ name: string; type: string }>`select column_name as name, data_type as type
          from information_schema.columns
          where table_schema = current_schema() and table_name = ${table} and is_generated = 'NEVER'`
  const { rows } = await query.execute(transaction)
  return new Map(rows.map(({ name, type }) => [name, type]))
}

/** Converts a value to a form that both databases accept, equal for equal contents. */
export function toPortable(value: unknown, content: Content): string | number | null {
  if (value === null || value === undefined) return null
  if (content === 'moment' && (typeof value === 'string' || value instanceof Date)) return new Date(value).toISOString()
  if (content === 'flag') return value === true || value === 1 ? 1 : 0
  if (typeof value === 'string' || typeof value === 'number') return value
  throw new TypeError(`Expected a ${content} but received ${typeof value}`)
}
