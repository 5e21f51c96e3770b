import { AccountShares } from '../account-budget/account-shares.ts'
import type { BackgroundWork } from '../sandbox/background-work.ts'
import { DebtFreeProcess, type IsInDebt } from './debt-free-process.ts'
import { renderBusy, renderFailed } from './generation-error.ts'
import { AHEAD_OF_MS, DEFAULT_QUEUE_LIMIT, DEFAULT_SERVICE_MEMORY_MIB, REQUEST_BUDGET_MS } from './limits.ts'
import { Permit } from './permit.ts'
import { type RenderJob, warmKey } from './render-job.ts'
import { NotBegunError, type RenderProcess } from './render-process.ts'
import { RenderProcesses, type RenderProcessesOptions } from './render-processes.ts'
import { RenderQueue } from './render-queue.ts'
import { RenderTimes } from './render-times.ts'
import { splitJob } from './split-job.ts'
import type { RenderedMockup } from './worker-messages.ts'

export type RenderPoolOptions = RenderProcessesOptions & {
  /** The defaults of these are in limits.ts. */
  readonly queueLimit?: number
  readonly requestBudgetMs?: number
  /** The processes start at the first job, not before `start` resolves. */
  readonly startsAtFirstJob?: boolean
  readonly serviceMemoryMib?: number
  /** Called when an account has already used its share of the queue. */
  readonly onShareExhausted?: () => void
  /** Called when a job is sent: whether its first template is warm in its process. */
  readonly onTemplate?: (isWarm: boolean) => void
  /** Called before a job starts. Throws if its account may not render now. */
  readonly assertMayRender?: (accountId: string) => void
  readonly isInDebt?: IsInDebt
  /** Paused for mockups from their admission on. */
  readonly background?: BackgroundWork
}

export type RenderPoolState = {
  readonly processCount: number
  readonly readyCount: number
  readonly busyCount: number
  readonly waitingJobCount: number
  readonly admittedCount: number
  readonly processIds: readonly number[]
}

type QueuedJob = {
  readonly accountId: string
  readonly job: RenderJob
  readonly permit: Permit
  readonly expectedMs: number
  readonly onProcessorTime: OnProcessorTime
  readonly resolve: (mockups: RenderedMockup[]) => void
  readonly reject: (error: unknown) => void
  startedAtMs: number | null
  /** Whether its request has failed or its client has left. */
  isDropped: boolean
}

/** Called when a part of a job has ended, complete or not, even after `render` has thrown. */
export type OnProcessorTime = (processorMs: number) => void

/** Interval between readings of the service's resident memory, each of which reads a file. */
const RESIDENT_INTERVAL_MS = 100

/**
 * The queue of jobs for the render processes, and the admission of requests. A request that cannot be served
 * in time is refused as soon as that is known. A process that dies fails only its current job.
 */
export class RenderPool implements AsyncDisposable {
  readonly #options: RenderPoolOptions
  readonly #requestBudgetMs: number
  readonly #admissions: AccountShares
  readonly #queue = new RenderQueue<QueuedJob>()
  readonly #running = new Map<RenderProcess, QueuedJob>()
  /** Each process's next job, sent while it runs another. */
  readonly #ahead = new Map<RenderProcess, QueuedJob>()
  readonly #times = new RenderTimes()
  readonly #debtFree: DebtFreeProcess
  readonly #processes: RenderProcesses
  #residentAtMs = Number.NEGATIVE_INFINITY
  #residentBytes = 0
  #isClosing = false

