import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { pgbouncerIsMissing, startPgbouncer } from '../../test/servers/pgbouncer.ts'
import { startPostgres, type TestPostgres } from '../../test/servers/postgres.ts'
import { createTestDatabase, type TestDatabase } from '../../test/servers/test-database.ts'
import { Accounts } from '../accounts/accounts.ts'
import { Wallet } from '../credits/wallet.ts'
import { type Database, openDatabase } from './database.ts'
import { withTlsMode } from './postgres-url.ts'

const waitForAll = sql`select pg_sleep(0.3)`

test('a process opens no more connections than its limit', async () => {
  const { database: other, location, remove } = await createTestDatabase('postgres')
  const database = await openDatabase({ ...location, poolSize: 3 })
  const work = Array.from({ length: 9 }, () => waitForAll.execute(database.queries))
  await new Promise(resolve => setTimeout(resolve, 150))
  const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and query like '%pg_sleep%' and pid <> pg_backend_pid()`.execute(other.queries)
  await Promise.all(work)
  await database.close()
  await remove()
  assert.equal(rows[0]?.count, 3)
})

describe('through pgbouncer in transaction mode', { skip: pgbouncerIsMissing }, () => {
  let direct: TestDatabase
  let database: Database
  let stop: () => Promise<void>
  before(async () => {
    direct = await createTestDatabase('postgres', { isMigrated: false })
    const bouncer = await startPgbouncer(direct.location.databaseUrl ?? '')
    stop = bouncer.stop
    database = await openDatabase({ ...direct.location, databaseUrl: bouncer.url })
    await database.migrate()
  })
  after(async () => {
    await database.close()
    await stop()
    await direct.remove()
  })

  const readTimeouts = (from: Database['queries']) =>
    sql<{ name: string; setting: string }>`select name, setting from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') order by name`
      .execute(from)
      .then(({ rows }) => rows.map(({ setting }) => setting))

  test('a transaction has its timeouts, work on whole tables has none, and neither affects later uses', async () => {
    assert.deepEqual(await database.transaction(readTimeouts), ['10000', '10000', '10000'])
    assert.deepEqual(await database.longTransaction(readTimeouts), ['0', '0', '0'])
    assert.deepEqual(await database.transaction(readTimeouts), ['10000', '10000', '10000'])
    for (let i = 0; i < 8; i++) assert.deepEqual(await readTimeouts(database.queries), ['0', '0', '0'])
    await assert.rejects(
      database.transaction(async transaction => {
        await sql`set local statement_timeout = 50`.execute(transaction)
        await sql`select pg_sleep(5)`.execute(transaction)
      }),
      /cannot do its work/,
    )
  })

  test('a server with asynchronous commits commits each transaction synchronously', async () => {
    const read = (from: Database['queries']) =>
      sql<{ value: string }>`select current_setting('synchronous_commit') as value`.execute(from)
    assert.equal((await read(database.queries)).rows[0]?.value, 'off')
    const { rows } = await database.transaction(read)
    assert.equal(rows[0]?.value, 'on')
  })

  test('credits are correct when 40 requests share two connections', async () => {
    const { accountId } = await new Accounts(database).create({ email: 'pooled@example.com', credits: 30 })
    const wallet = new Wallet(database, { instanceId: 'ins_pooled' })
    const expiresAtMs = Date.now() + 60_000
    const reserved = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const request = { accountId, keyId: null, requestId: `req_${index}`, credits: 1, expiresAtMs }
        const outcome = await wallet.reserve(request)
        if (outcome.ok) await wallet.settle(outcome.reservationId)
        return outcome.ok
      }),
    )
    assert.equal(reserved.filter(ok => ok).length, 30)
    const report = await wallet.verifyLedger()
    assert.deepEqual([report.violations, report.spendableCredits], [[], 0])
  })
})

describe('encryption', () => {
  let postgres: TestPostgres
  before(async () => {
    postgres = await startPostgres({ hasTls: true })
  })
  after(() => postgres.stop())

  const withParameters = (parameters: string) => `${postgres.url}?${parameters}`

  async function isEncrypted(databaseUrl: string): Promise<boolean> {
    const database = await openDatabase({ databaseUrl, dataDir: '.' })
    try {
      const look = sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
      const [served, long] = [await look.execute(database.queries), await database.longSnapshot(t => look.execute(t))]
      assert.equal(served.rows[0]?.ssl, long.rows[0]?.ssl)
      return served.rows[0]?.ssl === true
    } finally {
      await database.close()
    }
  }

  test('is used if the server offers it, unless disabled', async () => {
    assert.equal(await isEncrypted(postgres.url), true)
    assert.equal(await isEncrypted(withParameters('sslmode=prefer')), true)
    assert.equal(await isEncrypted(withParameters('sslmode=require')), true)
    assert.equal(await isEncrypted(withParameters('sslmode=disable')), false)
  })

  test('verifies the server with the given authority, and its name if requested', async () => {
    const ca = `sslrootcert=${postgres.certificates?.caFile}`
    assert.equal(await isEncrypted(withParameters(ca)), true)
    assert.equal(await isEncrypted(withParameters(`sslmode=verify-full&${ca}`)), true)
    assert.equal(await isEncrypted(withParameters(`sslmode=verify-ca&${ca}`)), true)
    const otherName = (parameters: string) => withParameters(parameters).replace('127.0.0.1', '127.0.0.2')
    const refusals = [
      withParameters('sslmode=verify-full'),
      withParameters(`sslmode=verify-full&sslrootcert=/etc/hostname`),
      withParameters('sslrootcert=/nowhere.pem'),
    ]
    for (const url of refusals) await assert.rejects(isEncrypted(url), { name: 'DatabaseRefusedError' }, url)
    await assert.rejects(isEncrypted(otherName(`sslmode=verify-full&${ca}`)), { name: 'DatabaseRefusedError' })
  })

  describe('a server without it', () => {
    let plain: Server
    let url = ''
    before(async () => {
      // PostgreSQL's answer if it has no certificate.
      plain = createServer(socket => socket.on('error', () => undefined).once('data', () => socket.end('N')))
      await new Promise<void>(resolve => plain.listen(0, '127.0.0.1', resolve))
      const address = plain.address()
      assert.ok(address !== null && typeof address === 'object')
      url = `postgres://user:p%40ss@127.0.0.1:${address.port}/shop`
    })
    after(() => void plain.close())

    test('is connected to without encryption, unless it is required', async () => {
      const mode = async (address: string) => new URL(await withTlsMode(address)).searchParams.get('sslmode')
      assert.equal(await mode(url), 'disable')
      assert.equal(await mode(`${url}?sslmode=prefer`), 'disable')
      assert.equal(await mode(`${url}?sslmode=require`), 'require')
      await assert.rejects(isEncrypted(`${url}?sslmode=require`), /does not support SSL/)
    })
  })
})
