import { once } from 'node:events'
import os from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { balance as balanceSchema } from '@vitrine/contract'
import { z } from 'zod'
import { seededRandom } from '../test/seeded-random.ts'
import { LoadClient, type OnAnswer } from './load-client.ts'
import { type ArtworkSource, buildMockupRequests, closedLoop, pick } from './mockup-load.ts'
import { readProcessTimes } from './process-times.ts'
import type { SpawnedService } from './spawned-service.ts'

/** The load and how long it lasts. */
export type OverloadPlan = {
  /** Each level of load, in seconds. */
  readonly seconds: number
  /** Offered load, as multiples of the capacity. */
  readonly factors: readonly number[]
  /** Accounts that share the load: the service bounds the downloads of each. */
  readonly accountCount: number
  /** API keys of these accounts. */
  readonly keyCount: number
  /** Width of the mockups, in pixels. */
  readonly widthPx: number
  readonly artwork: ArtworkSource
  /**
   * Whether this process takes a lower priority than the service, with which it shares the machine. The
   * thread that asks /healthz keeps the first priority.
   */
  readonly yields: boolean
}

type Customer = Awaited<ReturnType<SpawnedService['customer']>>

/** The figures of one level of load. */
export type LoadLevel = {
  readonly factor: number
  readonly offeredPerSecond: number
  readonly goodputPerSecond: number
  /** Of accepted requests, in milliseconds. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly countByStatus: Readonly<Record<string, number>>
  /** How the connections of unanswered requests broke, and after how many milliseconds. */
  readonly faults: readonly string[]
  /** Of GET /healthz, in milliseconds. */
  readonly healthP50Ms: number
  readonly healthP99Ms: number
  readonly healthMaxMs: number
  readonly cost: LoadCost
}

/** Processor time, in milliseconds. */
export type LoadCost = {
  /** of the service's own process for each answer */
  readonly serviceMsPerAnswer: number
  /** of this client for each answer: on one machine it is not available to the service */
  readonly clientMsPerAnswer: number
  /** of the render processes for each mockup */
  readonly renderMsPerMockup: number
  /** of all three for each mockup */
  readonly msPerMockup: number
}

export type OverloadFigures = {
  /** In a closed loop, where nothing is refused. */
  readonly capacityPerSecond: number
  readonly capacityCost: LoadCost
  readonly levels: readonly LoadLevel[]
  readonly mockupsDelivered: number
  readonly creditsConsumed: number
}

/** Measures the capacity in a closed loop, then offers multiples of it in an open loop, on schedule. */
export async function measureOverload(
  service: SpawnedService,
  plan: OverloadPlan,
  onLevel: (level: LoadLevel) => void = () => undefined,
): Promise<OverloadFigures> {
  const accounts: Customer[] = []
  while (accounts.length < plan.accountCount) accounts.push(await service.customer(1_000_000))
  const keys = accounts.map(({ key }) => key)
  for (let index = 0; keys.length < plan.keyCount; index += 1) {
    const { email } = accounts[index % accounts.length] ?? {}
    const created = await service.command('key', 'create', '--email', String(email), '--name', `load ${keys.length}`)
    keys.push(String(created['key']))
  }
  const health = new Worker(new URL('./health-prober.ts', import.meta.url), { workerData: service.url, execArgv: [] })
  await once(health, 'online')
  if (plan.yields) os.setPriority(10)
  const client = new LoadClient(service.url)
  try {
    const requests = await buildMockupRequests(service, keys, plan)
    await closedLoop(client, requests, Math.min(5, plan.seconds))
    const costOfCapacity = await startCost(service)
    const capacityPerSecond = await closedLoop(client, requests, plan.seconds)
    const closedCount = capacityPerSecond * plan.seconds
    const capacityCost = await costOfCapacity(closedCount, closedCount)
    const before = await balanceOf(service, accounts)
    const levels: LoadLevel[] = []
    for (const factor of plan.factors) {
      await drain(health)
      const level = await openLoop(service, client, requests, { factor, capacityPerSecond, seconds: plan.seconds })
      const healthMs = await drain(health)
      const whole = {
        ...level,
        healthP50Ms: quantile(healthMs, 0.5),
        healthP99Ms: quantile(healthMs, 0.99),
        healthMaxMs: quantile(healthMs, 1),
      }
      levels.push(whole)
      onLevel(whole)
    }
    const mockupsDelivered = levels.reduce((sum, { countByStatus }) => sum + (countByStatus['200'] ?? 0), 0)
    const creditsConsumed = before - (await balanceOf(service, accounts))
    return { capacityPerSecond, capacityCost, levels, mockupsDelivered, creditsConsumed }
  } finally {
    client.close()
    await health.terminate()
  }
}

