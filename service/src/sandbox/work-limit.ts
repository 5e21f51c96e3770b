import { readCpuMs } from './process-stat.ts'

/** What one piece of work of another process may take. */
export type WorkBounds = {
  /** Processor time: what is slow because other programs want the processors too has not failed. */
  readonly processorMs: number
  /** By the clock, for a process that waits for what never comes. */
  readonly clockMs: number
}

/** Work that ends before needs no look at its process, which reads a file. Not counted as processor time. */
const FIRST_LOOK_MS = 250

/** Two looks are at least so far apart. */
const LOOK_EVERY_MS = 50

/** Tells when a process takes too long for one piece of work. */
export class WorkLimit {
  readonly #pid: number | undefined
  readonly #onOver: (reason: string) => void
  #timer: NodeJS.Timeout | undefined

  constructor(pid: number | undefined, onOver: (reason: string) => void) {
    this.#pid = pid
    this.#onOver = onOver
  }

  /** Begins a piece of work, and forgets the one before. */
  start(bounds: WorkBounds): void {
    clearTimeout(this.#timer)
    const startedAtMs = performance.now()
    this.#timer = setTimeout(
      () => {
        const fromMs = performance.now()
        this.#look(bounds, { startedAtMs, fromMs, cpuMs: readCpuMs(this.#pid) })
      },
      Math.min(FIRST_LOOK_MS, bounds.clockMs),
    )
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  /** @param first what was seen at the first look */
  #look(bounds: WorkBounds, first: { startedAtMs: number; fromMs: number; cpuMs: number | null }): void {
    const nowMs = performance.now()
    const cpuMs = first.cpuMs === null ? null : readCpuMs(this.#pid)
    const workedMs = first.cpuMs === null || cpuMs === null ? nowMs - first.fromMs : cpuMs - first.cpuMs
    const leftMs = Math.min(bounds.processorMs - workedMs, first.startedAtMs + bounds.clockMs - nowMs)
    if (leftMs > 0) this.#timer = setTimeout(() => this.#look(bounds, first), Math.max(LOOK_EVERY_MS, leftMs))
    else if (workedMs >= bounds.processorMs) this.#onOver(`${bounds.processorMs} ms of processor time`)
    else this.#onOver(`${bounds.clockMs} ms`)
  }
}
