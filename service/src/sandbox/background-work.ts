import type { ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** A client that makes mockups one by one sends the next request within this time. */
const RESUME_AFTER_MS = 100

/**
 * Under continuous load, background work gets `TURN_MS` in each such interval: a tenth of one core, so that
 * it completes eventually.
 */
const TURN_EVERY_MS = 1000
const TURN_MS = 100

/**
 * Runs low-priority work: inspecting bundles, making packs, housekeeping. While mockups take all cores but
 * one, its processes are stopped (SIGSTOP) from the arrival of a mockup's request until its picture is made,
 * and steps in this process do not start.
 */
export class BackgroundWork implements Disposable {
  /** In the order of their next turn. */
  readonly #processes = new Set<ChildProcess>()
  readonly #waiting: (() => void)[] = []
  /** With this many concurrent mockups no core is left for other work. */
  readonly #mockupsMax: number
  #mockupCount = 0
  #isHeld = false
  #resumeTimer: NodeJS.Timeout | undefined
  #turnTimer: NodeJS.Timeout | undefined
  #inTurn: ChildProcess | null = null
  #isClosed = false

  constructor({ coreCount = availableParallelism() }: { coreCount?: number } = {}) {
    this.#mockupsMax = Math.max(1, coreCount - 1)
  }

  /** Pauses background work for a mockup. Disposing resumes it. */
  giveWay(): Disposable {
    this.#mockupCount++
    if (this.#mockupCount >= this.#mockupsMax) {
      clearTimeout(this.#resumeTimer)
      this.#hold()
    }
    let isOver = false
    return {
      [Symbol.dispose]: () => {
        if (isOver) return
        isOver = true
        this.#mockupCount--
        if (this.#mockupCount !== this.#mockupsMax - 1) return
        this.#resumeTimer = setTimeout(() => this.#resume(), RESUME_AFTER_MS).unref()
      },
    }
  }

  /** Resolves when no mockups are in progress, or when it has its turn under continuous load. */
  async idle(): Promise<void> {
    if (!this.#isHeld) return
    await new Promise<void>(resolve => this.#waiting.push(resolve))
  }

  /** Adds a background process, until it ends. */
  add(process: ChildProcess): void {
    this.#processes.add(process)
    process.once('exit', () => this.#processes.delete(process))
    if (this.#isHeld) process.kill('SIGSTOP')
  }

  /** Ends all waiting, when the service stops. */
  [Symbol.dispose](): void {
    this.#isClosed = true
    clearTimeout(this.#resumeTimer)
    this.#resume()
  }

  #hold(): void {
    if (this.#isHeld || this.#isClosed) return
    this.#isHeld = true
    for (const process of this.#processes) process.kill('SIGSTOP')
    this.#turnTimer = setInterval(() => this.#giveTurn(), TURN_EVERY_MS).unref()
  }

  #resume(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    clearInterval(this.#turnTimer)
    this.#inTurn = null
    for (const process of this.#processes) process.kill('SIGCONT')
    for (const begin of this.#waiting.splice(0)) begin()
  }

  #giveTurn(): void {
    const begin = this.#waiting.shift()
    if (begin !== undefined) return begin()
    const [process] = this.#processes
    if (process === undefined) return
    this.#processes.delete(process)
    this.#processes.add(process)
    this.#inTurn = process
    process.kill('SIGCONT')
    setTimeout(() => {
      if (this.#inTurn !== process) return
      this.#inTurn = null
      process.kill('SIGSTOP')
    }, TURN_MS).unref()
  }
}
