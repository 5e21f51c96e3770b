import { sql } from 'kysely'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { PeriodicFlush } from '../database/periodic-flush.ts'
import { countInWindow, decide, type RateDecision, type RateLimit, type RateWindow } from './rate-windows.ts'

/** `subject` is a key's id or a client address. Nodes enforce strict limits exactly, even without Redis. */
export type CountedRequest = {
  readonly subject: string
  readonly limits: readonly RateLimit[]
  readonly isStrict?: boolean
}

/** Counts requests against limits. */
export type RateLimiter = {
  /** Synchronous if the counts are in memory. */
  count(request: CountedRequest): Promise<RateDecision> | RateDecision
  close(): Promise<void>
}

type Subject = {
  readonly windows: Map<number, RateWindow>
  /** This process's counts that are not written yet, by window. */
  readonly unwritten: Map<number, number>
  /** This process's total counts, by window. */
  readonly own: Map<number, number>
}

/** Some 300 bytes each. The least recently used are evicted first: the database still has them. */
const MAX_SUBJECTS = 50_000
const ROWS_PER_STATEMENT = 500
const FORGET_EVERY_MS = 60_000

/**
 * Each node may admit its share of this part of the remainder without asking the database, so that all nodes
 * together admit less than 1.25 times a limit.
 */
const UNASKED_PART = 1 / 4

/**
 * Counts in memory, so that concurrent requests get exactly the remainder. Every half second it adds the
 * counts to the database, in case of a restart, and reads the sums over all nodes; for a request beyond this
 * node's share, or with a strict limit, it does so at once.
 */
export class DatabaseRateLimiter implements RateLimiter {
  readonly #database: Database
  readonly #clock: Clock
  readonly #countNodes: (() => number) | null
  /** The subjects in the order of their last request. */
  readonly #subjects = new Map<string, Subject>()
  readonly #loading = new Map<string, Promise<Subject>>()
  #changed = new Map<string, Subject>()
  readonly #flush: PeriodicFlush
  #forgottenAtMs: number

  constructor(
    database: Database,
    {
      clock = steadyClock,
      countNodes = null,
      onError,
    }: {
      clock?: Clock
      /** The number of nodes that count in this database now; null if there is never another one. */
      countNodes?: (() => number) | null
      onError: (error: unknown) => void
    },
  ) {
    this.#database = database
    this.#countNodes = countNodes
    this.#clock = clock
    this.#forgottenAtMs = clock()
    this.#flush = new PeriodicFlush(() => this.#write(), 500, onError)
  }

  count(request: CountedRequest): Promise<RateDecision> | RateDecision {
    const subject = this.#subjects.get(request.subject)
    if (subject !== undefined) return this.#countFor(subject, request)
    return this.#load(request.subject).then(loaded => this.#countFor(loaded, request))
  }

