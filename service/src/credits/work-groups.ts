import { DatabaseUnavailableError } from '../database/database-error.ts'

/** The maximum size of a group: its first member waits for its last. */
const MAX_GROUP = 100

/** A group that takes longer does not block the next: the database may be unavailable. */
const SLOW_GROUP_MS = 1_000

type Pending<Work, Result> = {
  readonly work: Work
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs a group and returns a result for each work, in order. `mayBeDone`: it is a retry, and the failed run
 * may have taken effect.
 */
type RunGroup<Work, Result> = (key: string, works: readonly Work[], mayBeDone: boolean) => Promise<readonly Result[]>

/**
 * Groups concurrent work by key. One group of a key runs at a time; all work that arrives meanwhile forms the
 * next group, in order of arrival. So nothing waits for a group to fill, and groups grow as they take longer.
 */
export class WorkGroups<Work, Result> {
  readonly #run: RunGroup<Work, Result>
  /** Work waiting for the running group of its key. */
  readonly #waiting = new Map<string, Pending<Work, Result>[]>()

  constructor(run: RunGroup<Work, Result>) {
    this.#run = run
  }

  add(key: string, work: Work): Promise<Result> {
    return new Promise((resolve, reject) => {
      const pending = { work, resolve, reject }
      const waiting = this.#waiting.get(key)
      if (waiting === undefined) void this.#runAll(key, pending)
      else waiting.push(pending)
    })
  }

  async #runAll(key: string, first: Pending<Work, Result>): Promise<void> {
    const waiting: Pending<Work, Result>[] = []
    this.#waiting.set(key, waiting)
    for (let group = [first]; group.length > 0; group = waiting.splice(0, MAX_GROUP)) {
      await untilSlow(this.#runGroup(key, group))
    }
    this.#waiting.delete(key)
  }

  /** If a group fails, and not because the database is unavailable, each of its members is retried alone. */
  async #runGroup(key: string, group: readonly Pending<Work, Result>[], mayBeDone = false): Promise<void> {
    try {
      const results = await this.#run(
        key,
        group.map(({ work }) => work),
        mayBeDone,
      )
      for (const [i, { resolve, reject }] of group.entries()) {
        const result = results[i]
        if (result === undefined) reject(new Error('a group left out one of its members'))
        else resolve(result)
      }
    } catch (error) {
      if (group.length === 1 || error instanceof DatabaseUnavailableError) {
        for (const { reject } of group) reject(error)
      } else {
        for (const each of group) await this.#runGroup(key, [each], true)
      }
    }
  }
}

/** Resolves when the work is done, or is too slow to wait for. */
function untilSlow(work: Promise<void>): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, SLOW_GROUP_MS)
    void work.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
