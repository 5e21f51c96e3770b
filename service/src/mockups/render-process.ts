import type { ChildProcess } from 'node:child_process'
import { DiskFullError, isDiskFull } from '../errors/disk-full-error.ts'
import { startSandbox } from '../sandbox/start-sandbox.ts'
import { type WorkBounds, WorkLimit } from '../sandbox/work-limit.ts'
import type { PreparedSource } from '../templates/template-bundle.ts'
import { GenerationError, renderFailed } from './generation-error.ts'
import { startBounds } from './limits.ts'
import { ProcessFolder } from './process-folder.ts'
import { type RenderJob, warmKey } from './render-job.ts'
import {
  type FromWorker,
  fromWorkerSchema,
  type JobOutcome,
  type RenderedMockup,
  type ToWorker,
} from './worker-messages.ts'

/** The process was lost before it began this job, so another process may do it. */
export class NotBegunError extends Error {
  override readonly name = 'NotBegunError'
}

export type RenderProcessOptions = {
  /** The TypeScript file that the process runs. */
  readonly workerFile: string
  /** Files and folders of its program. */
  readonly readablePaths: readonly string[]
  /** The root of private folders in which its own is created. */
  readonly tempRoot: string
  /** Memory limit. */
  readonly memoryMib: number
  /** Limits of one mockup, after which the process is killed. */
  readonly mockupBounds: WorkBounds
  /** `LD_LIBRARY_PATH`. */
  readonly libraryPath?: string | undefined
  readonly preparedSource?: PreparedSource | undefined
}

type SentJob = {
  readonly jobId: number
  readonly job: RenderJob
  readonly mockups: RenderedMockup[]
  readonly observer: JobObserver
  readonly resolve: (mockups: RenderedMockup[]) => void
  readonly reject: (error: unknown) => void
  isCancelled: boolean
  /** By the monotonic clock. */
  begunAtMs: number
}

/** Callbacks about the progress of a job. */
export type JobObserver = {
  /** The job begins; called before its promise settles, except by NotBegunError. */
  readonly onBegin?: () => void
  /**
   * A job that had begun has ended, complete or not: its processor time in milliseconds, or its whole
   * duration if its process was lost.
   */
  readonly onEnd?: (processorMs: number) => void
}

/**
 * A sandboxed process that decodes untrusted pictures and renders, and can be killed at any time without harm
 * to others. It can read only its program and its own folder. It runs one job at a time, and may be sent the
 * next one in advance.
 */
export class RenderProcess {
  readonly #child: ChildProcess
  readonly #folder: ProcessFolder
  readonly #mockupBounds: WorkBounds
  readonly #preparedSource: PreparedSource | undefined
  readonly #onIdle: () => void
  readonly #exit = Promise.withResolvers<void>()
  readonly #ready = Promise.withResolvers<boolean>()
  readonly #startLimit: WorkLimit
  readonly #mockupLimit: WorkLimit
  #running: SentJob | null = null
  /** The next job, sent in advance. */
  #ahead: SentJob | null = null
  #isReady = false
  #isGone = false
  #isKilled = false
  #killReason: string | null = null
  #endReason = 'it has not ended'
  #warm: ReadonlySet<string> = new Set()
  jobCount = 0
  residentBytes = 0