  private constructor(options: RenderPoolOptions) {
    this.#options = options
    this.#requestBudgetMs = options.requestBudgetMs ?? REQUEST_BUDGET_MS
    this.#admissions = new AccountShares(options.queueLimit ?? DEFAULT_QUEUE_LIMIT)
    this.#debtFree = new DebtFreeProcess(options.processCount, options.isInDebt ?? (() => false))
    this.#processes = new RenderProcesses(options, {
      isRunning: process => this.#running.has(process),
      onIdle: () => this.#dispatch(),
    })
  }

  /** Resolves when the processes can take jobs. @throws GenerationError `render-failed` if none starts */
  static async start(options: RenderPoolOptions): Promise<RenderPool> {
    const pool = new RenderPool(options)
    if (options.startsAtFirstJob === true || (await pool.#processes.start())) return pool
    await pool.close()
    throw renderFailed('No render process could be started')
  }

  get state(): RenderPoolState {
    const processes = this.#processes.current
    return {
      processCount: processes.length,
      readyCount: processes.filter(process => process.isIdle).length + this.#running.size,
      busyCount: this.#running.size,
      waitingJobCount: this.#queue.size + this.#ahead.size,
      admittedCount: this.#admissions.count,
      processIds: processes.map(process => process.pid).filter(pid => pid !== undefined),
    }
  }

  /**
   * Admits a request. The caller must release the permit unless it calls `render`.
   *
   * @param startedAtMs when the request began, by the monotonic clock: its deadline counts from there
   * @throws GenerationError `busy`
   */
  admit(accountId: string, startedAtMs = performance.now()): Permit {
    this.assertRoom(accountId)
    const place = this.#admissions.tryTake(accountId)
    if (place === null) throw renderBusy('Too many requests wait', this.#expectedWaitMs(accountId))
    return new Permit(accountId, startedAtMs, place, this.#options.background?.giveWay())
  }

  /** Throws if `admit` would refuse now. @throws GenerationError `busy` */
  assertRoom(accountId: string): void {
    if (this.#isClosing) throw renderBusy('The service is stopping', 1000)
    const waitMs = this.#expectedWaitMs(accountId)
    if (waitMs > 0 && waitMs + this.#times.averageMs > this.#requestBudgetMs)
      throw renderBusy('The wait is too long', waitMs)
    if (this.#isShortOfMemory()) throw renderBusy('The service is short of memory', 1000)
    if (this.#admissions.hasRoom(accountId)) return
    this.#options.onShareExhausted?.()
    throw renderBusy('Too many requests wait', waitMs)
  }

  #isShortOfMemory(): boolean {
    const nowMs = performance.now()
    if (nowMs - this.#residentAtMs >= RESIDENT_INTERVAL_MS) {
      this.#residentAtMs = nowMs
      this.#residentBytes = process.memoryUsage.rss()
    }
    return this.#residentBytes > (this.#options.serviceMemoryMib ?? DEFAULT_SERVICE_MEMORY_MIB) * 1024 * 1024
  }

  /**
   * Renders a job when its turn comes; its files are then complete. A batch is split among the idle
   * processes; if one part fails, the others are cancelled.
   *
   * @param permit determines the account, for the turn, and the start of the request, for the deadline
   * @throws GenerationError `artwork-rejected`, `render-failed` or `busy`; the signal's reason
   */
  async render(
    job: RenderJob,
    permit: Permit,
    signal?: AbortSignal,
    onProcessorTime: OnProcessorTime = () => undefined,
  ): Promise<RenderedMockup[]> {
    // The permit ends when the job begins.
    using _rendering = this.#options.background?.giveWay()
    if (this.#options.startsAtFirstJob === true && !this.#isClosing) await this.#processes.start()
    signal?.throwIfAborted()
    if (this.#isClosing) throw renderBusy('The service is stopping', 1000)
    this.#debtFree.note(permit.accountId)
    const partCount = Math.min(this.#processes.idle().length, this.#debtFree.roomFor(permit.accountId, this.#taken()))
    const parts = splitJob(job, this.#queue.size > 0 ? 1 : partCount)
    const leftMs = permit.startedAtMs + this.#requestBudgetMs - performance.now()
    const waitMs = this.#expectedWaitMs(permit.accountId)
    // If the queue is empty, every job is tried: else too high an estimate would never be corrected.
    if (waitMs > 0 && waitMs + this.#times.expectedMs(job) / parts.length > leftMs) {
      throw renderBusy('The wait is too long', waitMs)
    }
    const failed = new AbortController()
    const either = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal])
    const timer = setTimeout(() => failed.abort(renderBusy('The wait was too long', waitMs)), leftMs)
    const mockups: RenderedMockup[] = []
    try {
      await Promise.all(
        parts.map(async part => {
          try {
            const rendered = await this.#enqueue(part.job, permit, either, onProcessorTime)
            for (const [order, mockup] of rendered.entries()) mockups[part.indexes[order] ?? 0] = mockup
          } catch (error) {
            failed.abort(error)
            throw error
          }
        }),
      )
      return mockups
    } finally {
      clearTimeout(timer)
      permit.release()
    }
  }

  #enqueue(
    job: RenderJob,
    permit: Permit,
    signal: AbortSignal,
    onProcessorTime: OnProcessorTime,
  ): Promise<RenderedMockup[]> {
    return new Promise((resolve, reject) => {
      const abort = () => this.#drop(queued, signal.reason)
      const queued: QueuedJob = {
        accountId: permit.accountId,
        job,
        permit,
        expectedMs: this.#times.expectedMs(job),
        onProcessorTime,
        startedAtMs: null,
        isDropped: false,
        resolve: mockups => {
          signal.removeEventListener('abort', abort)
          resolve(mockups)
        },
        reject: error => {
          signal.removeEventListener('abort', abort)
          reject(error)
        },
      }
      signal.addEventListener('abort', abort, { once: true })
      this.#queue.add(queued)
      this.#dispatch()
    })
  }

  /** Refuses the waiting jobs and ends every process. */
  async close(): Promise<void> {
    this.#isClosing = true
    for (let queued = this.#queue.take(() => false); queued !== null; queued = this.#queue.take(() => false)) {
      queued.reject(renderBusy('The service is stopping', 1000))
    }
    await this.#processes.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** Gives jobs to idle processes, and the next job to those that will soon be idle. */
  #dispatch(): void {
    for (;;) {
      const idle = this.#processes.idle()
      const [first] = idle
      if (first === undefined) break
      // With one idle process, the job is chosen for it; with several, the process is chosen for the job.
      const queued = this.#takeNext(waiting => idle.length === 1 && isWarm(first, waiting.job))
      if (queued === null) return
      void this.#run(idle.find(process => isWarm(process, queued.job)) ?? first, queued)
    }
    for (const [process, { expectedMs }] of this.#running) {
      if (expectedMs > AHEAD_OF_MS || !process.mayTakeAhead || this.#processes.isRetiring(process)) continue
      const queued = this.#takeNext(waiting => isWarm(process, waiting.job))
      if (queued === null) return
      this.#ahead.set(process, queued)
      void this.#run(process, queued)
    }
  }

  /** The next job whose account may render; jobs of other accounts fail. */
  #takeNext(isPreferred: (waiting: QueuedJob) => boolean): QueuedJob | null {
    for (;;) {
      const taken = this.#taken()
      const queued = this.#queue.take(isPreferred, accountId => this.#debtFree.roomFor(accountId, taken) > 0)
      if (queued === null) return null
      try {
        this.#options.assertMayRender?.(queued.accountId)
        return queued
      } catch (error) {
        this.#queue.end(queued, 0)
        queued.reject(error)
      }
    }
  }

  /** Jobs that are running or were sent ahead. */
  #taken(): QueuedJob[] {
    return [...this.#running.values(), ...this.#ahead.values()]
  }

  async #run(process: RenderProcess, queued: QueuedJob): Promise<void> {
    this.#options.onTemplate?.(isWarm(process, queued.job))
    let tookMs = 0
    try {
      const mockups = await process.run(queued.job, {
        onBegin: () => {
          queued.startedAtMs = performance.now()
          queued.permit.release()
          this.#ahead.delete(process)
          this.#running.set(process, queued)
        },
        onEnd: processorMs => {
          tookMs = processorMs
          queued.onProcessorTime(processorMs)
        },
      })
      for (const [index, mockup] of mockups.entries()) this.#times.note(queued.job, index, mockup)
      queued.resolve(mockups)
    } catch (error) {
      if (!(error instanceof NotBegunError)) queued.reject(error)
      else if (this.#isClosing) queued.reject(renderBusy('The service is stopping', 1000))
      else if (!queued.isDropped) this.#queue.add(queued)
    } finally {
      this.#queue.end(queued, tookMs)
      // The process may already have its next job.
      if (this.#running.get(process) === queued) this.#running.delete(process)
      if (this.#ahead.get(process) === queued) this.#ahead.delete(process)
      this.#processes.recycle(process)
      this.#dispatch()
    }
  }

  #drop(queued: QueuedJob, reason: unknown): void {
    queued.isDropped = true
    if (!this.#queue.remove(queued)) {
      for (const [process, sent] of [...this.#running, ...this.#ahead]) if (sent === queued) process.cancel(queued.job)
    }
    queued.reject(reason)
  }

  /**
   * The expected wait of an account's new job, given the jobs that run or come before it. Requests whose
   * artwork is still arriving are not counted, so that stalled downloads of one account cannot cause refusals
   * for others.
   */
  #expectedWaitMs(accountId: string): number {
    const nowMs = performance.now()
    let sumMs = this.#queue.expectedMsAhead(accountId)
    for (const { expectedMs, startedAtMs } of this.#running.values()) {
      sumMs += Math.max(0, expectedMs - (nowMs - (startedAtMs ?? nowMs)))
    }
    for (const { expectedMs } of this.#ahead.values()) sumMs += expectedMs
    return sumMs / this.#options.processCount
  }
}

function isWarm(process: RenderProcess, job: RenderJob): boolean {
  const [first] = job.mockups
  return first !== undefined && process.isWarmFor(warmKey(first.bundle, job.output.widthPx))
}
