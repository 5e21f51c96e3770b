import { type Kysely, sql, type Transaction } from 'kysely'
import { DatabaseRefusedError } from './database-error.ts'
import type { Index } from './migrations/migration.ts'
import { migrations } from './migrations.ts'
import type { Schema } from './schema.ts'

/** The key of the advisory lock, unlikely to be used by others in the database: the letters "vitr". */
const ADVISORY_LOCK = 0x76697472

/** Present in databases from before 0.1.0. */
const FIRST_OF_DEVELOPMENT = '0001-accounts-and-ledger'

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
  transaction: Transaction<Schema>,
  nowMs: number,
): Promise<{ applied: string[] }> {
  if (kind === 'postgres') {
    await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`.execute(transaction)
    await sql`set local lock_timeout = ${sql.lit(TABLE_LOCK_TIMEOUT_MS)}`.execute(transaction)
  }
  await sql`create table if not exists schema_migrations (name text primary key, applied_at_ms bigint not null)`.execute(
    transaction,
  )
  await sql`create table if not exists schema_compatibility (name text primary key, needs text)`.execute(transaction)
  const rows = await transaction.selectFrom('schema_migrations').select('name').execute()
  const tolerant = await transaction.selectFrom('schema_compatibility').selectAll().execute()
  const present = new Set(rows.map(row => row.name))
  const known = new Set(migrations.map(({ name }) => name))
  const tolerable = new Set(tolerant.filter(({ needs }) => needs === null || known.has(needs)).map(({ name }) => name))
  if (present.has(FIRST_OF_DEVELOPMENT))
    throw new DatabaseRefusedError(
      'The database was made by Vitrine before its first release, and no release upgrades it: start with an empty data folder and an empty database.',
    )
  const unknown = [...present].filter(name => !known.has(name) && !tolerable.has(name)).sort()
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
    await transaction.insertInto('schema_migrations').values({ name: migration.name, applied_at_ms: nowMs }).execute()
    const { name, needs = null } = migration
    await transaction.insertInto('schema_compatibility').values({ name, needs }).execute()
    applied.push(migration.name)
  }
  return { applied }
}

/**
 * Creates missing indexes on PostgreSQL without blocking reads or writes. Several processes may call it
 * concurrently: an index that another one is creating is skipped.
 */
export async function buildIndexes(queries: Kysely<Schema>): Promise<void> {
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
