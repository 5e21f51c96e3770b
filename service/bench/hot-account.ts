/**
 * Mockups per second that one account can pay for, on PostgreSQL: reserve and settle, by several processes.
 *
 *   node service/bench/hot-account.ts [--processes 4] [--in-flight 32] [--seconds 10] [--rounds 1]
 *     [--at-least 1000]
 *
 * `--in-flight` is for each process. Runs with 1 account and with 64, each with the grouped operations of the
 * service and with every operation in a transaction of its own, in turn. The server is the one of the tests,
 * but waits for its disk. A round trip is a query that the driver sends. Ends with code 1 where one account
 * with groups is slower than asked for, where the ledger is wrong, or where other credits were consumed than
 * acknowledged.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { z } from 'zod'
import { Accounts } from '../src/accounts/accounts.ts'
import { BatchWalletStore } from '../src/credits/batch-wallet-store.ts'
import { GroupedWalletStore } from '../src/credits/grouped-wallet-store.ts'
import { Wallet } from '../src/credits/wallet.ts'
import { openDatabase } from '../src/database/database.ts'
import { newId } from '../src/database/new-id.ts'
import { startPostgres } from '../test/servers/postgres.ts'
import { readProcessTimes } from './process-times.ts'

const stores = { grouped: GroupedWalletStore, alone: BatchWalletStore }
const storeNames = ['grouped', 'alone'] as const satisfies readonly (keyof typeof stores)[]
const job = z.object({
  databaseUrl: z.string(),
  store: z.enum(storeNames),
  accountIds: z.array(z.string()),
  inFlight: z.number(),
  seconds: z.number(),
})
const result = z.object({
  mockups: z.number(),
  roundTrips: z.number(),
  cpuMs: z.number(),
  waitsMs: z.array(z.number()),
})

const given = process.env['HOT_ACCOUNT_JOB']
if (given === undefined) await measureAll()
else await spend(job.parse(JSON.parse(given)))

/** One process that spends. */
async function spend({ databaseUrl, store: name, accountIds, inFlight, seconds }: z.infer<typeof job>): Promise<void> {
  let roundTrips = 0
  const query: unknown = Reflect.get(Client.prototype, 'query')
  if (typeof query !== 'function') throw new TypeError('Expected a client of pg')
  const countAndQuery = function (this: Client, ...values: unknown[]): unknown {
    roundTrips++
    return Reflect.apply(query, this, values)
  }
  Object.defineProperty(Client.prototype, 'query', { value: countAndQuery })
  const database = await openDatabase({ databaseUrl, dataDir: '' })
  const store = new stores[name](database)
  const charge = async (accountId: string): Promise<void> => {
    const reservationId = newId('res')
    const order = { accountId, keyId: null, credits: 1, requestId: 'req_bench', instanceId: 'ins_bench' }
    const times = { nowMs: Date.now(), expiresAtMs: Date.now() + 60_000 }
    const { isReserved } = await store.reserve({ ...order, ...times, reservationId, entryId: newId('ent') })
    if (!isReserved) throw new Error('the account has no credits left')
    const end = { state: 'settled', cause: null, nowMs: Date.now() } as const
    if (!(await store.resolve({ ...end, reservationId, entryId: newId('ent') })).isMine) throw new Error('not settled')
  }
  // Connections are made, and statements planned.
  await Promise.all(Array.from({ length: 200 }, (_, i) => charge(accountIds[i % accountIds.length] ?? '')))
  process.send?.('ready')
  await once(process, 'message')
  roundTrips = 0
  const cpuBefore = process.cpuUsage()
  const endMs = performance.now() + seconds * 1000
  const waitsMs: number[] = []
  const keepSpending = async (lane: number): Promise<void> => {
    for (let i = lane; performance.now() < endMs; i += inFlight) {
      const startedMs = performance.now()
      await charge(accountIds[i % accountIds.length] ?? '')
      waitsMs.push(performance.now() - startedMs)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, (_, lane) => keepSpending(lane)))
  const { user, system } = process.cpuUsage(cpuBefore)
  process.send?.({ mockups: waitsMs.length, roundTrips, cpuMs: (user + system) / 1000, waitsMs })
  await database.close()
  process.disconnect?.()
}

