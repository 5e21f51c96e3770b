/**
 * Measures how long database work for credits blocks the thread that serves requests.
 *
 *   node service/test/money/event-loop.ts [seconds]
 *
 * 40 mockups a second are reserved and settled while another process writes to the same database, holding its
 * lock for 100 ms four times a second: with the database in its own thread, as in the service; with
 * node:sqlite on the main thread (the same statements, `synchronous=FULL`); and without any, which is this
 * machine's current baseline.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { Accounts } from '../../src/accounts/accounts.ts'
import { Wallet } from '../../src/credits/wallet.ts'
import { openDatabase } from '../../src/database/database.ts'

const MOCKUPS_PER_SECOND = 40
const dataDir = process.env['EVENT_LOOP_WRITER_DIR']

if (dataDir === undefined) await measureAll(Number(process.argv[2] ?? 10))
else await writeBeside(dataDir)

/** What an operator's command does beside the server, exaggerated. */
async function writeBeside(folder: string): Promise<never> {
  const database = new DatabaseSync(path.join(folder, 'vitrine.db'), { timeout: 10_000 })
  process.send?.('ready')
  for (;;) {
    database.exec('BEGIN IMMEDIATE')
    database.exec('DELETE FROM instances')
    await delay(100)
    database.exec('COMMIT')
    await delay(150)
  }
}

async function measureAll(seconds: number): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-event-loop-'))
  const database = await openDatabase({ dataDir: folder })
  await database.migrate()
  const { accountId } = await new Accounts(database).create({ email: 'a@example.org', credits: 1_000_000 })
  const wallet = new Wallet(database, { instanceId: 'ins_bench' })
  const writer = fork(import.meta.filename, { execArgv: [], env: { ...process.env, EVENT_LOOP_WRITER_DIR: folder } })
  await once(writer, 'message')

  const charge = async (): Promise<void> => {
    const order = { accountId, keyId: null, credits: 1, requestId: 'req', expiresAtMs: Date.now() + 60_000 }
    const result = await wallet.reserve(order)
    if (result.ok) await wallet.settle(result.reservationId)
  }
  const main = new DatabaseSync(path.join(folder, 'vitrine.db'), { timeout: 10_000 })
  main.exec('PRAGMA synchronous=FULL')
  const chargeOnMainThread = async (): Promise<void> => {
    for (const [from, to] of [
      ['spendable', 'reserved'],
      ['reserved', 'consumed'],
    ]) {
      main.exec('BEGIN IMMEDIATE')
      main.exec(`UPDATE wallets SET ${from} = ${from} - 1, ${to} = ${to} + 1`)
      main.exec(`INSERT INTO usage_failures VALUES ('${performance.now()}', '${from}', '', '', 1)`)
      main.exec('COMMIT')
    }
  }
  console.log('measured            event-loop delay in ms: p50     p99     max    charges, slowest in ms')
  await measure('no money', seconds, async () => undefined)
  await measure('thread', seconds, charge)
  await measure('main thread', seconds, chargeOnMainThread)
  writer.kill()
  main.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
}

async function measure(name: string, seconds: number, charge: () => Promise<void>): Promise<void> {
  const histogram = monitorEventLoopDelay({ resolution: 1 })
  const charges: Promise<number>[] = []
  histogram.enable()
  const endsAtMs = performance.now() + seconds * 1000
  while (performance.now() < endsAtMs) {
    const startedMs = performance.now()
    charges.push(charge().then(() => performance.now() - startedMs))
    await delay(1000 / MOCKUPS_PER_SECOND)
  }
  histogram.disable()
  const slowestMs = Math.max(...(await Promise.all(charges)))
  const ms = (nanoseconds: number) => (nanoseconds / 1e6).toFixed(1).padStart(8)
  console.log(
    `${name.padEnd(40)}${ms(histogram.percentile(50))}${ms(histogram.percentile(99))}${ms(histogram.max)}    ${charges.length}, ${slowestMs.toFixed(0)}`,
  )
}
