import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type RawBuilder, sql } from 'kysely'
import type { Clock } from './clock.ts'
import type { Database } from './database.ts'
import { DatabaseRefusedError, describeUnavailable } from './database-error.ts'
import { newId } from './new-id.ts'

const HEARTBEAT_EVERY_MS = 5_000

/** Six missed heartbeats, and half of the 60 s within which credits of a dead process come back. */
const DEAD_AFTER_MS = 30_000

/** An answer that took longer says too little of the server's time. */
const SYNCHRONIZED_WITHIN_MS = 1_000

export type InstanceOptions = {
  readonly clock?: Clock
  /** Called when heartbeats begin to fail, with the reason, and with null when they succeed again. */
  readonly onChange?: (problem: string | null) => void
  /** A shorter one is for tests. */
  readonly deadAfterMs?: number
}

/**
 * A serving process. Reservations carry its id, so that another process can release them after its death.
 *
 * It holds a lock on its data folder, which the operating system releases however the process ends. On SQLite
 * the holder is the only live instance. On PostgreSQL an instance is alive while its heartbeat is fresh, and
 * the holder removes the instance that served the folder before.
 */
export class Instance {
  readonly id: string
  /** Whether no other process serves its data folder. Always on SQLite. */
  readonly hasFolder: boolean
  readonly #database: Database
  readonly #localClock: Clock
  readonly #lock: DatabaseSync | null
  readonly #onChange: (problem: string | null) => void
  readonly #deadAfterMs: number
  readonly #timer: NodeJS.Timeout
  #beating: Promise<void> | null = null
  #problem: string | null = null
  /** By the process's monotonic clock, as are the other times without a unit of their own. */
  #confirmedMs = performance.now()
  #liveNodes = 1
  /** The server's Unix time less the process's monotonic clock; null until it is known, and on SQLite. */
  #serverAheadMs: number | null = null

