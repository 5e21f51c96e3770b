import assert from 'node:assert/strict'
import { after, before } from 'node:test'

/** What suites of one process share: opened for the first that runs, disposed of after the last. */
export class SharedBySuites<T extends AsyncDisposable> {
  readonly #open: () => Promise<T>
  #suiteCount = 0
  #opened: Promise<T> | null = null

  constructor(open: () => Promise<T>) {
    this.#open = open
  }

  /** Called by a suite, or by a file of tests without one. What it returns is for its tests. */
  use(): () => T {
    let opened: T | null = null
    this.#suiteCount++
    before(async () => {
      opened = await (this.#opened ??= this.#open())
    })
    after(async () => {
      if (--this.#suiteCount > 0) return
      this.#opened = null
      await opened?.[Symbol.asyncDispose]()
    })
    return () => {
      assert(opened !== null, 'it exists inside tests only')
      return opened
    }
  }
}
