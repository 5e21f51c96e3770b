import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Wallet } from '../../src/credits/wallet.ts'
import { openDatabase } from '../../src/database/database.ts'
import { newId } from '../../src/database/new-id.ts'
import { type ChaosCluster, RATE_LIMIT, startChaosCluster } from './chaos-cluster.ts'
import { ChaosCustomers } from './chaos-customers.ts'
import { type ChaosFault, chaosFaults } from './chaos-faults.ts'
import { type ChaosWorld, prepareWorld, startArtworks } from './chaos-setup.ts'

export type ChaosReport = {
  /** What was wrong, in sentences; empty where every promise was kept. */
  readonly faults: readonly string[]
  /** By fault: answers by status, and the slowest. */
  readonly phases: ReadonlyMap<string, { readonly statuses: Map<number, number>; slowestMs: number }>
  readonly pictures: number
  readonly replays: number
  readonly limits: readonly { readonly phase: string; readonly passed: number; readonly bound: number }[]
  readonly accounts: readonly { acknowledged: number; unknown: number; consumed: number }[]
}

export type ChaosOptions = {
  /** Rounds of all faults are begun until so much time has passed. */
  readonly seconds: number
  readonly isShort: boolean
  /** All by default. */
  readonly faults?: readonly ChaosFault[]
  readonly onPhase?: (name: string) => void
}

/** Requests of a limit's probe, enough to see a bound that does not hold. */
const PROBE_REQUESTS = RATE_LIMIT * 6

/** Longest wait until nothing is reserved any more: a dead node's work is given back within 45 s. */
const SETTLED_WITHIN_MS = 120_000

/** Breaks one part of a cluster after another while customers use it, and compares what they saw. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  using origin = await startArtworks()
  let world: ChaosWorld | null = null
  const environment = { ARTWORK_ALLOWED_PRIVATE_HOSTS: origin.host }
  await using cluster = await startChaosCluster(environment, async (settings, folder) => {
    world = await prepareWorld(settings, folder, origin.artworks)
  })
  if (world === null) throw new Error('Expected a prepared world')
  return await breakEverything(cluster, world, options)
}

async function breakEverything(cluster: ChaosCluster, world: ChaosWorld, options: ChaosOptions): Promise<ChaosReport> {
  const { seconds, isShort, faults = chaosFaults, onPhase = () => undefined } = options
  const customers = new ChaosCustomers(cluster.url, world)
  const running = customers.run()
  const calmMs = isShort ? 1_000 : 8_000
  const limits: { phase: string; passed: number; bound: number }[] = []
  const probeKeys = [...world.probeKeys]
  const probe = async (fault: ChaosFault | null) => {
    const key = probeKeys.pop()
    if (key === undefined) return
    const { phase } = customers
    // While Redis is away each node counts alone, on top of what Redis had counted.
    const bound = RATE_LIMIT * (fault?.isWithoutRedis === true ? cluster.nodes.length + 1 : 1)
    limits.push({ phase, passed: await customers.probeLimit(key, PROBE_REQUESTS), bound })
  }
  await delay(calmMs)
  await probe(null)
  const startedMs = performance.now()
  do {
    for (const fault of faults) {
      customers.phase = fault.name
      onPhase(fault.name)
      const broken = fault.run(cluster, 1000 * (isShort ? fault.shortSeconds : fault.seconds))
      if (fault.isWithoutRedis === true) await probe(fault)
      await broken
      // So that every loop meets the next fault.
      await customers.settle()
      await delay(calmMs)
    }
  } while (performance.now() - startedMs < seconds * 1000)
  customers.stop()
  await running
  onPhase('accounts')
  return report(cluster, world, customers, limits)
}

async function report(
  { settings, folder, nodes }: ChaosCluster,
  world: ChaosWorld,
  customers: ChaosCustomers,
  limits: ChaosReport['limits'],
): Promise<ChaosReport> {
  const faults = [...customers.faults]
  for (const { phase, passed, bound } of limits)
    if (passed > bound) faults.push(`${phase}: ${passed} requests of one key passed, and ${bound} may`)
  const phases = new Map<string, { statuses: Map<number, number>; slowestMs: number }>()
  for (const { phase, status, durationMs } of customers.noted) {
    const counted = phases.get(phase) ?? { statuses: new Map<number, number>(), slowestMs: 0 }
    counted.statuses.set(status, (counted.statuses.get(status) ?? 0) + 1)
    counted.slowestMs = Math.max(counted.slowestMs, durationMs)
    phases.set(phase, counted)
  }
  const database = await openDatabase({ databaseUrl: settings['DATABASE_URL'], dataDir: path.join(folder, 'setup') })
  try {
    const wallet = new Wallet(database, { instanceId: newId('ins') })
    const accounts: ChaosReport['accounts'][number][] = []
    for (const { accountId, credits } of [...world.accounts, world.poor]) {
      const { consumedCredits: consumed, spendableCredits, reservedCredits } = await settledBalance(wallet, accountId)
      const { acknowledged, unknown } = customers.bills.get(accountId) ?? { acknowledged: 0, unknown: 0 }
      accounts.push({ acknowledged, unknown, consumed })
      if (consumed < acknowledged || consumed > acknowledged + unknown)
        faults.push(`an account paid ${consumed}, received ${acknowledged}, and does not know of ${unknown}`)
      if (spendableCredits + reservedCredits + consumed !== credits) faults.push('credits appeared or were lost')
      if (reservedCredits > 0) faults.push(`${reservedCredits} credits of an account are still reserved`)
    }
    const { violations } = await wallet.verifyLedger()
    for (const violation of violations) faults.push(`the ledger: ${JSON.stringify(violation)}`)
    const defects = nodes.flatMap(({ log }) => log.match(/^.*"level":60.*$/gm) ?? [])
    for (const line of defects) faults.push(`a node ended: ${line.slice(0, 300)}`)
    return { faults, phases, pictures: customers.pictureCount, replays: customers.replayCount, limits, accounts }
  } finally {
    await database.close()
  }
}

/** The balance once nothing of the account is reserved. */
async function settledBalance(wallet: Wallet, accountId: string) {
  const untilMs = performance.now() + SETTLED_WITHIN_MS
  for (;;) {
    const balance = await wallet.balance(accountId)
    if (balance.reservedCredits === 0 || performance.now() > untilMs) return balance
    await delay(500)
  }
}
