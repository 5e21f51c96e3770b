type Waiting = { readonly start: () => Promise<void>; readonly drop: () => void }

/** Runs one task at a time; of those waiting, only the newest of each name. */
export class NewestOnly {
  readonly #waiting = new Map<string, Waiting>()
  #isWorking = false

  /** Undefined if a newer task of the same name replaced it. Starts asynchronously. */
  run<T>(name: string, task: () => Promise<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.get(name)?.drop()
      this.#waiting.set(name, { start: () => task().then(resolve, reject), drop: () => resolve(undefined) })
      if (!this.#isWorking) void this.#work()
    })
  }

  /** Drops all tasks that have not started. */
  drop(): void {
    for (const { drop } of this.#waiting.values()) drop()
    this.#waiting.clear()
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    await Promise.resolve()
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      const [name, { start }] = next
      this.#waiting.delete(name)
      await start()
    }
    this.#isWorking = false
  }
}
