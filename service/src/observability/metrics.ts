import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { DecodedBy } from '@vitrine/engine'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { AccountBudgetName } from '../account-budget/budget-exhausted-error.ts'
import type { PoolState } from '../database/postgres-dialect.ts'
import type { Stage } from '../mockups/generate-mockups.ts'
import type { RenderPoolState } from '../mockups/render-pool.ts'
import type { StorageOperation } from '../storage/s3-storage.ts'
import { serviceVersion } from './service-version.ts'

export type FinishedRequest = {
  /** Method and path pattern; `other` for unknown paths, so that callers cannot create labels. */
  readonly route: string
  readonly status: number
  /** The error code, or `ok`. */
  readonly code: string
  readonly durationMs: number
  readonly stages: readonly Stage[]
  /** The decoder of each artwork. */
  readonly decodedBy: readonly DecodedBy[]
  readonly creditsConsumed: number
  readonly creditsRefunded: number
}

type Load = RenderPoolState & { readonly arrivingCount: number }

/** In seconds, from a saved answer to the 28 s deadline of a request. */
const durationBucketsS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30]

/** Sampling interval of the event loop's delay. Node's figures include the interval. */
const LOOP_SAMPLE_MS = 10

export type MetricSources = {
  readonly load: () => Load
  /** Time since the database last confirmed a heartbeat. */
  readonly databaseSilentMs: () => number
  /** Null on SQLite. */
  readonly poolState: (() => PoolState | null) | null
  /** Whether the node counts requests without Redis; null if no Redis is configured. */
  readonly isRedisAway: (() => boolean) | null
}

/** Disk space of the data folder in bytes, as of the last minute. */
export type DiskUse = { readonly cacheBytes: number; readonly freeBytes: number }

/** A metric with its values, as read from the registry. */
export type ReadMetric = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number]

