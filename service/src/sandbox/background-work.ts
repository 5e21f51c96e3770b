import type { ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** A client that makes one mockup after the other sends the next one within this time. */
const RESUME_AFTER_MS = 100

/** While mockups never end, a turn of `TURN_MS` in each of these: a tenth of one core, so that all ends. */
const TURN_EVERY_MS = 1000
const TURN_MS = 100

/**
 * Work whose result may come later: bundles that are inspected, packs, housekeeping. Where all cores but one
 * are taken by mockups, processes that do it are stopped (SIGSTOP) from the arrival of a mockup's request
 * until its picture is made, and steps of this process do not begin.
 */
export class BackgroundWork implements Disposable {
  /** The next one to have a turn first. */
  readonly #processes = new Set<ChildProcess>()
  readonly #waiting: (() => void)[] = []
  /** So many mockups at once leave no core to others. */
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

  /** A mockup comes. What is in its way goes on after the disposal. */
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

  /** Resolves when no mockup is in the way, or when it has its turn while they never end. */
  async idle(): Promise<void> {
    if (!this.#isHeld) return
    await new Promise<void>(resolve => this.#waiting.push(resolve))
  }

  /** A process that works in the background, to its end. */
  add(process: ChildProcess): void {
    this.#processes.add(process)
    process.once('exit', () => this.#processes.delete(process))
    if (this.#isHeld) process.kill('SIGSTOP')
  }

  /** Ends all waiting: the service stops. */
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
