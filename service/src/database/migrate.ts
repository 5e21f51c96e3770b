import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { DatabaseRefusedError } from './database-error.ts'
import type { Index, Migration } from './migrations/migration.ts'
import { migrations } from './migrations.ts'
import type { Queries, Transaction } from './schema.ts'

/** The key of the advisory lock, unlikely to be used by others in the database: the letters "vitr". */
const ADVISORY_LOCK = 0x76697472

/** Requests queue behind a migration that waits for a table, so it gives up after this time and retries. */
const TABLE_LOCK_TIMEOUT_MS = 3_000

/**
 * Migrates the tables within the given transaction: a crash leaves the old schema, and of several processes
 * that start concurrently one migrates while the others wait, for as long as it takes.
 *
 * A database may have migrations unknown to this program, if these declare that it may use it. So a node of
 * the previous version can restart while others are being upgraded.
 */
export async function migrate(
  kind: 'sqlite' | 'postgres',
  transaction: Transaction,
  nowMs: number,
): Promise<{ applied: string[] }> {
  if (kind === 'postgres') {
    await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`.execute(transaction)
    await sql`set local lock_timeout = ${sql.lit(TABLE_LOCK_TIMEOUT_MS)}`.execute(transaction)
  }
  await sql`create table if not exists schema_migrations (
    name text primary key, applied_at_ms bigint not null, needs text, digest text not null)`.execute(transaction)
  // All columns: a table from before 0.1.0 lacks some.
  const rows = await transaction.selectFrom('schema_migrations').selectAll().orderBy('name').execute()
  const present = new Set(rows.map(({ name }) => name))
  const known = new Map(migrations.map(migration => [migration.name, digestOf(migration, kind)]))
  if (rows.some(({ name, digest }) => digest === undefined || (known.has(name) && known.get(name) !== digest))) {
    throw new DatabaseRefusedError(
      'The database was made by a development version of Vitrine, and no release upgrades it: start with an empty data folder and an empty database.',
    )
  }
  const unknown = rows
    .filter(({ name, needs }) => !known.has(name) && needs !== null && !known.has(needs))
    .map(({ name }) => name)
  if (unknown.length > 0) {
    throw new DatabaseRefusedError(
      `The database was written by a newer Vitrine (it has ${unknown.join(', ')}): start that version, or restore a backup made by this one.`,
    )
  }
  const applied: string[] = []
  for (const migration of migrations.filter(migration => !present.has(migration.name))) {
    for (const statement of migration.statements(kind)) await sql.raw(statement).execute(transaction)
    // On an empty database at once; on an existing PostgreSQL by `buildIndexes`, which blocks no writer.
    if (kind === 'sqlite' || present.size === 0)
      for (const { name, on } of migration.indexes?.(kind) ?? [])
        await sql.raw(`create index ${name} on ${on}`).execute(transaction)
    const { name, needs = null } = migration
    const row = { name, applied_at_ms: nowMs, needs, digest: digestOf(migration, kind) }
    await transaction.insertInto('schema_migrations').values(row).execute()
    applied.push(name)
  }
  return { applied }
}

/** SHA-256 of what a migration does on one database: a schema that was changed later does not pass for it. */
export function digestOf(migration: Migration, kind: 'sqlite' | 'postgres'): string {
  const work = JSON.stringify([migration.statements(kind), migration.indexes?.(kind)])
  return createHash('sha256')
    .update(work.replace(/(\\n|\s)+/g, ' '))
    .digest('hex')
}

/**
 * Creates missing indexes on PostgreSQL without blocking reads or writes. Several processes may call it
 * concurrently: an index that another one is creating is skipped.
 */
export async function buildIndexes(queries: Queries): Promise<void> {
  const wanted = migrations.flatMap((migration): readonly Index[] => migration.indexes?.('postgres') ?? [])
  const { rows } = await sql<{ name: string; valid: boolean; underWay: boolean }>`
    select index.relname as name, pg_index.indisvalid as valid,
      exists (select 1 from pg_stat_progress_create_index as work where work.index_relid = index.oid) as "underWay"
    from pg_index join pg_class as index on index.oid = pg_index.indexrelid
    where index.relname in (${sql.join(wanted.map(({ name }) => name))})
      and index.relnamespace = to_regnamespace(current_schema())`.execute(queries)
  const present = new Map(rows.map(row => [row.name, row]))
  for (const { name, on } of wanted) {
    const { valid = true, underWay = false } = present.get(name) ?? {}
    if (underWay || (present.has(name) && valid)) continue
    // A process that died while creating the index leaves an invalid one.
    if (!valid) await sql.raw(`drop index concurrently if exists ${name}`).execute(queries)
    await sql.raw(`create index concurrently if not exists ${name} on ${on}`).execute(queries)
  }
}