/** The metrics of this process in the Prometheus format. */
export class Metrics {
  readonly #registry = openRegistry()
  readonly #requests = this.#counter('vitrine_requests_total', 'Answered requests', 'route', 'status', 'code')
  readonly #durations = this.#histogram(
    'vitrine_request_duration_seconds',
    'Time from the head of a request to the end of its answer',
    'route',
  )
  readonly #stages = this.#histogram(
    'vitrine_stage_duration_seconds',
    'Time of the stages of generating a mockup',
    'stage',
  )
  readonly #credits = this.#counter(
    'vitrine_credits_total',
    'Credits consumed, and credits reserved and released',
    'movement',
  )
  readonly #decoded = this.#counter(
    'vitrine_artworks_decoded_total',
    'Artworks of delivered mockups, by decoder: vitrine, general (libvips) or memory (already decoded)',
    'decoder',
  )
  readonly #lostProcesses = this.#counter(
    'vitrine_render_processes_lost_total',
    'Render processes that ended unexpectedly',
  )
  readonly #budgetRefusals = this.#counter(
    'vitrine_account_budget_refusals_total',
    'Requests refused because their account had used up a budget',
    'budget',
  )
  readonly #closedConnections = this.#counter(
    'vitrine_connections_closed_total',
    'Connections closed because there were too many: of one client, or in all',
    'bound',
  )
  readonly #storageDurations = this.#histogram(
    'vitrine_storage_duration_seconds',
    'Time of operations on S3; for a read, until its first bytes are available',
    'operation',
  )
  readonly #storageFailures = this.#counter(
    'vitrine_storage_failures_total',
    'Operations that S3 did not do: refused connections, timeouts, SlowDown',
    'operation',
  )
  readonly #transactions = this.#histogram(
    'vitrine_database_transaction_duration_seconds',
    'Time of writing transactions, their repetitions included, by outcome: done or failed',
    'outcome',
  )
  readonly #repeatedTransactions = this.#counter(
    'vitrine_database_transaction_retries_total',
    'Repetitions of writing transactions after conflicts and lost connections',
  )
  readonly #givenBack = this.#counter(
    'vitrine_swept_credits_total',
    'Reserved credits that this node released because they were not settled: expired, or process_died',
    'cause',
  )
  readonly #templates = this.#counter(
    'vitrine_template_cache_total',
    'Jobs sent to a render process that had their template prepared (hit), or had not (miss)',
    'result',
  )
  readonly #notCredited = this.#counter(
    'vitrine_payments_not_credited_total',
    'Payments whose amount or currency differs from the checkout’s, and that were not credited',
  )
  readonly #failedMails = this.#counter('vitrine_mails_failed_total', 'Mails that the mail server did not take')
  #oldestReservationAtMs: number | null = null
  #disk: DiskUse = { cacheBytes: 0, freeBytes: 0 }

  /** Gauges read the sources whenever metrics are read. */
  constructor({ load, databaseSilentMs, poolState, isRedisAway }: MetricSources) {
    for (const cause of ['expired', 'process_died']) this.#givenBack.inc({ cause }, 0)
    for (const result of ['hit', 'miss']) this.#templates.inc({ result }, 0)
    new Gauge({
      name: 'vitrine_build_info',
      help: 'Always 1; the label is the version that runs',
      labelNames: ['version'],
      registers: [this.#registry],
    }).set({ version: serviceVersion }, 1)
    const gaugeOf = (name: string, help: string, read: () => number) =>
      new Gauge({
        name,
        help,
        registers: [this.#registry],
        collect() {
          this.set(read())
        },
      })
    const gauge = (name: string, help: string, read: (state: Load) => number) => gaugeOf(name, help, () => read(load()))
    const silent = 'Time since the database confirmed a heartbeat, which it should every 5 s; not ready after 30 s'
    gaugeOf('vitrine_database_silent_seconds', silent, () => databaseSilentMs() / 1000)
    const oldest = 'Age of the oldest open reservation of credits, as of the last sweep (every 10 s)'
    gaugeOf('vitrine_oldest_reservation_seconds', oldest, () =>
      this.#oldestReservationAtMs === null ? 0 : Math.max(0, Date.now() - this.#oldestReservationAtMs) / 1000,
    )
    const cached = 'Files in cache/ of the data folder, as of the last minute'
    gaugeOf('vitrine_cache_bytes', cached, () => this.#disk.cacheBytes)
    const free = 'Room on the disk of the data folder, as of the last minute'
    gaugeOf('vitrine_disk_free_bytes', free, () => this.#disk.freeBytes)
    if (poolState !== null) {
      const connections = (name: string, help: string, read: (state: PoolState) => number) =>
        gaugeOf(name, help, () => read(poolState() ?? { inUseCount: 0, idleCount: 0, waitingCount: 0 }))
      connections('vitrine_database_connections_used', 'Database connections in use', state => state.inUseCount)
      connections('vitrine_database_connections_idle', 'Database connections not in use', state => state.idleCount)
      const waiting = 'Queries that wait for a database connection'
      connections('vitrine_database_connections_awaited', waiting, state => state.waitingCount)
    }
    if (isRedisAway !== null)
      gaugeOf('vitrine_redis_away', 'Whether each node counts requests by itself because Redis does not answer', () =>
        Number(isRedisAway()),
      )
    registerEventLoopDelay(this.#registry)
    gauge('vitrine_render_processes', 'Render processes', state => state.processCount)
    gauge('vitrine_render_processes_ready', 'Render processes that can take or do work', state => state.readyCount)
    gauge('vitrine_render_processes_busy', 'Render processes at work', state => state.busyCount)
    gauge('vitrine_render_jobs_waiting', 'Jobs that wait for a render process', state => state.waitingJobCount)
    const admitted = 'Requests between admission and the start of their job'
    gauge('vitrine_requests_admitted', admitted, state => state.admittedCount)
    gauge('vitrine_requests_arriving', 'Generations whose body arrives', state => state.arrivingCount)
  }

  #counter<Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] })
  }

  #histogram<Label extends string>(name: string, help: string, ...labelNames: Label[]): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets: durationBucketsS, registers: [this.#registry] })
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  note(request: FinishedRequest): void {
    const { route, status, code, durationMs, stages, decodedBy, creditsConsumed, creditsRefunded } = request
    this.#requests.inc({ route, status: String(status), code })
    this.#durations.observe({ route }, durationMs / 1000)
    for (const stage of stages) this.#stages.observe({ stage: stage.name }, stage.durationMs / 1000)
    for (const decoder of decodedBy) this.#decoded.inc({ decoder })
    if (creditsConsumed > 0) this.#credits.inc({ movement: 'consumed' }, creditsConsumed)
    if (creditsRefunded > 0) this.#credits.inc({ movement: 'refunded' }, creditsRefunded)
  }

  noteBudgetRefusal(budget: AccountBudgetName): void {
    this.#budgetRefusals.inc({ budget })
  }

  noteLostProcess(): void {
    this.#lostProcesses.inc()
  }

  noteClosedConnection(bound: 'all' | 'client'): void {
    this.#closedConnections.inc({ bound })
  }

  noteStorage(operation: StorageOperation, durationMs: number, isUnavailable: boolean): void {
    this.#storageDurations.observe({ operation }, durationMs / 1000)
    if (isUnavailable) this.#storageFailures.inc({ operation })
  }

  noteTransaction(durationMs: number, repeatedCount: number, isDone: boolean): void {
    this.#transactions.observe({ outcome: isDone ? 'done' : 'failed' }, durationMs / 1000)
    if (repeatedCount > 0) this.#repeatedTransactions.inc(repeatedCount)
  }

  noteGivenBack(credits: number, cause: 'expired' | 'process died'): void {
    this.#givenBack.inc({ cause: cause.replace(' ', '_') }, credits)
  }

  noteOldestReservation(createdAtMs: number | null): void {
    this.#oldestReservationAtMs = createdAtMs
  }

  noteTemplate(isWarm: boolean): void {
    this.#templates.inc({ result: isWarm ? 'hit' : 'miss' })
  }

  noteDisk(use: DiskUse): void {
    this.#disk = use
  }

  notePaymentNotCredited(): void {
    this.#notCredited.inc()
  }

  noteFailedMail(): void {
    this.#failedMails.inc()
  }

  /** All metrics with their values. */
  read(): Promise<readonly ReadMetric[]> {
    return this.#registry.getMetricsAsJSON()
  }

  /** All metrics as text. */
  render(): Promise<string> {
    return this.#registry.metrics()
  }
}

function openRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

/** Replaces `prom-client`'s default metric, whose figures include the sampling interval. */
function registerEventLoopDelay(registry: Registry): void {
  const delays = monitorEventLoopDelay({ resolution: LOOP_SAMPLE_MS })
  delays.enable()
  const lateSeconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - LOOP_SAMPLE_MS) / 1000
  const gauge = new Gauge({
    name: 'vitrine_event_loop_delay_seconds',
    help: 'How late the event loop was since the last reading, by quantile (1 is the worst)',
    labelNames: ['quantile'],
    registers: [],
    collect() {
      if (delays.count === 0) return
      for (const quantile of [0.5, 0.99]) this.set({ quantile }, lateSeconds(delays.percentile(quantile * 100)))
      this.set({ quantile: 1 }, lateSeconds(delays.max))
      delays.reset()
    },
  })
  registry.registerMetric(gauge)
}
