import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { Accounts } from '../../src/accounts/accounts.ts'
import { ApiKeys } from '../../src/api-keys/api-keys.ts'
import { Wallet } from '../../src/credits/wallet.ts'
import type { Database, DatabaseLocation } from '../../src/database/database.ts'
import { newId } from '../../src/database/new-id.ts'
import { Usage } from '../../src/usage/usage.ts'
import { describeOnBothDatabases } from '../servers/test-database.ts'

const kills = process.env['VITRINE_TEST_SIZE'] === 'full' ? 200 : 3
const message = z.object({ step: z.enum(['started', 'settled', 'released', 'purchased', 'refunded']), id: z.string() })

/** The entry that each confirmed step must have left. */
const entryKinds = {
  started: 'grant',
  settled: 'settle',
  released: 'release',
  purchased: 'purchase',
  refunded: 'refund',
} as const

/**
 * Runs a process that spends until it is killed, a few milliseconds after it has confirmed this many steps
 * (counted, since on a busy machine no time would be enough). Returns what it had confirmed.
 */
function spendUntilKilled(
  start: DatabaseLocation & { accountId: string; keyId: string; round: number },
  afterSteps: number,
) {
  const confirmed: z.infer<typeof message>[] = []
  return new Promise<typeof confirmed>((resolve, reject) => {
    const child = fork(path.join(import.meta.dirname, 'crash-process.ts'), [JSON.stringify(start)], { execArgv: [] })
    child.on('message', received => {
      const step = message.parse(received)
      if (step.step === 'started') return
      confirmed.push(step)
      if (confirmed.length === afterSteps) setTimeout(() => child.kill('SIGKILL'), Math.random() * 20)
    })
    child.once('exit', (code, signal) =>
      signal === 'SIGKILL' ? resolve(confirmed) : reject(new Error(`the process ended with ${code}`)),
    )
  })
}

type Connection = { readonly pid: number; readonly asks: boolean }

/** The connections of PostgreSQL's database, including the one that asks. */
async function findConnections(database: Database): Promise<readonly Connection[]> {
  if (database.kind === 'sqlite') return []
  const { rows } = await sql<Connection>`select pid, pid = pg_backend_pid() as asks from pg_stat_activity
    where datname = current_database()`.execute(database.queries)
  return rows
}

/**
 * Before PostgreSQL notices that a killed client is gone, it executes what the client had already sent: only
 * when the connection has ended can nothing more arrive.
 */
async function untilOthersAreGone(database: Database, own: readonly Connection[]): Promise<void> {
  const pids = new Set(own.map(({ pid }) => pid))
  while ((await findConnections(database)).some(({ pid, asks }) => !asks && !pids.has(pid))) await delay(10)
}

describeOnBothDatabases(`${kills} times kill -9 among reservations and settlements`, use => {
  test('lose nothing that was confirmed, charge nothing twice, leave nothing reserved, and usage shows every credit', async t => {
    const { database, location } = use()
    const { queries } = database
    const { accountId } = await new Accounts(database).create({ email: 'crash@example.org', credits: 1_000_000 })
    const apiKeys = new ApiKeys(database, { onError: () => undefined })
    const usage = new Usage(database, { onError: () => undefined })
    t.after(() => Promise.all([apiKeys.close(), usage.close()]))
    const { keyId } = await apiKeys.create({ accountId, name: 'crash' })
    let confirmedSteps = 0
    let recovered = 0
    for (let round = 0; round < kills; round++) {
      const own = await findConnections(database)
      const confirmed = await spendUntilKilled(
        { ...location, accountId, keyId, round },
        1 + Math.floor(Math.random() * 20),
      )
      confirmedSteps += confirmed.length
      const wallet = new Wallet(database, { instanceId: newId('ins') })
      await untilOthersAreGone(database, own)
      recovered += await wallet.recoverAtStart()

      const report = await wallet.verifyLedger()
      assert.deepEqual(report.violations, [], `after kill ${round}`)
      assert.equal(report.openReservations, 0)
      const { totals } = await usage.statistics({ accountId }, 2)
      const ofKey = await usage.statistics({ accountId, keyId }, 2)
      assert.equal(totals.creditsConsumed, (await wallet.balance(accountId)).consumedCredits)
      assert.ok(ofKey.totals.creditsConsumed <= totals.creditsConsumed)
      for (const { step, id } of confirmed) {
        const entries = await queries
          .selectFrom('ledger_entries')
          .select('id')
          .where(step === 'purchased' ? 'external_id' : 'reservation_id', '=', id)
          .where('kind', '=', entryKinds[step])
          .execute()
        assert.equal(entries.length, 1, `${step} ${id} was confirmed before kill ${round}`)
      }
    }
    t.diagnostic(`${kills} kills: ${confirmedSteps} confirmed steps, ${recovered} reservations given back at a start`)
    assert.ok(confirmedSteps >= kills)
  })
})
