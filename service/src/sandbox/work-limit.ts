import { readCpuMs } from './process-stat.ts'

/** The limits of one piece of work in another process. */
export type WorkBounds = {
  /** Processor time, so that slowness caused by other programs is not counted as failure. */
  readonly processorMs: number
  /** Wall-clock time, for a process that is stuck waiting. */
  readonly clockMs: number
}

/** Work that ends sooner is never checked, since each check reads a file. Not counted as processor time. */
const FIRST_CHECK_MS = 250

/** Minimum interval between two checks. */
const CHECK_EVERY_MS = 50

/** Reports when a process takes too long for one piece of work. */
export class WorkLimit {
  readonly #pid: number | undefined
  readonly #onOver: (reason: string) => void
  #timer: NodeJS.Timeout | undefined

  constructor(pid: number | undefined, onOver: (reason: string) => void) {
    this.#pid = pid
    this.#onOver = onOver
  }

  /** Starts limiting a piece of work, in place of the previous one. */
  start(bounds: WorkBounds): void {
    clearTimeout(this.#timer)
    const startedAtMs = performance.now()
    this.#timer = setTimeout(
      () => {
        const fromMs = performance.now()
        this.#look(bounds, { startedAtMs, fromMs, cpuMs: readCpuMs(this.#pid) })
      },
      Math.min(FIRST_CHECK_MS, bounds.clockMs),
    )
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  /** @param first the result of the first check */
  #look(bounds: WorkBounds, first: { startedAtMs: number; fromMs: number; cpuMs: number | null }): void {
    const nowMs = performance.now()
    const cpuMs = first.cpuMs === null ? null : readCpuMs(this.#pid)
    const workedMs = first.cpuMs === null || cpuMs === null ? nowMs - first.fromMs : cpuMs - first.cpuMs
    const leftMs = Math.min(bounds.processorMs - workedMs, first.startedAtMs + bounds.clockMs - nowMs)
    if (leftMs > 0) this.#timer = setTimeout(() => this.#look(bounds, first), Math.max(CHECK_EVERY_MS, leftMs))
    else if (workedMs >= bounds.processorMs) this.#onOver(`${bounds.processorMs} ms of processor time`)
    else this.#onOver(`${bounds.clockMs} ms`)
  }
}
