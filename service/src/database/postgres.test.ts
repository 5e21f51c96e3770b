import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { type CommitCutter, startCommitCutter } from '../../test/money/commit-cutter.ts'
import { startS3 } from '../../test/servers/s3.ts'
import { createTestDatabase, type TestDatabase } from '../../test/servers/test-database.ts'
import { Accounts } from '../accounts/accounts.ts'
import { ApiKeys } from '../api-keys/api-keys.ts'
import { Wallet } from '../credits/wallet.ts'
import { Idempotency } from '../idempotency/idempotency.ts'
import { createLogger } from '../observability/logger.ts'
import { openServices } from '../services.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { buildTemplateFinder } from '../templates/template-queries.ts'
import { type Database, openDatabase } from './database.ts'
import { CommitUnknownError, classifyDatabaseError, DatabaseUnavailableError } from './database-error.ts'
import { findDeadInstances, Instance } from './instance.ts'
import { newId } from './new-id.ts'
import { prepareQuery } from './prepared-query.ts'

describe('PostgreSQL', () => {
  let created: TestDatabase | null = null
  let cutter: CommitCutter | null = null
  let throughCutter: Database | null = null
  before(async () => {
    created = await createTestDatabase('postgres')
    cutter = await startCommitCutter(created.location.databaseUrl ?? '')
    throughCutter = await openDatabase({ ...created.location, databaseUrl: cutter.url })
  })
  after(async () => {
    await throughCutter?.close()
    await cutter?.close()
    await created?.remove()
  })
  const use = () => {
    assert.ok(created && cutter && throughCutter)
    return { database: created.database, cutter, throughCutter }
  }

  test('a commit whose confirmation is lost is looked up by its id: nothing is duplicated or lost', async () => {
    const { cutter, throughCutter: database } = use()
    const wallet = new Wallet(database, { instanceId: 'ins_test' })
    const cut = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      cutter.cutNext(2)
      const result = await work()
      assert.ok(cutter.cutsLeft() < 2, 'a confirmation was lost')
      cutter.cutNext(0)
      return result
    }
    const { accountId } = await cut(() => new Accounts(database).create({ email: 'cut@example.org', credits: 10 }))
    const order = { accountId, keyId: null, requestId: 'req', expiresAtMs: Date.now() + 60_000 }
    const first = await cut(() => wallet.reserve({ ...order, credits: 3 }))
    const second = await cut(() => wallet.reserve({ ...order, credits: 4 }))
    assert.ok(first.ok && second.ok)
    const { reservationId } = first
    assert.deepEqual(await cut(() => wallet.settle(reservationId)), {
      settled: true,
      state: 'settled',
      spendableCredits: 3,
    })
    assert.equal((await cut(() => wallet.release(second.reservationId, 'a test'))).released, true)
    assert.equal((await cut(() => wallet.refund(reservationId, { reason: 'a test', credits: 2 }))).refundedCredits, 2)
    const payment = { accountId, credits: 5, reason: 'a test', externalId: 'pay_cut' }
    assert.deepEqual(await cut(() => wallet.purchase(payment)), { purchased: true, spendableCredits: 14 })
    assert.deepEqual(await cut(() => wallet.grant({ accountId, credits: 1, reason: 'a test' })), {
      granted: true,
      spendableCredits: 15,
    })
    const answers = new Idempotency(database, { bodies: { delete: async () => undefined }, instanceId: 'ins_test' })
    const begin = { accountId, key: 'k', requestHash: 'a' }
    assert.deepEqual(await cut(() => answers.begin(begin)), { outcome: 'started' })
    assert.deepEqual(await answers.begin(begin), { outcome: 'conflict' })
    const third = await cut(() => wallet.reserve({ ...order, credits: 2 }))
    assert.ok(third.ok)
    const kept = { bodyObjectKey: 'b', sizeBytes: 1, answer: '{}', linkId: null }
    const keeping = answers.finishing({ accountId, key: 'k', ...kept })
    assert.equal((await cut(() => wallet.settle(third.reservationId, keeping))).settled, true)
    assert.deepEqual(await answers.begin(begin), { outcome: 'replay', ...kept })
    assert.deepEqual(await wallet.balance(accountId), {
      spendableCredits: 13,
      reservedCredits: 0,
      grantedCredits: 11,
      purchasedCredits: 5,
      consumedCredits: 3,
    })
    assert.deepEqual((await wallet.verifyLedger()).violations, [])
  })

  test('a mockup takes four queries: its key, its template, the reservation and the settlement', async t => {
    const { database } = use()
    const apiKeys = new ApiKeys(database, { onError: () => undefined })
    t.after(() => apiKeys.close())
    const { accountId } = await new Accounts(database).create({ email: 'four@example.org', credits: 5 })
    const { key, keyId } = await apiKeys.create({ accountId, name: 'four' })
    const wallet = new Wallet(database, { instanceId: 'ins_test' })
    const find = buildTemplateFinder(database.queries)
    const questions = t.mock.method(Client.prototype, 'query')
    assert.equal((await apiKeys.authenticate(key, '127.0.0.1')).kind, 'accepted')
    assert.deepEqual(await find(['a-template', 'another', 'NO ID'], accountId), [])
    const order = { accountId, keyId, credits: 1, requestId: 'req', expiresAtMs: Date.now() + 60_000 }
    const reserved = await wallet.reserve(order)
    assert.ok(reserved.ok)
    assert.ok((await wallet.settle(reserved.reservationId)).settled)
    assert.equal(questions.mock.callCount(), 4)
  })

  test('a charge commits synchronously even on a connection set to asynchronous commits', async () => {
    const commit = await use().database.transaction(async transaction => {
      await sql`set local synchronous_commit = off`.execute(transaction)
      await sql`select * from run_wallet_operations('acc_none', '[]', false)`.execute(transaction)
      const { rows } = await sql<{ value: string }>`select current_setting('synchronous_commit') as value`.execute(
        transaction,
      )
      return rows[0]?.value
    })
    assert.equal(commit, 'on')
  })

  test('a connection plans a prepared query once, and never behind a pooler', async t => {
    const { database, cutter } = use()
    const readPlans = (database: Database) =>
      database.queries.connection().execute(async queries => {
        const add = prepareQuery<{ a: number }, { sum: number }>(slot =>
          queries.selectNoFrom(sql<number>`${slot('a')}::bigint + 1`.as('sum')),
        )
        for (const a of [1, 2]) assert.deepEqual((await queries.executeQuery(add({ a }))).rows, [{ sum: a + 1 }])
        const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(queries)
        return rows.filter(({ statement }) => statement === 'select $1::bigint + 1 as "sum"').length
      })
    assert.equal(await readPlans(database), 1)
    const pooler = await startCommitCutter(cutter.url, { looksPooled: true })
    const pooled = await openDatabase({ dataDir: database.dataDir, databaseUrl: pooler.url })
    t.after(async () => {
      await pooled.close()
      await pooler.close()
    })
    assert.equal(await readPlans(pooled), 0)
  })

  test('a transaction that cannot look for its own result is not retried after such a loss', async () => {
    const { cutter, throughCutter: database } = use()
    cutter.cutNext(1)
    let runs = 0
    const work = database.transaction(async transaction => {
      runs++
      await transaction.deleteFrom('instances').execute()
    })
    await assert.rejects(work, CommitUnknownError)
    assert.equal(runs, 1)
  })

  test('a connection lost during a transaction is replaced, and the transaction is retried', async () => {
    const { database } = use()
    let runs = 0
    const result = await database.transaction(async transaction => {
      runs++
      await transaction
        .insertInto('instances')
        .values({ id: `ins_lost`, started_at_ms: 1, heartbeat_at_ms: 1 })
        .execute()
      if (runs === 1) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(transaction)
      return 'done'
    })
    assert.equal(result, 'done')
    assert.equal(runs, 2)
  })

  test('two deadlocked transactions both succeed in the end', async () => {
    const { database } = use()
    for (const id of ['ins_a', 'ins_b']) {
      await database.queries.insertInto('instances').values({ id, started_at_ms: 0, heartbeat_at_ms: 0 }).execute()
    }
    const add = (first: string, second: string) =>
      database.transaction(async transaction => {
        for (const id of [first, second]) {
          await transaction
            .updateTable('instances')
            .set({ started_at_ms: sql`started_at_ms + 1` })
            .where('id', '=', id)
            .execute()
          await delay(100)
        }
      })
    await Promise.all([add('ins_a', 'ins_b'), add('ins_b', 'ins_a')])
    const rows = await database.queries
      .selectFrom('instances')
      .select('started_at_ms')
      .where('id', 'in', ['ins_a', 'ins_b'])
      .execute()
    assert.deepEqual(
      rows.map(row => row.started_at_ms),
      [2, 2],
    )
  })

  test('errors of a server that is failing over, restored, dropped or out of memory are not defects', () => {
    for (const code of [
      '25006',
      '3D000',
      '53000',
      '53200',
      '57P01',
      '57P03',
      '57P04',
      '57P05',
      '58000',
      '58030',
      '08006',
    ])
      assert.equal(classifyDatabaseError(Object.assign(new Error('of the server'), { code })), 'unavailable', code)
  })

  test('a commit that the server turns into a rollback is an error', async () => {
    const { database } = use()
    const work = database.transaction(async transaction => {
      await sql`select nothing from nowhere`.execute(transaction).catch(() => undefined)
    })
    await assert.rejects(work, /Expected PostgreSQL to commit but it answered ROLLBACK/)
  })

  test('every connection commits synchronously, and has a statement timeout of ten seconds', async () => {
    const { database } = use()
    const read = (name: string) =>
      sql<{ value: string }>`select current_setting(${name}) as value`.execute(database.queries)
    assert.equal((await read('synchronous_commit')).rows[0]?.value, 'on')
    assert.equal((await read('statement_timeout')).rows[0]?.value, '10s')
    assert.equal((await read('lock_timeout')).rows[0]?.value, '10s')
  })

  test('an instance is dead after half a minute without a heartbeat, by the server’s clock, and not before', async () => {
    const { database } = use()
    const instance = await Instance.claim(database)
    const look = () => findDeadInstances(database, [instance.id, 'ins_never_seen', 'ins_own'], 'ins_own', Date.now)
    assert.deepEqual(await look(), ['ins_never_seen'])
    const goSilent = (ms: number) =>
      database.queries
        .updateTable('instances')
        .set({ heartbeat_at_ms: sql`heartbeat_at_ms - ${sql.lit(ms)}` })
        .where('id', '=', instance.id)
        .execute()
    await goSilent(20_000)
    assert.deepEqual(await look(), ['ins_never_seen'])
    await goSilent(11_000)
    assert.deepEqual(await look(), [instance.id, 'ins_never_seen'])
    await instance.heartbeat()
    assert.deepEqual(await look(), ['ins_never_seen'])
    await instance.release()
    assert.deepEqual(await look(), [instance.id, 'ins_never_seen'])
  })

  test('times of the server’s clock are not compared with the node’s', async t => {
    const { database } = use()
    const instance = await Instance.claim(database, { clock: () => Date.now() + 120_000 })
    t.after(() => instance.release())
    assert.ok(Math.abs(instance.clock() - Date.now()) < 10_000)
  })

  test('a node whose clock is ahead does not release what another node still works on', async t => {
    const { database, location, remove } = await createTestDatabase('postgres')
    const dataDir = path.join(location.dataDir, 'other')
    const { accountId } = await new Accounts(database).create({ email: 'ahead@example.org', credits: 5 })
    const working = await Instance.claim(database)
    const wallet = new Wallet(database, { instanceId: working.id, clock: working.clock })
    const order = { accountId, keyId: null, credits: 2, requestId: 'req' }
    assert.ok((await wallet.reserve({ ...order, expiresAtMs: working.clock() + 60_000 })).ok)
    const now = Date.now
    t.mock.method(Date, 'now', () => now() + 120_000)
    const s3 = await startS3()
    const settings = loadSettings({
      DATA_DIR: dataDir,
      DATABASE_URL: location.databaseUrl,
      S3_ENDPOINT: s3.url,
      S3_BUCKET: 'bucket',
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
      AUTH_SECRET: 'a'.repeat(32),
      PUBLIC_URL: 'https://example.org',
      RENDER_WORKERS: '1',
    })
    const services = await openServices(settings, createLogger('silent'))
    t.after(async () => {
      await services.close()
      await working.release()
      await s3.stop()
      await remove()
    })
    assert.deepEqual(await services.wallet.sweep(), { expired: 0, released: 0 })
    assert.equal((await wallet.balance(accountId)).reservedCredits, 2)
  })

  test('operator’s work has no timeout: a migration waits for another, and a ledger scan for a lock', async t => {
    const { database, location, remove } = await createTestDatabase('postgres')
    t.after(remove)
    // The limits of requests, shortened: they do not apply to what waits longer here.
    const limits = '?statement_timeout=200&lock_timeout=200&idle_in_transaction_session_timeout=200&query_timeout=400'
    const hasty = await openDatabase({ ...location, databaseUrl: `${location.databaseUrl}${limits}` })
    t.after(() => hasty.close())
    const held = async (statement: string, forMs: number, work: () => Promise<unknown>) => {
      const locked = Promise.withResolvers<void>()
      const holding = database.transaction(async transaction => {
        await sql.raw(statement).execute(transaction)
        locked.resolve()
        await delay(forMs)
      })
      await locked.promise
      await Promise.all([work(), holding])
    }
    await held('select pg_advisory_xact_lock(1986622066)', 3_000, () => hasty.migrate())
    await held('lock table schema_migrations in access exclusive mode', 4_000, () => hasty.migrate())
    await held('lock table reservations in access exclusive mode', 1_000, async () => {
      assert.deepEqual((await new Wallet(hasty, { instanceId: 'ins_test' }).verifyLedger()).violations, [])
    })
  })

  test('a read-only server is unavailable; once it accepts writes again, every connection is new', async t => {
    const { database, location, remove } = await createTestDatabase('postgres')
    t.after(remove)
    const name = sql.id(new URL(location.databaseUrl ?? '').pathname.slice(1))
    const write = () =>
      database.queries
        .insertInto('instances')
        .values({ id: newId('ins'), started_at_ms: 1, heartbeat_at_ms: 1 })
        .execute()
    const read = () => sql`select pg_sleep(0.05)`.execute(database.queries)
    await sql`alter database ${name} set default_transaction_read_only = on`.execute(database.queries)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(database.queries)
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(database.queries).catch(() => undefined)
    // Ten connections to the future old primary.
    await Promise.all(Array.from({ length: 10 }, read))
    const refusal = database.transaction(transaction => sql`delete from instances`.execute(transaction))
    await assert.rejects(refusal, DatabaseUnavailableError)
    await sql`alter database ${name} reset default_transaction_read_only`.execute(use().database.queries)
    await write()
    await Promise.all(Array.from({ length: 10 }, write))
  })

  test('a server that may lose confirmed commits is refused, unless its owner accepts that on the server itself', async t => {
    const { database, location, remove } = await createTestDatabase('postgres')
    t.after(remove)
    // The test server runs without fsync and accepts that; this database overrides the acceptance.
    const name = new URL(location.databaseUrl ?? '').pathname.slice(1)
    await sql`alter database ${sql.id(name)} set vitrine.unsafe_settings = ''`.execute(database.queries)
    const { rows } = await sql<{ fsync: string }>`select current_setting('fsync') as fsync`.execute(database.queries)
    if (rows[0]?.fsync === 'on') {
      await (await openDatabase(location)).close()
      return
    }
    await assert.rejects(openDatabase(location), {
      name: 'DatabaseRefusedError',
      message: /^The PostgreSQL server is not safe for credits: expected fsync on /,
    })
  })
})
