import { sql } from 'kysely'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { PeriodicFlush } from '../database/periodic-flush.ts'
import { countInWindow, decide, type RateDecision, type RateLimit, type RateWindow } from './rate-windows.ts'

/** `subject` is whose request it is: a key's id, or a client address. */
type CountedRequest = { readonly subject: string; readonly limits: readonly RateLimit[] }

/** Counts requests against limits. */
export interface RateLimiter {
  /** The decision, at once where nothing has to be asked for it. */
  count(request: CountedRequest): Promise<RateDecision> | RateDecision
  close(): Promise<void>
}

type Subject = {
  readonly windows: Map<number, RateWindow>
  /** What this process counted and has not written yet, by window. */
  readonly unwritten: Map<number, number>
}

/** Some 300 bytes each. The subjects that were quiet for longest are forgotten first: the database still has them. */
const maxSubjects = 50_000
const rowsPerStatement = 500
const forgetEveryMs = 60_000

/**
 * Counts in memory, so that a decision takes no time and 500 requests at the edge get exactly what is left; and writes
 * what it counted every half second, so that a restart goes on where it was. Nodes that share a PostgreSQL add their
 * counts together there and take over the sum, half a second late.
 */
export class DatabaseRateLimiter implements RateLimiter {
  readonly #database: Database
  readonly #clock: Clock
  /** The subjects in the order of their last request. */
  readonly #subjects = new Map<string, Subject>()
  readonly #loading = new Map<string, Promise<Subject>>()
  #changed = new Map<string, Subject>()
  readonly #flush: PeriodicFlush
  #forgottenAtMs: number

  constructor(
    database: Database,
    { clock = steadyClock, onError }: { clock?: Clock; onError: (error: unknown) => void },
  ) {
    this.#database = database
    this.#clock = clock
    this.#forgottenAtMs = clock()
    this.#flush = new PeriodicFlush(() => this.#write(), 500, onError)
  }

  count({ subject: name, limits }: CountedRequest): Promise<RateDecision> | RateDecision {
    const subject = this.#subjects.get(name)
    return subject === undefined ? this.#countUnknown(name, limits) : this.#countFor(name, subject, limits)
  }