async function measureAll(): Promise<void> {
  const { values } = parseArgs({
    options: {
      processes: { type: 'string', default: '4' },
      'in-flight': { type: 'string', default: '32' },
      seconds: { type: 'string', default: '10' },
      rounds: { type: 'string', default: '1' },
      'at-least': { type: 'string', default: '1000' },
    },
  })
  const postgres = await startPostgres({ isDurable: true })
  const rates = new Map<string, number[]>()
  try {
    const database = await openDatabase({ databaseUrl: postgres.url, dataDir: '' })
    await database.migrate()
    const accounts = new Accounts(database)
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const accountCount of [1, 64]) {
        for (const store of storeNames) {
          const accountIds: string[] = []
          for (let i = 0; i < accountCount; i++) {
            const email = `${newId('acc')}@example.org`
            accountIds.push((await accounts.create({ email, credits: 10_000_000 })).accountId)
          }
          const { text, rate } = await measure(
            {
              databaseUrl: postgres.url,
              store,
              accountIds,
              inFlight: Number(values['in-flight']),
              seconds: Number(values.seconds),
            },
            Number(values.processes),
          )
          const name = `${accountCount} account${accountCount > 1 ? 's' : ''}, ${store}`
          rates.set(name, [...(rates.get(name) ?? []), rate])
          console.log(`${name}: ${text}`)
        }
      }
    }
    const wallet = new Wallet(database, { instanceId: 'ins_bench' })
    const { violations, openReservations, entries } = await wallet.verifyLedger()
    console.log(`ledger of ${entries} entries: ${violations.length} violations, ${openReservations} open reservations`)
    if (violations.length > 0 || openReservations > 0) process.exitCode = 1
    await database.close()
  } finally {
    await postgres.stop()
  }
  for (const [name, all] of rates) {
    console.log(`median of ${all.length}: ${name}: ${median(all).toFixed(0)} mockups/s`)
  }
  if (median(rates.get('1 account, grouped') ?? []) < Number(values['at-least'])) process.exitCode = 1
}

async function measure(start: z.infer<typeof job>, processCount: number): Promise<{ text: string; rate: number }> {
  const env = { ...process.env, HOT_ACCOUNT_JOB: JSON.stringify(start) }
  const children = Array.from({ length: processCount }, () => fork(import.meta.filename, { execArgv: [], env }))
  await Promise.all(children.map(child => nextMessage(child)))
  const before = readProcessTimes(process.pid)
  const startedMs = performance.now()
  const answers = Promise.all(children.map(child => nextMessage(child)))
  for (const child of children) child.send('go')
  const results = (await answers).map(answer => result.parse(answer))
  const seconds = (performance.now() - startedMs) / 1000
  const after = readProcessTimes(process.pid)
  const sum = (name: 'mockups' | 'roundTrips' | 'cpuMs') => results.reduce((total, each) => total + each[name], 0)
  const mockups = sum('mockups')
  const waitsMs = results.flatMap(each => each.waitsMs).toSorted((a, b) => a - b)
  const p = (share: number) => (waitsMs[Math.floor(waitsMs.length * share)] ?? Number.NaN).toFixed(0)
  const serverMs = after.childrenMs - before.childrenMs - sum('cpuMs')
  const each = (total: number, digits = 2) => (total / mockups).toFixed(digits)
  return {
    rate: mockups / seconds,
    text: `${(mockups / seconds).toFixed(0)} mockups/s; ${each(sum('roundTrips'))} round trips a mockup; CPU ms a mockup: service ${each(sum('cpuMs'), 3)}, server ${each(serverMs, 3)}; reserve + settle p50 ${p(0.5)} ms, p99 ${p(0.99)} ms`,
  }
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', code => reject(new Error(`a process ended with ${code}`)))
  })
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
