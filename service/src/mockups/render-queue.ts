import { MAX_PASSED_OVER, PASSING_MAX_MS, WARM_REACH } from './limits.ts'

/** What the queue needs to know about a job. */
type Queueable = { readonly accountId: string; readonly expectedMs: number }

type Account<T> = {
  /** Render time that the account has been given, in the queue's virtual time. */
  servedMs: number
  runningCount: number
  readonly waiting: T[]
}

/** Every job has a cost: else an account whose jobs are expected to take no time would always be next. */
const JOB_MIN_MS = 1

/**
 * A fair queue of waiting jobs: the account that has been given the least render time is next, and each
 * account's own jobs are first come, first served. An account gains no credit while it has no jobs.
 */
export class RenderQueue<T extends Queueable> {
  readonly #accounts = new Map<string, Account<T>>()
  /** The virtual time: the time that the last served account had been given before. */
  #virtualMs = 0
  readonly #passedOver = new WeakMap<T, number>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The total expected time of the jobs that would run before a new job of an account. */
  expectedMsAhead(accountId: string): number {
    const own = this.#accounts.get(accountId)
    const ownMs = own?.waiting.reduce((sum, job) => sum + costOf(job), 0) ?? 0
    const startMs = Math.max(own?.servedMs ?? 0, this.#virtualMs) + ownMs
    let sumMs = ownMs
    for (const account of this.#accounts.values()) {
      if (account === own) continue
      let { servedMs } = account
      for (const job of account.waiting) {
        if (servedMs > startMs) break
        sumMs += costOf(job)
        servedMs += costOf(job)
      }
    }
    return sumMs
  }

  add(job: T): void {
    const account = this.#accounts.get(job.accountId) ?? { servedMs: 0, runningCount: 0, waiting: [] }
    if (account.waiting.length === 0) account.servedMs = Math.max(account.servedMs, this.#virtualMs)
    account.waiting.push(job)
    this.#accounts.set(job.accountId, account)
    this.#size += 1
  }

  /** Removes a job. False if it was not in the queue. */
  remove(job: T): boolean {
    const isRemoved = this.#takeOut(job) !== null
    if (isRemoved) this.#forget()
    return isRemoved
  }

  /**
   * Takes the next job; `end` must follow. A short job that is preferred (its template is warm) may overtake
   * others within the first `WARM_REACH`, unless the first job has been overtaken too often.
   *
   * @param mayStart false for accounts whose jobs must wait now
   */
  take(isPreferred: (job: T) => boolean, mayStart: (accountId: string) => boolean = () => true): T | null {
    const near = this.#inTurn(WARM_REACH, mayStart)
    const front = near[0]
    if (front === undefined) return null
    const passedOver = this.#passedOver.get(front) ?? 0
    const mayPass = (job: T) => job.expectedMs <= PASSING_MAX_MS && isPreferred(job)
    const chosen = passedOver < MAX_PASSED_OVER && !isPreferred(front) ? (near.find(mayPass) ?? front) : front
    if (chosen !== front) this.#passedOver.set(front, passedOver + 1)
    this.#virtualMs = Math.max(this.#virtualMs, this.#accounts.get(front.accountId)?.servedMs ?? 0)
    const account = this.#takeOut(chosen)
    if (account === null) return null
    account.servedMs += costOf(chosen)
    account.runningCount += 1
    return chosen
  }

  /** Replaces a job's expected time by its actual time; 0 if it did not begin. */
  end(job: T, tookMs: number): void {
    const account = this.#accounts.get(job.accountId)
    if (account === undefined) throw new Error('A job ended that was not taken')
    account.servedMs += tookMs - costOf(job)
    account.runningCount -= 1
    this.#forget()
  }

  /** Removes a waiting job and returns its account, or null. */
  #takeOut(job: T): Account<T> | null {
    const account = this.#accounts.get(job.accountId)
    const index = account?.waiting.indexOf(job) ?? -1
    if (account === undefined || index < 0) return null
    account.waiting.splice(index, 1)
    this.#size -= 1
    return account
  }

  /** The next jobs, if no others arrive. */
  #inTurn(count: number, mayStart: (accountId: string) => boolean): T[] {
    const accounts = [...this.#accounts].filter(([id, { waiting }]) => waiting.length > 0 && mayStart(id))
    const heads = accounts.map(([, { servedMs, waiting }]) => ({ servedMs, waiting, taken: 0 }))
    const found: T[] = []
    while (found.length < count) {
      let next: (typeof heads)[number] | null = null
      for (const head of heads) {
        if (head.taken < head.waiting.length && (next === null || head.servedMs < next.servedMs)) next = head
      }
      const job = next?.waiting[next.taken]
      if (next === null || job === undefined) break
      found.push(job)
      next.taken += 1
      next.servedMs += costOf(job)
    }
    return found
  }

  /** Removes accounts without jobs that have no lead over the others; all of them when the queue is idle. */
  #forget(): void {
    const accounts = [...this.#accounts]
    const isIdle = accounts.every(([, { runningCount, waiting }]) => runningCount === 0 && waiting.length === 0)
    for (const [accountId, { servedMs, runningCount, waiting }] of accounts) {
      const isDone = runningCount === 0 && waiting.length === 0
      if (isIdle || (isDone && servedMs <= this.#virtualMs)) this.#accounts.delete(accountId)
    }
  }
}

function costOf({ expectedMs }: Queueable): number {
  return Math.max(JOB_MIN_MS, expectedMs)
}