  async #countUnknown(name: string, limits: readonly RateLimit[]): Promise<RateDecision> {
    return this.#countFor(name, await this.#load(name), limits)
  }

  #countFor(name: string, subject: Subject, limits: readonly RateLimit[]): RateDecision {
    this.#subjects.delete(name)
    this.#subjects.set(name, subject)
    const nowMs = this.#clock()
    const windows = limits.map(({ windowSeconds }) => {
      const before = subject.windows.get(windowSeconds)
      const window = countInWindow(before, windowSeconds, nowMs)
      if (window !== before) subject.unwritten.set(windowSeconds, 0)
      subject.windows.set(windowSeconds, window)
      subject.unwritten.set(windowSeconds, (subject.unwritten.get(windowSeconds) ?? 0) + 1)
      return window
    })
    this.#changed.set(name, subject)
    return decide(windows, limits, nowMs)
  }

  /** Writes what is counted so far. */
  async flush(): Promise<void> {
    await this.#flush.now()
  }

  async close(): Promise<void> {
    await this.#flush.stop()
  }

  /** The first request of a subject since the start: what was counted before is in the database. */
  async #load(name: string): Promise<Subject> {
    const underWay = this.#loading.get(name)
    if (underWay) return underWay
    const loading = this.#read(name)
    this.#loading.set(name, loading)
    try {
      const subject = await loading
      this.#subjects.set(name, subject)
      this.#forgetQuietSubjects()
      return subject
    } finally {
      this.#loading.delete(name)
    }
  }

  async #read(name: string): Promise<Subject> {
    // Counted but not written yet, though forgotten: it comes back as it was.
    const changed = this.#changed.get(name)
    if (changed) return changed
    const rows = await this.#database.queries
      .selectFrom('rate_windows')
      .select(['window_seconds', 'started_at_ms', 'count'])
      .where('subject', '=', name)
      .execute()
    const windows = rows.map(row => ({
      windowSeconds: row.window_seconds,
      startedAtMs: row.started_at_ms,
      count: row.count,
    }))
    return { windows: new Map(windows.map(window => [window.windowSeconds, window])), unwritten: new Map() }
  }

  #forgetQuietSubjects(): void {
    for (const name of this.#subjects.keys()) {
      if (this.#subjects.size <= maxSubjects) return
      this.#subjects.delete(name)
    }
  }

  async #write(): Promise<void> {
    const changed = this.#changed
    this.#changed = new Map()
    const rows = [...changed].flatMap(([name, subject]) =>
      [...subject.unwritten].flatMap(([windowSeconds, count]) => {
        const window = subject.windows.get(windowSeconds)
        return window && count > 0 ? [{ name, subject, window, count }] : []
      }),
    )
    // In one order everywhere: two nodes that lock rows in different orders wait for each other.
    rows.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.window.windowSeconds - b.window.windowSeconds))
    for (let i = 0; i < rows.length; i += rowsPerStatement) {
      try {
        await this.#writeRows(rows.slice(i, i + rowsPerStatement))
      } catch (error) {
        for (const row of rows.slice(i)) this.#changed.set(row.name, row.subject)
        throw error
      }
    }
    const nowMs = this.#clock()
    if (nowMs - this.#forgottenAtMs >= forgetEveryMs) {
      this.#forgottenAtMs = nowMs
      await this.#database.queries.deleteFrom('rate_windows').where('ends_at_ms', '<', nowMs).execute()
    }
  }

  /**
   * Adds what was counted to what is stored: to the window that is stored when it has not ended by the time that ours
   * began, else in its place. What comes back is the sum over all nodes.
   */
  async #writeRows(rows: readonly { name: string; subject: Subject; window: RateWindow; count: number }[]) {
    const written = rows.map(row => ({ ...row, startedAtMs: row.window.startedAtMs }))
    const isOpen = sql`rate_windows.ends_at_ms > excluded.started_at_ms`
    const stored = await this.#database.transaction(transaction =>
      transaction
        .insertInto('rate_windows')
        .values(
          written.map(({ name, window, startedAtMs, count }) => ({
            subject: name,
            window_seconds: window.windowSeconds,
            started_at_ms: startedAtMs,
            ends_at_ms: startedAtMs + window.windowSeconds * 1000,
            count,
          })),
        )
        .onConflict(conflict =>
          conflict.columns(['subject', 'window_seconds']).doUpdateSet({
            count: sql`excluded.count + case when ${isOpen} then rate_windows.count else 0 end`,
            started_at_ms: sql`case when ${isOpen} and rate_windows.started_at_ms < excluded.started_at_ms
              then rate_windows.started_at_ms else excluded.started_at_ms end`,
            ends_at_ms: sql`case when ${isOpen} and rate_windows.ends_at_ms < excluded.ends_at_ms
              then rate_windows.ends_at_ms else excluded.ends_at_ms end`,
          }),
        )
        .returning(['subject', 'window_seconds', 'started_at_ms', 'count'])
        .execute(),
    )
    const sums = new Map(stored.map(row => [`${row.window_seconds} ${row.subject}`, row]))
    for (const { name, subject, window, count } of written) {
      const { windowSeconds } = window
      // A window that was opened while this was written begins its own count.
      if (subject.windows.get(windowSeconds) !== window) continue
      const left = (subject.unwritten.get(windowSeconds) ?? 0) - count
      subject.unwritten.set(windowSeconds, left)
      const sum = sums.get(`${windowSeconds} ${name}`)
      if (!sum) continue
      window.startedAtMs = sum.started_at_ms
      window.count = sum.count + left
    }
  }
}

/** A wall clock that no adjustment moves: a step of the system's time neither locks customers out nor frees them. */
function steadyClock(): number {
  return Math.floor(performance.timeOrigin + performance.now())
}