  private constructor(id: string, database: Database, lock: DatabaseSync | null, options: InstanceOptions) {
    this.id = id
    this.hasFolder = lock !== null
    this.#database = database
    this.#localClock = options.clock ?? Date.now
    this.#onChange = options.onChange ?? (() => undefined)
    this.#deadAfterMs = options.deadAfterMs ?? DEAD_AFTER_MS
    this.#lock = lock
    this.#timer = setInterval(() => {
      this.#beating ??= this.#beat().finally(() => {
        this.#beating = null
      })
    }, HEARTBEAT_EVERY_MS)
    this.#timer.unref()
  }

  /**
   * Locks the data folder, then migrates the tables: they never change under a process that serves it.
   * @throws DatabaseRefusedError when another process serves it, or the database is of a newer program
   */
  static async claim(database: Database, options: InstanceOptions = {}): Promise<Instance> {
    const lock = claimDataFolder(database)
    try {
      await database.migrate(options.clock)
      const instance = new Instance(newId('ins'), database, lock, options)
      await instance.heartbeat()
      if (lock !== null) await replacePredecessor(database, instance.id)
      return instance
    } catch (error) {
      lock?.close()
      throw error
    }
  }

  /**
   * The time for everything that several nodes compare: on PostgreSQL the server's, since the clocks of nodes
   * differ. It is read with each heartbeat and runs on by the process's monotonic clock.
   */
  readonly clock: Clock = () =>
    this.#serverAheadMs === null ? this.#localClock() : Math.round(performance.now() + this.#serverAheadMs)

  /** What keeps the database from confirming heartbeats; null while it confirms them. */
  get problem(): string | null {
    return this.#problem
  }

  /** The processes that served the database at the last heartbeat, this one included. */
  get liveNodes(): number {
    return this.#liveNodes
  }

  /** Time since the database confirmed a heartbeat. */
  get silentMs(): number {
    return performance.now() - this.#confirmedMs
  }

  /** Whether other nodes take it for dead and give its reservations back: it can do no work. */
  get isTakenForDead(): boolean {
    return this.silentMs > this.#deadAfterMs
  }

  /** Marks this process as alive, also where another has removed it. A timer calls it. */
  async heartbeat(): Promise<void> {
    const nowMs = databaseNowMs(this.#database, this.#localClock)
    const beat = this.#database.queries
      .insertInto('instances')
      .values({ id: this.id, started_at_ms: nowMs, heartbeat_at_ms: nowMs })
      .onConflict(conflict => conflict.column('id').doUpdateSet({ heartbeat_at_ms: nowMs }))
    const sentMs = performance.now()
    if (this.#database.kind === 'sqlite') await beat.execute()
    else {
      const { heartbeat_at_ms: serverMs } = await beat.returning('heartbeat_at_ms').executeTakeFirstOrThrow()
      const tookMs = performance.now() - sentMs
      if (this.#serverAheadMs === null || tookMs <= SYNCHRONIZED_WITHIN_MS)
        this.#serverAheadMs = serverMs - (sentMs + tookMs / 2)
      this.#liveNodes = 1 + (await countOtherInstances(this.#database, this.id))
    }
    this.#confirmedMs = performance.now()
  }

  /** Ends the instance. Another process releases what it still has reserved. */
  async release(): Promise<void> {
    clearInterval(this.#timer)
    await this.#beating
    await this.#database.queries.deleteFrom('instances').where('id', '=', this.id).execute()
    this.#lock?.close()
  }

  async #beat(): Promise<void> {
    const before = this.#problem
    try {
      await this.heartbeat()
      this.#problem = null
    } catch (error) {
      this.#problem = describeUnavailable(error)
    }
    if (this.#problem !== before) this.#onChange(this.#problem)
  }
}

/** The number of processes that serve the database now, beside this one. */
export async function countOtherInstances(database: Database, ownId: string): Promise<number> {
  if (database.kind === 'sqlite') return 0
  const { count } = await database.queries
    .selectFrom('instances')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('id', '<>', ownId)
    .where('heartbeat_at_ms', '>', sql<number>`${databaseNowMs(database, Date.now)} - ${sql.lit(DEAD_AFTER_MS)}`)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Makes sure that no process serves the database. On SQLite none can start until this is disposed.
 * @throws DatabaseRefusedError
 */
export async function holdUnserved(database: Database): Promise<Disposable> {
  if (database.kind === 'sqlite') {
    const lock = lockDataFolder(database.dataDir)
    return { [Symbol.dispose]: () => lock.close() }
  }
  // A database that no program has migrated has no table of instances.
  const { rows } = await sql<{ found: string | null }>`select to_regclass('instances')::text as found`.execute(
    database.queries,
  )
  const count = rows[0]?.found === null ? 0 : await countOtherInstances(database, '')
  if (count === 0) return { [Symbol.dispose]: () => undefined }
  throw new DatabaseRefusedError(
    `The database is served by ${count} processes of Vitrine: stop them first. One that was killed counts for ${DEAD_AFTER_MS / 1000} s.`,
  )
}

/** The candidates that are certainly dead. */
export async function findDeadInstances(
  database: Database,
  candidates: readonly string[],
  ownId: string,
  clock: Clock,
): Promise<string[]> {
  const others = [...new Set(candidates)].filter(id => id !== ownId)
  if (others.length === 0 || database.kind === 'sqlite') return others
  const alive = await database.queries
    .selectFrom('instances')
    .select('id')
    .where('id', 'in', others)
    .where('heartbeat_at_ms', '>', sql<number>`${databaseNowMs(database, clock)} - ${sql.lit(DEAD_AFTER_MS)}`)
    .execute()
  const aliveIds = new Set(alive.map(row => row.id))
  return others.filter(id => !aliveIds.has(id))
}

/** The server's time on PostgreSQL, since the times of the nodes may differ. */
function databaseNowMs(database: Database, clock: Clock): RawBuilder<number> {
  if (database.kind === 'sqlite') return sql<number>`${clock()}`
  return sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
}

/**
 * The lock of the data folder; null on PostgreSQL where it cannot be locked, since heartbeats are enough.
 * @throws DatabaseRefusedError on SQLite, when another process serves the folder
 */
function claimDataFolder(database: Database): DatabaseSync | null {
  if (database.kind === 'sqlite') return lockDataFolder(database.dataDir)
  try {
    mkdirSync(database.dataDir, { recursive: true, mode: 0o700 })
    return lockDataFolder(database.dataDir)
  } catch {
    return null
  }
}

/** Removes the instance that served this data folder before: the lock of the folder shows that it is dead. */
async function replacePredecessor(database: Database, id: string): Promise<void> {
  const file = path.join(database.dataDir, 'instance.id')
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (before !== '') await database.queries.deleteFrom('instances').where('id', '=', before).execute()
  writeFileSync(file, id, { mode: 0o600 })
}

/** Holds SQLite's exclusive lock on a file. It ends with the process, `kill -9` included. */
function lockDataFolder(dataDir: string): DatabaseSync {
  const lock = new DatabaseSync(path.join(dataDir, 'instance.lock'), { timeout: 0 })
  try {
    lock.exec('PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    throw new DatabaseRefusedError(`Another Vitrine already serves the data folder ${dataDir}: stop it first.`, {
      cause: error,
    })
  }
}