  #countFor(
    subject: Subject,
    { subject: name, limits, isStrict = false }: CountedRequest,
  ): Promise<RateDecision> | RateDecision {
    this.#subjects.delete(name)
    this.#subjects.set(name, subject)
    const nowMs = this.#clock()
    const windows = limits.map(({ windowSeconds }) => {
      const before = subject.windows.get(windowSeconds)
      const window = countInWindow(before, windowSeconds, nowMs)
      if (window !== before) {
        subject.unwritten.set(windowSeconds, 0)
        subject.own.set(windowSeconds, 0)
      }
      subject.windows.set(windowSeconds, window)
      subject.unwritten.set(windowSeconds, (subject.unwritten.get(windowSeconds) ?? 0) + 1)
      subject.own.set(windowSeconds, (subject.own.get(windowSeconds) ?? 0) + 1)
      return window
    })
    this.#changed.set(name, subject)
    if (!this.#mustAsk(subject, limits, isStrict)) return decide(windows, limits, nowMs)
    const own = new Map(subject.own)
    return this.#flush.now().then(() => {
      // Later requests of this node are ordered after this one.
      const asOfThis = windows.map(window => {
        const { windowSeconds, count } = window
        if (subject.windows.get(windowSeconds) !== window) return window
        const later = (subject.own.get(windowSeconds) ?? 0) - (own.get(windowSeconds) ?? 0)
        return { ...window, count: count - later }
      })
      return decide(asOfThis, limits, this.#clock())
    })
  }

  /** Whether other nodes may have used up the remainder, as far as this node can tell. */
  #mustAsk({ windows, unwritten }: Subject, limits: readonly RateLimit[], isStrict: boolean): boolean {
    if (this.#countNodes === null) return false
    const nodes = this.#countNodes()
    if (nodes === 1 && !isStrict) return false
    const standings = limits.map(({ windowSeconds, limit }) => {
      const unknown = unwritten.get(windowSeconds) ?? 0
      return { unknown, left: limit - ((windows.get(windowSeconds)?.count ?? 0) - unknown) }
    })
    if (standings.some(({ left }) => left <= 0)) return false
    return isStrict || standings.some(({ unknown, left }) => unknown > Math.floor((left * UNASKED_PART) / nodes))
  }

  async flush(): Promise<void> {
    await this.#flush.now()
  }

  async close(): Promise<void> {
    await this.#flush.stop()
  }

  /** Loads the counts of a subject that is not in memory. */
  async #load(name: string): Promise<Subject> {
    const underWay = this.#loading.get(name)
    if (underWay) return underWay
    const loading = this.#read(name)
    this.#loading.set(name, loading)
    try {
      const subject = await loading
      this.#subjects.set(name, subject)
      const [oldest] = this.#subjects.keys()
      if (this.#subjects.size > MAX_SUBJECTS && oldest !== undefined) this.#subjects.delete(oldest)
      return subject
    } finally {
      this.#loading.delete(name)
    }
  }

  async #read(name: string): Promise<Subject> {
    // Evicted before its counts were written.
    const changed = this.#changed.get(name)
    if (changed) return changed
    const rows = await this.#database.queries
      .selectFrom('rate_windows')
      .select(['window_seconds', 'started_at_ms', 'count'])
      .where('subject', '=', name)
      .execute()
    const windows = rows.map(({ window_seconds: windowSeconds, started_at_ms: startedAtMs, count }) => {
      return [windowSeconds, { windowSeconds, startedAtMs, count }] as const
    })
    return { windows: new Map(windows), unwritten: new Map(), own: new Map() }
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
    // A consistent order: two nodes that lock rows in different orders would deadlock.
    rows.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.window.windowSeconds - b.window.windowSeconds))
    for (let i = 0; i < rows.length; i += ROWS_PER_STATEMENT) {
      try {
        await this.#writeRows(rows.slice(i, i + ROWS_PER_STATEMENT))
      } catch (error) {
        for (const row of rows.slice(i)) this.#changed.set(row.name, row.subject)
        throw error
      }
    }
    const nowMs = this.#clock()
    if (nowMs - this.#forgottenAtMs >= FORGET_EVERY_MS) {
      this.#forgottenAtMs = nowMs
      await this.#database.queries.deleteFrom('rate_windows').where('ends_at_ms', '<', nowMs).execute()
    }
  }

  /** Adds the counts to the stored windows, replaces expired ones, and reads the sums over all nodes. */
  async #writeRows(rows: readonly { name: string; subject: Subject; window: RateWindow; count: number }[]) {
    const isOpen = sql`rate_windows.ends_at_ms > excluded.started_at_ms`
    const stored = await this.#database.transaction(transaction =>
      transaction
        .insertInto('rate_windows')
        .values(
          rows.map(({ name, window, count }) => ({
            subject: name,
            window_seconds: window.windowSeconds,
            started_at_ms: window.startedAtMs,
            ends_at_ms: window.startedAtMs + window.windowSeconds * 1000,
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
    for (const { name, subject, window, count } of rows) {
      const { windowSeconds } = window
      // A window that was opened during the write has its own count.
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

/** Unix time in milliseconds, unaffected by adjustments of the system clock. */
function steadyClock(): number {
  return Math.floor(performance.timeOrigin + performance.now())
}
