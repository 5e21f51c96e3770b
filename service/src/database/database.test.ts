import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { createTestDatabase, describeOnBothDatabases } from '../../test/servers/test-database.ts'
import { openDatabase, openSqliteFile } from './database.ts'
import { classifyDatabaseError, DatabaseRefusedError, DatabaseUnavailableError } from './database-error.ts'
import { digestOf } from './migrate.ts'
import type { Migration } from './migrations/migration.ts'
import { migrations } from './migrations.ts'
import { prepareQuery } from './prepared-query.ts'
import type { Schema } from './schema.ts'

const accountRow = (id: string) => ({ id, email: id, email_key: id, role: 'customer' as const, created_at_ms: 1 })

describeOnBothDatabases('the database', use => {
  const addAccount = (queries: Kysely<Schema>, id: string) =>
    queries.insertInto('accounts').values(accountRow(id)).execute()
  const countAccounts = async (prefix: string) => {
    const rows = await use().database.queries.selectFrom('accounts').select('id').execute()
    return rows.filter(row => row.id.startsWith(prefix)).length
  }

  test('four processes that start concurrently on an empty database migrate it once', async t => {
    const empty = await createTestDatabase(use().database.kind, { isMigrated: false })
    t.after(empty.remove)
    const openings = await Promise.all(Array.from({ length: 4 }, () => openDatabase(empty.location)))
    const results = await Promise.all(openings.map(database => database.migrate()))
    await Promise.all(openings.map(database => database.close()))
    assert.deepEqual(
      results.flatMap(result => result.applied),
      migrations.map(migration => migration.name),
    )
    assert.deepEqual(await empty.database.migrate(), { applied: [] })
  })

  test('a program refuses the database of a newer one, with a sentence that says what to do', async t => {
    const newer = await createTestDatabase(use().database.kind)
    t.after(newer.remove)
    await newer.database.queries
      .insertInto('schema_migrations')
      .values({ name: '9999-from-the-future', applied_at_ms: 1, needs: 'what it needs', digest: '' })
      .execute()
    await assert.rejects(newer.database.migrate(), {
      name: 'DatabaseRefusedError',
      message: /written by a newer Vitrine \(it has 9999-from-the-future\): start that version/,
    })
  })

  test('a database of a development version is refused and not changed', async t => {
    const { database, remove } = await createTestDatabase(use().database.kind, { isMigrated: false })
    t.after(remove)
    const { queries } = database
    const refusal = {
      name: 'DatabaseRefusedError',
      message: /^The database was made by a development version.* start with an empty data folder/,
    }
    await sql`create table schema_migrations (name text primary key, applied_at_ms bigint not null)`.execute(queries)
    for (const name of ['0001-accounts-and-ledger', '0001-initial']) {
      await sql`insert into schema_migrations values (${name}, 1)`.execute(queries)
      await assert.rejects(database.migrate(), refusal)
      await sql`delete from schema_migrations`.execute(queries)
    }
    await sql`drop table schema_migrations`.execute(queries)

    await database.migrate()
    await queries.updateTable('schema_migrations').set({ digest: 'of other statements' }).execute()
    const before = await queries.introspection.getTables()
    await assert.rejects(database.migrate(), refusal)
    assert.deepEqual(await queries.introspection.getTables(), before)
  })

  test('the digest of a migration is of its statements and indexes, whatever their white space', () => {
    const { kind } = use().database
    const [initial] = migrations
    assert.ok(initial !== undefined)
    const digestWith = (changed: Partial<Migration>) => digestOf({ ...initial, ...changed }, kind)
    const spaced = initial.statements(kind).map(statement => statement.replaceAll(' ', '\n  '))
    assert.equal(digestWith({ statements: () => spaced }), digestWith({}))
    assert.notEqual(digestWith({ statements: () => initial.statements(kind).slice(1) }), digestWith({}))
    assert.notEqual(digestWith({ indexes: () => initial.indexes?.(kind).slice(1) ?? [] }), digestWith({}))
  })

  test('a program uses a newer schema if the schema allows it, and refuses it otherwise', async t => {
    const newer = await createTestDatabase(use().database.kind)
    t.after(newer.remove)
    const { queries } = newer.database
    const add = async (name: string, needs: string | null) => {
      await queries.insertInto('schema_migrations').values({ name, applied_at_ms: 1, needs, digest: '' }).execute()
    }
    await add('9997-adds-a-table', null)
    await add('9998-drops-what-is-unused', migrations.at(-1)?.name ?? '')
    assert.deepEqual(await newer.database.migrate(), { applied: [] })
    await add('9999-drops-what-we-use', '9997-adds-a-table')
    await assert.rejects(newer.database.migrate(), /newer Vitrine \(it has 9999-drops-what-we-use\)/)
  })

  test('a migrated schema allows programs of the previous version to use it', async () => {
    const rows = await use().database.queries.selectFrom('schema_migrations').select(['name', 'needs']).execute()
    assert.deepEqual(
      rows.sort((a, b) => (a.name < b.name ? -1 : 1)),
      migrations.map(({ name, needs = null }) => ({ name, needs })),
    )
  })

  test('of concurrent transactions, failed ones leave nothing and the others everything', async () => {
    const { database } = use()
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, (_, i) =>
        database.transaction(async transaction => {
          await addAccount(transaction, `group_${i}_a`)
          if (i % 3 === 0) throw new Error('on purpose')
          await addAccount(transaction, `group_${i}_b`)
          if (i % 3 === 1) await addAccount(transaction, `group_${i}_b`)
        }),
      ),
    )
    assert.equal(results.filter(result => result.status === 'fulfilled').length, 20)
    assert.equal(await countAccounts('group_'), 40)
    const unique = results.filter(
      result => result.status === 'rejected' && classifyDatabaseError(result.reason) === 'unique',
    )
    assert.equal(unique.length, 20)
  })

  test('of concurrent batches and transactions, failed or stopped ones leave nothing and the others everything', async () => {
    const { database } = use()
    const add = prepareQuery<{ id: string }, unknown>(slot =>
      database.queries
        .insertInto('accounts')
        .values({ ...accountRow(''), id: slot('id'), email: slot('id'), email_key: slot('id') }),
    )
    const readd = prepareQuery<{ id: string }, { id: string }>(slot =>
      database.queries.updateTable('accounts').set({ created_at_ms: 2 }).where('id', '=', slot('id')).returning('id'),
    )
    const results = await Promise.allSettled(
      Array.from({ length: 80 }, async (_, i) => {
        const own = `batch_${i}`
        if (i % 4 === 3) {
          await database.transaction(transaction => addAccount(transaction, own))
          return 'transaction'
        }
        const first = add({ id: own })
        const second = [add({ id: own }), readd({ id: 'batch_none' }), readd({ id: own })][i % 4] ?? first
        const outcome = await database.batch({ first, second }, () => Promise.resolve(false))
        assert.ok(outcome !== null)
        return outcome.stoppedAt ?? outcome.firstRow('second')
      }),
    )
    const byKind = (kind: number) => results.filter((_, i) => i % 4 === kind)
    for (const result of byKind(0))
      assert.ok(result.status === 'rejected' && classifyDatabaseError(result.reason) === 'unique')
    for (const result of byKind(1)) assert.deepEqual(result, { status: 'fulfilled', value: 'second' })
    for (const [n, result] of byKind(2).entries()) {
      assert.ok(result.status === 'fulfilled' && typeof result.value === 'object')
      assert.deepEqual({ ...result.value }, { id: `batch_${4 * n + 2}` })
    }
    assert.equal(await countAccounts('batch_'), 40)
  })

  test('a snapshot is consistent, whatever is written meanwhile', async () => {
    const { database } = use()
    await addAccount(database.queries, 'snapshot_1')
    const count = () =>
      database.snapshot(async transaction => {
        const read = () => transaction.selectFrom('accounts').select('id').where('id', 'like', 'snapshot_%').execute()
        const before = (await read()).length
        await addAccount(database.queries, `snapshot_${before + 1}`)
        return [before, (await read()).length]
      })
    assert.deepEqual(await count(), [1, 1])
    assert.deepEqual(await count(), [2, 2])
  })

  test('integers and their sums are read as numbers, up to 2^53 - 1', async () => {
    const { database } = use()
    const largest = Number.MAX_SAFE_INTEGER
    await database.queries
      .insertInto('accounts')
      .values({ ...accountRow('number'), created_at_ms: largest })
      .execute()
    const numbers = database.queries.selectFrom('accounts').where('id', '=', 'number')
    const row = await numbers
      .select(({ fn }) => [
        fn.max('created_at_ms').as('max'),
        fn.sum<number>('created_at_ms').as('sum'),
        fn.countAll<number>().as('count'),
      ])
      .executeTakeFirst()
    assert.deepEqual({ ...row }, { max: largest, sum: largest, count: 1 })
  })

  test('a violated foreign key or check is distinguished from a defect', async () => {
    const { queries } = use().database
    const orphan = { account_id: 'acc_none', granted: 0, purchased: 0, spendable: 0, reserved: 0, consumed: 0 }
    await assert.rejects(
      queries.insertInto('wallets').values(orphan).execute(),
      error => classifyDatabaseError(error) === 'foreign-key',
    )
    await assert.rejects(
      sql`insert into accounts (id, email, email_key, role, created_at_ms) values ('role', 'r', 'r', 'emperor', 1)`.execute(
        queries,
      ),
      error => classifyDatabaseError(error) === 'check',
    )
    await assert.rejects(
      sql`select nothing from nowhere`.execute(queries),
      error => classifyDatabaseError(error) === 'other',
    )
  })

  test('a look-up sees all earlier commits of any process; on SQLite it is synchronous', async t => {
    const { database, location } = use()
    const other = await openDatabase(location)
    t.after(() => other.close())
    const named = (id: string) => database.queries.selectFrom('accounts').select('role').where('id', '=', id).compile()
    const find = async (id: string) => {
      const rows = database.lookUp(named(id))
      assert.equal(rows instanceof Promise, database.kind === 'postgres')
      return (await rows).map(({ role }) => role)
    }
    for (const id of ['looked up 1', 'looked up 2']) {
      assert.deepEqual(await find(id), [])
      await addAccount(other.queries, id)
      assert.deepEqual(await find(id), ['customer'])
    }
    await database.transaction(async transaction => {
      await transaction.updateTable('accounts').set({ role: 'operator' }).where('id', '=', 'looked up 1').execute()
      assert.deepEqual(await find('looked up 1'), ['customer'], 'not committed yet')
    })
    assert.deepEqual(await find('looked up 1'), ['operator'])
  })

  test('any use after closing is an error', async () => {
    const other = await openDatabase(use().location)
    const query = other.queries.selectFrom('accounts').select('id')
    await other.close()
    await assert.rejects(async () => other.lookUp(query.compile()))
    await assert.rejects(query.execute())
  })
})