/** How late a request may leave, in milliseconds: several leave together. */
const TICK_MS = 2

async function openLoop(
  service: SpawnedService,
  client: LoadClient,
  requests: readonly Buffer[],
  load: { factor: number; capacityPerSecond: number; seconds: number },
): Promise<Omit<LoadLevel, 'healthP50Ms' | 'healthP99Ms' | 'healthMaxMs'>> {
  const offeredPerSecond = load.factor * load.capacityPerSecond
  const random = seededRandom(load.factor)
  const arrivals = planArrivals(offeredPerSecond, load.seconds, random)
  const answers = new Answers(arrivals.length)
  const costOf = await startCost(service)
  const startedMs = performance.now()
  for (let next = 0; next < arrivals.length; ) {
    const nowMs = performance.now() - startedMs
    for (; next < arrivals.length && (arrivals[next] ?? 0) <= nowMs; next += 1) {
      client.start(pick(requests, Math.floor(random() * requests.length)), next, answers.take)
    }
    // Requests due at about the same time leave together: each wake-up takes a core from the service.
    if (next < arrivals.length) await delay(Math.max(TICK_MS, (arrivals[next] ?? 0) - nowMs))
  }
  await answers.all
  const elapsedSeconds = (performance.now() - startedMs) / 1000
  const acceptedMs = answers.durationsMs(200)
  return {
    factor: load.factor,
    offeredPerSecond,
    goodputPerSecond: acceptedMs.length / elapsedSeconds,
    p50Ms: quantile(acceptedMs, 0.5),
    p99Ms: quantile(acceptedMs, 0.99),
    countByStatus: answers.countByStatus(),
    faults: answers.faults,
    cost: await costOf(arrivals.length, acceptedMs.length),
  }
}

/** Starts to measure processor time. The returned function gives it per answer and per mockup. */
async function startCost(service: SpawnedService): Promise<(answers: number, mockups: number) => Promise<LoadCost>> {
  const pid = service.process.pid ?? 0
  const before = readProcessTimes(pid)
  return async (answers, mockups) => {
    const after = readProcessTimes(pid)
    const serviceMs = after.ownMs - before.ownMs
    const clientMs = after.callerMs - before.callerMs
    const renderMs = after.childrenMs - before.childrenMs
    return {
      serviceMsPerAnswer: serviceMs / answers,
      clientMsPerAnswer: clientMs / answers,
      renderMsPerMockup: renderMs / mockups,
      msPerMockup: (serviceMs + clientMs + renderMs) / mockups,
    }
  }
}

/** When requests leave, in milliseconds: a Poisson process, as of many independent customers. */
function planArrivals(perSecond: number, seconds: number, random: () => number): Float64Array {
  const dueMs: number[] = []
  for (let atMs = 0; atMs < seconds * 1000; atMs -= (Math.log(1 - random()) * 1000) / perSecond) dueMs.push(atMs)
  return Float64Array.from(dueMs)
}

/** The outcomes of requests by number, in arrays: the client allocates nothing per request. */
class Answers {
  readonly faults: string[] = []
  readonly #statuses: Uint16Array
  readonly #durationsMs: Float64Array
  readonly #all = Promise.withResolvers<void>()
  #leftCount: number

  constructor(count: number) {
    this.#statuses = new Uint16Array(count)
    this.#durationsMs = new Float64Array(count)
    this.#leftCount = count
  }

  /** Settles when every request has its answer. */
  get all(): Promise<void> {
    return this.#all.promise
  }

  readonly take: OnAnswer = (index, status, durationMs, fault) => {
    this.#statuses[index] = status
    this.#durationsMs[index] = durationMs
    if (fault !== null) this.faults.push(`${fault} (${durationMs.toFixed(0)} ms)`)
    this.#leftCount -= 1
    if (this.#leftCount === 0) this.#all.resolve()
  }

  durationsMs(status: number): number[] {
    return [...this.#durationsMs].filter((_, index) => this.#statuses[index] === status)
  }

  countByStatus(): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const status of this.#statuses) counts[status] = (counts[status] ?? 0) + 1
    return counts
  }
}

/** The prober's durations since the last call. */
async function drain(prober: Worker): Promise<number[]> {
  prober.postMessage('drain')
  const [durations]: unknown[] = await once(prober, 'message')
  return z.array(z.number()).parse(durations)
}

/** The credits of all accounts. */
async function balanceOf(service: SpawnedService, accounts: readonly Customer[]): Promise<number> {
  let credits = 0
  for (const { key } of accounts) {
    const answer = await fetch(`${service.url}/api/v1/billing/balance`, { headers: { authorization: `Bearer ${key}` } })
    credits += balanceSchema.parse(await answer.json()).balance_credits
  }
  return credits
}

function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN
}