  /** @param onIdle called whenever it can take a job, now or in advance; first once it has started */
  constructor(options: RenderProcessOptions, onIdle: () => void) {
    this.#mockupBounds = options.mockupBounds
    this.#preparedSource = options.preparedSource
    this.#onIdle = onIdle
    this.#folder = new ProcessFolder(options.tempRoot)
    this.#child = startSandbox({
      file: options.workerFile,
      readablePaths: [...options.readablePaths, this.#folder.path],
      writablePaths: [this.#folder.outPath],
      memoryMib: options.memoryMib,
      libraryPath: options.libraryPath,
    })
    this.#startLimit = new WorkLimit(this.#child.pid, taken => this.kill(`it did not start within ${taken}`))
    this.#startLimit.start(startBounds)
    this.#mockupLimit = new WorkLimit(this.#child.pid, taken => this.kill(`no mockup within ${taken}`))
    this.#child.on('message', message => this.#receive(message))
    this.#child.on('error', () => this.#gone('the render process could not be started or reached'))
    this.#child.once('exit', (code, signal) => {
      const gone = () => this.#gone(this.#killReason ?? `the render process ended (${signal ?? `code ${code}`})`)
      // Messages sent before its end may still arrive: they show which job it was working on.
      if (this.#child.connected) this.#child.once('disconnect', gone)
      else gone()
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  get isIdle(): boolean {
    return this.#isUp && this.#running === null
  }

  /** Whether it is working and may be sent its next job. */
  get mayTakeAhead(): boolean {
    return this.#isUp && this.#running !== null && this.#ahead === null
  }

  get #isUp(): boolean {
    return this.#isReady && !this.#isGone && !this.#isKilled
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** For the log. */
  get endReason(): string {
    return this.#endReason
  }

  /** Whether a template is prepared here, by its `warmKey`. */
  isWarmFor(key: string): boolean {
    return this.#warm.has(key)
  }

  /** True once it can take jobs, false if it died before. */
  get ready(): Promise<boolean> {
    return this.#ready.promise
  }

  /** Settles when the process is gone. */
  get exited(): Promise<void> {
    return this.#exit.promise
  }

  /**
   * Renders a job, at once or after the current one.
   *
   * @throws GenerationError `artwork-rejected` or `render-failed`; DiskFullError or a system error
   * @throws NotBegunError if the process was lost before the job began
   */
  run(job: RenderJob, observer: JobObserver = {}): Promise<RenderedMockup[]> {
    if (!this.isIdle && !this.mayTakeAhead) return Promise.reject(renderFailed('The render process is not free'))
    this.jobCount += 1
    const jobId = this.jobCount
    let own: RenderJob
    try {
      own = this.#folder.receive(jobId, this.#addPrepared(job))
    } catch (error) {
      this.#folder.forget(jobId, job)
      return Promise.reject(filesFailed('linked', error))
    }
    return new Promise((resolve, reject) => {
      const sent: SentJob = { jobId, job, mockups: [], observer, resolve, reject, isCancelled: false, begunAtMs: 0 }
      if (this.#running === null) this.#begin(sent)
      else this.#ahead = sent
      this.#send({ kind: 'render', jobId, job: own })
    })
  }

  /** Adds the files of prepared templates that the process does not have in memory. */
  #addPrepared(job: RenderJob): RenderJob {
    const source = this.#preparedSource
    if (source === undefined) return job
    const { widthPx } = job.output
    return {
      ...job,
      mockups: job.mockups.map(mockup => ({
        ...mockup,
        prepared: this.isWarmFor(warmKey(mockup.bundle, widthPx)) ? undefined : source.find(mockup.bundle, widthPx),
      })),
    }
  }

  /**
   * Cancels a job. A running job stops at its next check for messages: killing the process for every client
   * that leaves would cost others more than the rest of the job.
   */
  cancel(job: RenderJob): void {
    const sent = [this.#running, this.#ahead].find(other => other?.job === job)
    if (!sent || sent.isCancelled) return
    sent.isCancelled = true
    this.#send({ kind: 'cancel', jobId: sent.jobId })
  }

  /** Ends the process at once, by a signal that cannot be caught. */
  kill(reason: string): void {
    if (this.#isGone || this.#isKilled) return
    this.#isKilled = true
    this.#killReason = reason
    this.#child.kill('SIGKILL')
  }

  #begin(sent: SentJob): void {
    this.#running = sent
    sent.begunAtMs = performance.now()
    this.#mockupLimit.start(this.#mockupBounds)
    sent.observer.onBegin?.()
  }

  #send(message: ToWorker): void {
    // If the process has just died, its exit event handles that.
    if (this.#child.connected) this.#child.send(message, () => undefined)
  }

  #receive(message: unknown): void {
    // Messages of a killed process may still be in the pipe.
    if (this.#isKilled) return
    const parsed = fromWorkerSchema.safeParse(message)
    if (!parsed.success) {
      this.kill('the render process sent a malformed message')
      return
    }
    this.#handle(parsed.data)
  }

  #handle(message: FromWorker): void {
    if (message.kind === 'ready') {
      this.#startLimit.stop()
      this.#isReady = true
      this.#ready.resolve(true)
      this.#onIdle()
      return
    }
    const running = this.#running
    if (running === null || running.jobId !== message.jobId) return
    if (message.kind === 'mockup') {
      const { sizeBytes, widthPx, heightPx, durationMs, stages, preparedFrom, decodedBy, artworks } = message
      const bundle = running.job.mockups[running.mockups.length]?.bundle
      if (bundle) this.#preparedSource?.noteUse(bundle, running.job.output.widthPx, preparedFrom)
      running.mockups.push({ sizeBytes, widthPx, heightPx, durationMs, stages, preparedFrom, decodedBy, artworks })
      if (!running.isCancelled) this.#mockupLimit.start(this.#mockupBounds)
      return
    }
    const next = this.#ahead
    this.#running = null
    this.#ahead = null
    this.#mockupLimit.stop()
    this.residentBytes = message.residentBytes
    this.#warm = new Set(message.warm)
    // Its own figure is untrusted, so it is capped at the elapsed time: it works on one core.
    running.observer.onEnd?.(Math.min(message.processorMs, performance.now() - running.begunAtMs))
    this.#settle(running, message.outcome)
    if (next !== null) this.#begin(next)
    this.#onIdle()
  }

  #settle(running: SentJob, outcome: JobOutcome): void {
    const { jobId, job } = running
    try {
      // The folder of a cancelled job's request is already gone.
      if (outcome.kind === 'complete' && !running.isCancelled) this.#folder.deliver(jobId, job)
      else this.#folder.forget(jobId, job)
      settle(running, outcome)
    } catch (error) {
      this.#folder.forget(jobId, job)
      running.reject(filesFailed('moved', error))
    }
  }

  #gone(reason: string): void {
    if (this.#isGone) return
    this.#isGone = true
    this.#endReason = reason
    this.#startLimit.stop()
    this.#mockupLimit.stop()
    this.#child.kill('SIGKILL')
    this.#running?.observer.onEnd?.(performance.now() - this.#running.begunAtMs)
    this.#running?.reject(renderFailed(`The job failed: ${reason}`))
    this.#ahead?.reject(new NotBegunError(`The job was not begun: ${reason}`))
    this.#running = null
    this.#ahead = null
    this.#ready.resolve(false)
    // What cannot be removed now is removed at the next start.
    this.#folder.remove().then(this.#exit.resolve, this.#exit.resolve)
  }
}

function filesFailed(what: string, error: unknown): unknown {
  return isDiskFull(error) ? error : renderFailed(`The job's files cannot be ${what}: ${String(error)}`)
}

function settle(running: SentJob, outcome: JobOutcome): void {
  switch (outcome.kind) {
    case 'complete':
      if (running.mockups.length === running.job.mockups.length) running.resolve(running.mockups)
      else running.reject(renderFailed('The render process left mockups out'))
      return
    case 'rejected':
      running.reject(new GenerationError({ ...outcome, kind: 'artwork-rejected' }))
      return
    case 'cancelled':
      running.reject(renderFailed('The job was cancelled'))
      return
    case 'disk-full':
      running.reject(new DiskFullError('A mockup could not be written'))
      return
    case 'failed':
      running.reject(renderFailed(outcome.message))
  }
}
