import { DEFAULT_PROCESS_MEMORY_MIB, mockupBounds, RECYCLE_JOB_COUNT, RECYCLE_RESIDENT_MIB } from './limits.ts'
import { RenderProcess, type RenderProcessOptions } from './render-process.ts'

export type RenderProcessesOptions = Pick<
  RenderProcessOptions,
  'workerFile' | 'readablePaths' | 'tempRoot' | 'libraryPath' | 'preparedSource'
> &
  Partial<Pick<RenderProcessOptions, 'memoryMib' | 'mockupBounds'>> & {
    /** Number of render processes: one per core. */
    readonly processCount: number
    /** The default is in limits.ts. */
    readonly recycleJobCount?: number
    /** Called when a render process ended unexpectedly. */
    readonly onProcessLost?: (reason: string) => void
  }

type PoolOfProcesses = {
  /** Whether a job of the pool runs in a process. */
  readonly isRunning: (process: RenderProcess) => boolean
  /** Called whenever a process can take a job. */
  readonly onIdle: () => void
}

/** The maximum of the growing delay before replacing processes that die during their start. */
const START_DELAY_MAX_MS = 5000

/**
 * The render processes of a pool. One that dies is replaced at once; one that has done its number of jobs or
 * has grown is replaced without an interruption.
 */
export class RenderProcesses {
  readonly #options: RenderProcessesOptions
  readonly #pool: PoolOfProcesses
  readonly #current = new Set<RenderProcess>()
  /** Processes that continue to work until their replacement is ready. */
  readonly #retiring = new Set<RenderProcess>()
  readonly #startTimers = new Set<NodeJS.Timeout>()
  #started: Promise<boolean> | null = null
  #failedStartCount = 0
  #isClosing = false

  constructor(options: RenderProcessesOptions, pool: PoolOfProcesses) {
    this.#options = options
    this.#pool = pool
  }

  /** Resolves when the processes can take jobs, or have died: whether any can. */
  start(): Promise<boolean> {
    return (this.#started ??= this.#startAll())
  }

  async #startAll(): Promise<boolean> {
    const processes = Array.from({ length: this.#options.processCount }, () => this.#startProcess())
    const ready = await Promise.all(processes.map(process => process.ready))
    return ready.includes(true)
  }

  /** Without those that are being replaced. */
  get current(): RenderProcess[] {
    return [...this.#current]
  }

  /** With those that are being replaced. */
  idle(): RenderProcess[] {
    return [...this.#current, ...this.#retiring].filter(process => process.isIdle)
  }

  isRetiring(process: RenderProcess): boolean {
    return this.#retiring.has(process)
  }

  /** Ends every process. */
  async close(): Promise<void> {
    this.#isClosing = true
    for (const timer of this.#startTimers) clearTimeout(timer)
    const all = [...this.#current, ...this.#retiring]
    for (const process of all) process.kill('the service stopped')
    await Promise.all(all.map(process => process.exited))
  }

  /** Replaces a process that is due. It continues to work until the new one is ready. */
  recycle(process: RenderProcess): void {
    const isDue =
      process.jobCount >= (this.#options.recycleJobCount ?? RECYCLE_JOB_COUNT) ||
      process.residentBytes > RECYCLE_RESIDENT_MIB * 1024 * 1024
    if (!isDue || this.#isClosing || process.isGone || !this.#current.has(process)) {
      if (this.#retiring.has(process)) this.#endRetired()
      return
    }
    try {
      this.#startProcess()
    } catch {
      return // The old process continues: the new one's folder could not be created.
    }
    this.#current.delete(process)
    this.#retiring.add(process)
  }

  #startProcess(): RenderProcess {
    const { workerFile, readablePaths, tempRoot, libraryPath, preparedSource, memoryMib } = this.#options
    const process = new RenderProcess(
      {
        workerFile,
        readablePaths,
        tempRoot,
        libraryPath,
        preparedSource,
        memoryMib: memoryMib ?? DEFAULT_PROCESS_MEMORY_MIB,
        mockupBounds: this.#options.mockupBounds ?? mockupBounds,
      },
      this.#pool.onIdle,
    )
    this.#current.add(process)
    void this.#attend(process)
    return process
  }

  /** Waits for a process to end and replaces it. */
  async #attend(process: RenderProcess): Promise<void> {
    const isReady = await process.ready
    this.#failedStartCount = isReady ? 0 : this.#failedStartCount + 1
    if (isReady) this.#endRetired()
    await process.exited
    const wasRetiring = this.#retiring.delete(process)
    this.#current.delete(process)
    if (this.#isClosing || wasRetiring) return
    this.#options.onProcessLost?.(process.endReason)
    this.#startLater(isReady ? 0 : this.#startDelayMs)
  }

  get #startDelayMs(): number {
    return Math.min(START_DELAY_MAX_MS, 100 * 2 ** Math.min(10, this.#failedStartCount))
  }

  #startLater(delayMs: number): void {
    const timer = setTimeout(() => {
      this.#startTimers.delete(timer)
      if (this.#isClosing) return
      try {
        this.#startProcess()
      } catch (error) {
        // Its folder could not be created, for example because the disk is full.
        this.#failedStartCount += 1
        this.#options.onProcessLost?.(`it could not be started: ${String(error)}`)
        this.#startLater(this.#startDelayMs)
      }
    }, delayMs)
    this.#startTimers.add(timer)
  }

  /** Ends retired processes once enough others are ready. */
  #endRetired(): void {
    const readyCount = this.current.filter(process => process.isIdle || this.#pool.isRunning(process)).length
    if (readyCount < this.#options.processCount) return
    for (const process of this.#retiring) if (!this.#pool.isRunning(process)) process.kill('replaced')
  }
}