describe('SQLite', () => {
  test('is refused if it could lose confirmed commits', async () => {
    await assert.rejects(openSqliteFile(':memory:'), {
      name: 'DatabaseRefusedError',
      message: /not safe for credits: expected journal_mode wal but SQLite runs with memory/,
    })
  })

  test('uses a write-ahead log, full synchronisation and foreign keys, in a file that only its owner can read', async t => {
    const { location, remove } = await createTestDatabase('sqlite')
    t.after(remove)
    const file = path.join(location.dataDir, 'vitrine.db')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(statSync(`${file}-wal`).mode & 0o777, 0o600)
    const connection = await openSqliteFile(file)
    t.after(() => connection.close())
    const { rows } = await connection.send({ to: 'settings' })
    assert.deepEqual(rows, [{ journal_mode: 'wal', synchronous: 2, foreign_keys: 1 }])
  })

  test('a file that is not a database is refused with its name', async t => {
    const dataDir = mkdtempSync(path.join(os.tmpdir(), 'vitrine-database-'))
    t.after(() => rmSync(dataDir, { recursive: true, force: true }))
    writeFileSync(
      path.join(dataDir, 'vitrine.db'),
      'this is not a database, but long enough to be read as one'.repeat(40),
    )
    await assert.rejects(openDatabase({ dataDir }), {
      name: 'DatabaseRefusedError',
      message: /vitrine\.db cannot be opened: file is not a database/,
    })
  })

  test('another process’s lock delays writers and no one else', async t => {
    const { database, location, remove } = await createTestDatabase('sqlite')
    t.after(remove)
    const other = await openDatabase(location)
    t.after(() => other.close())
    let ticks = 0
    const timer = setInterval(() => ticks++, 10)
    t.after(() => clearInterval(timer))
    let isReleased = false
    const holding = other.transaction(async transaction => {
      await transaction.deleteFrom('instances').execute()
      await delay(500)
      isReleased = true
    })
    await delay(20)
    const before = ticks
    await database.queries.deleteFrom('instances').execute()
    assert.ok(isReleased, 'the write waited for the lock')
    // If the wait blocked the main thread, there would be no tick at all.
    assert.ok(ticks - before >= 10, `${ticks - before} ticks of 10 ms in 480 ms`)
    await holding
  })

  test('a full disk fails an operation as a whole, and everything works once there is space again', async t => {
    const { database, remove } = await createTestDatabase('sqlite')
    t.after(remove)
    const { queries } = database
    const pages = await sql<{ page_count: number }>`pragma page_count`.execute(queries)
    await sql`pragma max_page_count = ${sql.lit(pages.rows[0]?.page_count ?? 0)}`.execute(queries)
    const big = 'x'.repeat(200_000)
    const store = () =>
      database.transaction(async transaction => {
        await transaction.insertInto('accounts').values(accountRow('small')).execute()
        await transaction
          .insertInto('accounts')
          .values({ ...accountRow('big'), email: big })
          .execute()
      })
    await assert.rejects(store(), DatabaseUnavailableError)
    const add = (id: string) => queries.insertInto('accounts').values(accountRow(id)).compile()
    const batch = { small: add('small'), large: add(big) }
    await assert.rejects(
      database.batch(batch, () => Promise.resolve(false)),
      DatabaseUnavailableError,
    )
    assert.deepEqual(await queries.selectFrom('accounts').select('id').execute(), [])
    await sql`pragma max_page_count = 1000000`.execute(queries)
    await store()
    assert.equal((await queries.selectFrom('accounts').select('id').execute()).length, 2)
  })
})

test('a database URL of another kind or of an unreachable server is refused without revealing its password', async () => {
  for (const [databaseUrl, reason] of [
    ['mysql://user:secret@host/db', /begins with postgres:\/\//],
    ['postgres://user:secret@127.0.0.1:1/db', /PostgreSQL \(DATABASE_URL\) cannot be reached: .*ECONNREFUSED/],
  ] as const) {
    await assert.rejects(openDatabase({ databaseUrl, dataDir: '.' }), error => {
      assert.ok(error instanceof DatabaseRefusedError)
      assert.match(error.message, reason)
      assert.doesNotMatch(error.message, /secret/)
      return true
    })
  }
})
