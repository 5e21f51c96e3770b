import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase } from '../../test/servers/test-database.ts'
import { openDatabase } from './database.ts'
import { migrations } from './migrations.ts'

const wanted = migrations.flatMap(migration => (migration.indexes?.('postgres') ?? []).map(({ name }) => name)).sort()

test('an existing PostgreSQL database gets its indexes, even if a process died while creating one', async t => {
  const { database, location, remove } = await createTestDatabase('postgres')
  t.after(remove)
  const valid = async () => {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
      where relname in (${sql.join(wanted)}) and indisvalid order by relname`.execute(database.queries)
    return rows.map(({ name }) => name).sort()
  }
  assert.deepEqual(await valid(), wanted)
  for (const name of wanted) await sql.raw(`drop index ${name}`).execute(database.queries)
  // What a process leaves that died while creating the index.
  await sql`create index accounts_deleted on accounts (deleted_at_ms)`.execute(database.queries)
  await sql`update pg_index set indisvalid = false where indexrelid = 'accounts_deleted'::regclass`.execute(
    database.queries,
  )

  const nodes = await Promise.all([openDatabase(location), openDatabase(location)])
  t.after(() => Promise.all(nodes.map(node => node.close())))
  await Promise.all(nodes.map(node => node.migrate()))
  assert.deepEqual(await valid(), wanted)
  assert.deepEqual(await database.migrate(), { applied: [] })
})
