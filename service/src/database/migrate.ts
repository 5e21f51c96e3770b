import { sql, type Transaction } from 'kysely'
import { DatabaseRefusedError } from './database-error.ts'
import { migrations } from './migrations.ts'
import type { Schema } from './schema.ts'

/** A number that no other program in the same PostgreSQL database locks: the letters "vitr". */
const ADVISORY_LOCK = 0x76697472

/**
 * Migrates the tables within the given transaction: a crash leaves the old schema, and of two processes that
 * start at once one migrates while the other waits.
 */
export async function migrate(
  kind: 'sqlite' | 'postgres',
  transaction: Transaction<Schema>,
  nowMs: number,
): Promise<{ applied: string[] }> {
  if (kind === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`.execute(transaction)
  await sql`create table if not exists schema_migrations (name text primary key, applied_at_ms bigint not null)`.execute(
    transaction,
  )
  const rows = await transaction.selectFrom('schema_migrations').select('name').execute()
  const present = new Set(rows.map(row => row.name))
  const unknown = [...present].filter(name => !migrations.some(migration => migration.name === name)).sort()
  if (unknown.length > 0) {
    throw new DatabaseRefusedError(
      `The database was written by a newer Vitrine (it has ${unknown.join(', ')}): start that version, or restore a backup made by this one.`,
    )
  }
  const applied: string[] = []
  for (const migration of migrations.filter(migration => !present.has(migration.name))) {
    for (const statement of migration.statements(kind)) await sql.raw(statement).execute(transaction)
    await transaction.insertInto('schema_migrations').values({ name: migration.name, applied_at_ms: nowMs }).execute()
    applied.push(migration.name)
  }
  return { applied }
}
