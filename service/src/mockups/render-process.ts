import type { ChildProcess } from 'node:child_process'
import { getPriority, setPriority } from 'node:os'
import { startSandbox } from '../sandbox/start-sandbox.ts'
import { CANCEL_GRACE_MS, RENDER_NICENESS, START_TIMEOUT_MS } from './limits.ts'
import { ArtworkRejected, RenderFailed } from './render-errors.ts'
import { type FromWorker, fromWorkerSchema, type RenderedMockup, type RenderJob, type ToWorker } from './render-job.ts'

/** How a render process is started. */
export type RenderProcessOptions = {
  /** The TypeScript file that the process runs. */
  readonly workerFile: string
  /** Files and folders that it may read, beyond Node itself. */
  readonly readablePaths: readonly string[]
  /** The folder that holds the private folders of jobs: all that it may write to. */
  readonly tempRoot: string
  /** Memory that it may allocate, in MiB. */
  readonly memoryMib: number
  /** Time for one mockup, in milliseconds, before the process is killed. */
  readonly mockupTimeoutMs: number
  /** Folders where the system's loader finds libraries, where that is not the default (`LD_LIBRARY_PATH`). */
  readonly libraryPath?: string | undefined
}

type Running = {
  readonly jobId: number
  readonly mockups: RenderedMockup[]
  readonly expectedCount: number
  readonly resolve: (mockups: RenderedMockup[]) => void
  readonly reject: (error: Error) => void
  timer: NodeJS.Timeout
}

/**
 * One process that reads strangers' pictures and renders, and that may be killed at any moment without harm to another.
 *
 * It runs in the sandbox: it may read the program and the bundles, and write to the jobs' folders.
 */
export class RenderProcess {
  readonly #child: ChildProcess
  readonly #mockupTimeoutMs: number
  readonly #onIdle: () => void
  readonly #exit = Promise.withResolvers<void>()
  readonly #ready = Promise.withResolvers<boolean>()
  readonly #startTimer: NodeJS.Timeout
  #running: Running | null = null
  #isReady = false
  #isGone = false
  #isKilled = false
  #nextJobId = 1
  #killReason: string | null = null
  #endReason = 'it has not ended'
  #warm: ReadonlySet<string> = new Set()
  jobCount = 0
  residentBytes = 0

