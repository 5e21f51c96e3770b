import { MAX_PASSED_OVER, WARM_REACH } from './limits.ts'

/** Jobs that wait, in a fair order: keys take turns, and each key's jobs are first come, first served. */
export class RenderQueue<T extends { readonly keyId: string }> {
  /** Keys with waiting jobs; the one whose turn it is comes first. */
  readonly #byKey = new Map<string, T[]>()
  readonly #passedOver = new WeakMap<T, number>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The sum over the jobs before a new job of a key: its own, and as many of every other key, plus one. */
  sumAhead(keyId: string, measure: (job: T) => number): number {
    const turns = (this.#byKey.get(keyId)?.length ?? 0) + 1
    let sum = 0
    for (const [other, jobs] of this.#byKey) {
      let left = other === keyId ? jobs.length : turns
      for (const job of jobs) {
        if (left-- <= 0) break
        sum += measure(job)
      }
    }
    return sum
  }

  add(job: T): void {
    const jobs = this.#byKey.get(job.keyId)
    if (jobs === undefined) this.#byKey.set(job.keyId, [job])
    else jobs.push(job)
    this.#size += 1
  }

  /** Removes a job. False when it was not in the queue. */
  remove(job: T): boolean {
    const jobs = this.#byKey.get(job.keyId)
    const index = jobs?.indexOf(job) ?? -1
    if (jobs === undefined || index < 0) return false
    jobs.splice(index, 1)
    if (jobs.length === 0) this.#byKey.delete(job.keyId)
    this.#size -= 1
    return true
  }

  /**
   * Takes the next job. A preferred one (its template is warm) may come before its turn, if it is among the
   * first `WARM_REACH` and the first has not been passed over too often.
   */
  take(isPreferred: (job: T) => boolean): T | null {
    const near = this.#inTurn(WARM_REACH)
    const front = near[0]
    if (front === undefined) return null
    const passedOver = this.#passedOver.get(front) ?? 0
    const chosen = passedOver < MAX_PASSED_OVER ? (near.find(isPreferred) ?? front) : front
    if (chosen !== front) this.#passedOver.set(front, passedOver + 1)
    this.remove(chosen)
    this.#endTurn(chosen.keyId)
    return chosen
  }

  /** The next jobs if nothing else came: each key's first, then each key's second, and so on. */
  #inTurn(count: number): T[] {
    const found: T[] = []
    for (let depth = 0; found.length < count; depth += 1) {
      const sizeBefore = found.length
      for (const jobs of this.#byKey.values()) {
        const job = jobs[depth]
        if (job !== undefined && found.length < count) found.push(job)
      }
      if (found.length === sizeBefore) break
    }
    return found
  }

  #endTurn(keyId: string): void {
    const jobs = this.#byKey.get(keyId)
    if (jobs === undefined) return
    this.#byKey.delete(keyId)
    this.#byKey.set(keyId, jobs)
  }
}
