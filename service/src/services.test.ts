import assert from 'node:assert/strict'
import { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { createTestDatabase, describeOnBothDatabases } from '../test/servers/test-database.ts'
import { Accounts } from './accounts/accounts.ts'
import { Wallet } from './credits/wallet.ts'
import type { DatabaseLocation } from './database/database.ts'
import { Instance } from './database/instance.ts'
import { newId } from './database/new-id.ts'
import { Idempotency } from './idempotency/idempotency.ts'
import { renderWorkerFile } from './mockups/worker-files.ts'
import { createLogger } from './observability/logger.ts'
import { openServices } from './services.ts'
import { loadSettings } from './settings/load-settings.ts'

/**
 * Kills the first render process that is started, before it has run a line of its program. Node announces
 * each new process on this channel.
 */
function killFirstRenderProcess(): void {
  const onNewProcess = (message: unknown): void => {
    assert.ok(typeof message === 'object' && message !== null && 'process' in message)
    const { process: child } = message
    assert.ok(child instanceof ChildProcess)
    child.once('spawn', () => {
      if (!child.spawnargs.includes(renderWorkerFile)) return
      // False if another event was first: several processes are started at once.
      if (unsubscribe('child_process', onNewProcess)) child.kill('SIGKILL')
    })
  }
  subscribe('child_process', onNewProcess)
}

test('a start survives losing a render process: the loss is logged and counted, and the process replaced', async t => {
  const { database, location, remove } = await createTestDatabase('sqlite')
  t.after(remove)
  await database.close()
  const log: string[] = []
  const logger = createLogger('warn', { write: line => void log.push(line) })
  killFirstRenderProcess()
  const services = await openServices(loadSettings({ DATA_DIR: location.dataDir, RENDER_WORKERS: '2' }), logger)
  t.after(() => services.close())
  while (services.pool.state.readyCount < 2) await delay(10, undefined, { signal: t.signal })
  assert.equal(log.filter(line => line.includes('a render process ended and is replaced')).length, 1)
  assert.match(await services.metrics.render(), /^vitrine_render_processes_lost_total 1$/m)
})

test('the cache folder is not accessible to other users of the machine', async t => {
  const { database, location, remove } = await createTestDatabase('sqlite')
  t.after(remove)
  await database.close()
  const settings = loadSettings({ DATA_DIR: location.dataDir, RENDER_WORKERS: '1' })
  const services = await openServices(settings, createLogger('silent'))
  t.after(() => services.close())
  assert.equal((await stat(path.join(location.dataDir, 'cache'))).mode & 0o777, 0o700)
})

describeOnBothDatabases('a service that runs', use => {
  const settingsOf = ({ dataDir, databaseUrl }: DatabaseLocation) =>
    loadSettings({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, RENDER_WORKERS: '1' })

  test('releases the reservations of a dead process before it serves', async t => {
    const { database, location } = use()
    const { accountId } = await new Accounts(database).create({ email: 'dead@example.org', credits: 5 })
    const dead = new Wallet(database, { instanceId: newId('ins') })
    const order = { accountId, keyId: null, requestId: 'req', expiresAtMs: Date.now() + 3_600_000 }
    assert.ok((await dead.reserve({ ...order, credits: 3 })).ok)
    const answers = new Idempotency(database, { bodies: { delete: async () => undefined }, instanceId: newId('ins') })
    assert.deepEqual(await answers.begin({ accountId, key: 'k', requestHash: 'a' }), { outcome: 'started' })
    const services = await openServices(settingsOf(location), createLogger('silent'))
    t.after(() => services.close())
    const { spendableCredits, reservedCredits } = await services.wallet.balance(accountId)
    assert.deepEqual([spendableCredits, reservedCredits], [5, 0])
    const again = await services.idempotency.begin({ accountId, key: 'k', requestHash: 'a' })
    assert.deepEqual(again, { outcome: 'started' })
  })

  test('periodically releases expired reservations', async t => {
    const { location } = use()
    t.mock.timers.enable({ apis: ['setInterval'] })
    const services = await openServices(settingsOf(location), createLogger('silent'))
    t.after(() => services.close())
    const { accounts, wallet } = services
    const { accountId } = await accounts.create({ email: 'late@example.org', credits: 5 })
    const order = { accountId, keyId: null, credits: 2, requestId: 'req' }
    assert.ok((await wallet.reserve({ ...order, expiresAtMs: Date.now() - 1000 })).ok)
    assert.ok((await wallet.reserve({ ...order, expiresAtMs: Date.now() + 3_600_000 })).ok)
    // The interface promises credits back within 60 s; a dead process is detected after 30 of them.
    t.mock.timers.tick(30_000)
    while ((await wallet.balance(accountId)).reservedCredits !== 2) await delay(10, undefined, { signal: t.signal })
    assert.equal((await wallet.balance(accountId)).spendableCredits, 3)
    assert.deepEqual((await wallet.verifyLedger()).violations, [])
  })

  test('frees the idempotency keys and reservations of a process that died while it was serving', async t => {
    const { database, location } = use()
    t.mock.timers.enable({ apis: ['setInterval'] })
    const services = await openServices(settingsOf(location), createLogger('silent'))
    t.after(() => services.close())
    const { accountId } = await services.accounts.create({ email: 'died@example.org', credits: 5 })
    const dead = new Idempotency(database, { bodies: { delete: async () => undefined }, instanceId: newId('ins') })
    const asked = { accountId, key: 'k', requestHash: 'a' }
    assert.deepEqual(await dead.begin(asked), { outcome: 'started' })
    assert.deepEqual(await services.idempotency.begin(asked), { outcome: 'conflict' })
    t.mock.timers.tick(10_000)
    while ((await services.idempotency.begin(asked)).outcome !== 'started')
      await delay(10, undefined, { signal: t.signal })
  })

  test('stays ready during a short database outage, until other nodes consider it dead', async t => {
    const { database } = use()
    const seen: (string | null)[] = []
    t.mock.timers.enable({ apis: ['setInterval'] })
    const instance = await Instance.claim(database, { deadAfterMs: 100, onChange: problem => void seen.push(problem) })
    t.after(() => instance.release())
    const beat = async (expected: string | null) => {
      t.mock.timers.tick(5_000)
      while (instance.problem !== expected) await delay(10, undefined, { signal: t.signal })
    }
    assert.equal(instance.isTakenForDead, false)
    await sql`alter table instances rename to instances_away`.execute(database.queries)
    await beat('the database does not answer')
    while (instance.silentMs <= 100) await delay(10)
    assert.equal(instance.isTakenForDead, true)
    await sql`alter table instances_away rename to instances`.execute(database.queries)
    await beat(null)
    assert.equal(instance.isTakenForDead, false)
    assert.deepEqual(seen, ['the database does not answer', null])
  })
})