  /** @param onIdle called whenever it can take a job, first after it has started */
  constructor(options: RenderProcessOptions, onIdle: () => void) {
    this.#mockupTimeoutMs = options.mockupTimeoutMs
    this.#onIdle = onIdle
    this.#child = startSandbox({
      file: options.workerFile,
      readablePaths: options.readablePaths,
      writablePaths: [options.tempRoot],
      memoryMib: options.memoryMib,
      libraryPath: options.libraryPath,
    })
    yieldToService(this.#child.pid)
    this.#startTimer = setTimeout(() => this.kill('it did not start in time'), START_TIMEOUT_MS)
    this.#child.on('message', message => this.#receive(message))
    this.#child.on('error', () => this.#gone('the render process could not be started or reached'))
    this.#child.once('exit', (code, signal) =>
      this.#gone(this.#killReason ?? `the render process ended (${signal ?? `code ${code}`})`),
    )
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  get isIdle(): boolean {
    return this.#isReady && !this.#isGone && !this.#isKilled && this.#running === null
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** Why it ended, in words for the log. */
  get endReason(): string {
    return this.#endReason
  }

  /** Whether a template is prepared here, by its `warmKey`. */
  isWarmFor(key: string): boolean {
    return this.#warm.has(key)
  }

  /** True once it can take jobs, false when it died before. */
  get ready(): Promise<boolean> {
    return this.#ready.promise
  }

  /** Settles when the process is gone. */
  get exited(): Promise<void> {
    return this.#exit.promise
  }

  /**
   * Renders a job; only one at a time.
   *
   * @throws ArtworkRejected or RenderFailed
   */
  run(job: RenderJob): Promise<RenderedMockup[]> {
    if (!this.isIdle) return Promise.reject(new RenderFailed('The render process is not free'))
    const jobId = this.#nextJobId
    this.#nextJobId += 1
    this.jobCount += 1
    return new Promise((resolve, reject) => {
      const timer = this.#startMockupTimer()
      this.#running = { jobId, mockups: [], expectedCount: job.mockups.length, resolve, reject, timer }
      this.#send({ kind: 'render', jobId, job })
    })
  }

  /** Asks it to drop its job, and kills it when it does not answer soon. */
  cancel(): void {
    const running = this.#running
    if (running === null) return
    this.#send({ kind: 'cancel', jobId: running.jobId })
    clearTimeout(running.timer)
    running.timer = setTimeout(() => this.kill('the job was cancelled'), CANCEL_GRACE_MS)
  }

  /** Ends the process at once, by a signal that nothing can hold up. */
  kill(reason: string): void {
    if (this.#isGone || this.#isKilled) return
    this.#isKilled = true
    this.#killReason = reason
    this.#child.kill('SIGKILL')
  }

  #startMockupTimer(): NodeJS.Timeout {
    return setTimeout(() => this.kill(`no mockup within ${this.#mockupTimeoutMs} ms`), this.#mockupTimeoutMs)
  }

  #send(message: ToWorker): void {
    // A process that has just died is noticed by its exit.
    if (this.#child.connected) this.#child.send(message, () => undefined)
  }

  #receive(message: unknown): void {
    // What one that was killed still had in the pipe counts for nothing.
    if (this.#isKilled) return
    const parsed = fromWorkerSchema.safeParse(message)
    if (!parsed.success) {
      this.kill('the render process spoke out of turn')
      return
    }
    this.#handle(parsed.data)
  }

  #handle(message: FromWorker): void {
    if (message.kind === 'ready') {
      clearTimeout(this.#startTimer)
      this.#isReady = true
      this.#ready.resolve(true)
      this.#onIdle()
      return
    }
    const running = this.#running
    if (running === null || running.jobId !== message.jobId) return
    if (message.kind === 'mockup') {
      const { sizeBytes, widthPx, heightPx, durationMs, stages, decodedBy } = message
      running.mockups.push({ sizeBytes, widthPx, heightPx, durationMs, stages, decodedBy })
      clearTimeout(running.timer)
      running.timer = this.#startMockupTimer()
      return
    }
    this.#running = null
    clearTimeout(running.timer)
    this.residentBytes = message.residentBytes
    this.#warm = new Set(message.warm)
    settle(running, message.outcome)
    this.#onIdle()
  }

  #gone(reason: string): void {
    if (this.#isGone) return
    this.#isGone = true
    this.#endReason = reason
    clearTimeout(this.#startTimer)
    this.#child.kill('SIGKILL')
    const running = this.#running
    this.#running = null
    if (running !== null) {
      clearTimeout(running.timer)
      running.reject(new RenderFailed(`The job failed: ${reason}`))
    }
    this.#ready.resolve(false)
    this.#exit.resolve()
  }
}

type Outcome = Extract<FromWorker, { kind: 'done' }>['outcome']

function settle(running: Running, outcome: Outcome): void {
  switch (outcome.kind) {
    case 'complete':
      if (running.mockups.length === running.expectedCount) running.resolve(running.mockups)
      else running.reject(new RenderFailed('The render process left mockups out'))
      return
    case 'rejected':
      running.reject(new ArtworkRejected(outcome.reason, outcome.message, outcome.frameIndex))
      return
    case 'cancelled':
      running.reject(new RenderFailed('The job was cancelled'))
      return
    case 'failed':
      running.reject(new RenderFailed(outcome.message))
  }
}

/**
 * Puts a render process behind the service's own: with as many of them as cores, the process that answers health checks and settles
 * charges must not wait for a core until a picture is done.
 */
function yieldToService(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, Math.min(19, getPriority() + RENDER_NICENESS))
  } catch {
    // It has ended already, or the system does not allow it: then it is merely not polite.
    return
  }
}
