import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { counted } from '@vitrine/engine/counted'
import { type RawBuilder, sql } from 'kysely'
import type { Clock } from './clock.ts'
import type { Database } from './database.ts'
import { DatabaseRefusedError, describeUnavailable } from './database-error.ts'
import { newId } from './new-id.ts'

const HEARTBEAT_EVERY_MS = 5_000

/** Six missed heartbeats, and half of the 60 s within which a dead process's credits are given back. */
const DEAD_AFTER_MS = 30_000

/** A slower answer is too imprecise to read the server's time from. */
const SYNCHRONIZED_WITHIN_MS = 1_000

export type InstanceOptions = {
  readonly clock?: Clock
  /** Called with the reason when heartbeats begin to fail, and with null when they succeed again. */
  readonly onChange?: (problem: string | null) => void
  /** Shortened by tests. */
  readonly deadAfterMs?: number
}

/**
 * A serving process. Reservations carry its id, so that another process can release them after its death.
 *
 * It holds a lock on its data folder, which the operating system releases however the process ends. On SQLite
 * the lock's holder is the only live instance. On PostgreSQL an instance is alive while its heartbeat is
 * recent, and the lock's holder removes the instance that previously served the folder.
 */
export class Instance {
  readonly id: string
  /** Whether no other process serves its data folder. Always true on SQLite. */
  readonly hasFolder: boolean
  readonly #database: Database
  readonly #localClock: Clock
  readonly #lock: DatabaseSync | null
  readonly #onChange: (problem: string | null) => void
  readonly #deadAfterMs: number
  readonly #timer: NodeJS.Timeout
  #beating: Promise<void> | null = null
  #problem: string | null = null
  /** By the process's monotonic clock, like all times without a unit of their own. */
  #confirmedMs = performance.now()
  #liveNodes = 1
  /** The server's Unix time minus the process's monotonic clock; null until known, and on SQLite. */
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
   * Locks the data folder, then migrates the tables, which never change under a process that serves the
   * folder.
   * @throws DatabaseRefusedError if another process serves it, or the database belongs to a newer program
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
   * The clock for all times that several nodes compare: on PostgreSQL the server's, since the clocks of nodes
   * differ. It is read with each heartbeat and advanced by the process's monotonic clock.
   */
  readonly clock: Clock = () =>
    this.#serverAheadMs === null ? this.#localClock() : Math.round(performance.now() + this.#serverAheadMs)

  /** Why the database does not confirm heartbeats; null while it does. */
  get problem(): string | null {
    return this.#problem
  }

  /** The number of processes serving the database at the last heartbeat, including this one. */
  get liveNodes(): number {
    return this.#liveNodes
  }

  /** Time since the database last confirmed a heartbeat. */
  get silentMs(): number {
    return performance.now() - this.#confirmedMs
  }

  /** Whether other nodes consider it dead and release its reservations: then it can do no work. */
  get isTakenForDead(): boolean {
    return this.silentMs > this.#deadAfterMs
  }

  /** Marks this process as alive, even if another has removed it. Called by a timer. */
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

  /** Ends the instance. Another process releases its remaining reservations. */
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

/** The number of processes that serve the database now, apart from this one. */
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
 * Verifies that no process serves the database. On SQLite none can start until this is disposed of.
 * @throws DatabaseRefusedError
 */
export async function holdUnserved(database: Database): Promise<Disposable> {
  if (database.kind === 'sqlite') {
    const lock = lockDataFolder(database.dataDir)
    return { [Symbol.dispose]: () => lock.close() }
  }
  // A database that was never migrated has no table of instances.
  const { rows } = await sql<{ found: string | null }>`select to_regclass('instances')::text as found`.execute(
    database.queries,
  )
  const count = rows[0]?.found === null ? 0 : await countOtherInstances(database, '')
  if (count === 0) return { [Symbol.dispose]: () => undefined }
  throw new DatabaseRefusedError(
    `The database is served by ${counted(count, 'process', 'processes')} of Vitrine: stop all first. One that was killed counts for ${DEAD_AFTER_MS / 1000} s.`,
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

/** The server's time on PostgreSQL, since the nodes' clocks may differ. */
function databaseNowMs(database: Database, clock: Clock): RawBuilder<number> {
  if (database.kind === 'sqlite') return sql<number>`${clock()}`
  return sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
}

/**
 * The lock of the data folder. Null on PostgreSQL if it cannot be locked, since heartbeats suffice.
 * @throws DatabaseRefusedError on SQLite, if another process serves the folder
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

/** Removes the instance that previously served this data folder: holding the lock proves that it is dead. */
async function replacePredecessor(database: Database, id: string): Promise<void> {
  const file = path.join(database.dataDir, 'instance.id')
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (before !== '') await database.queries.deleteFrom('instances').where('id', '=', before).execute()
  writeFileSync(file, id, { mode: 0o600 })
}

/** Takes SQLite's exclusive lock on a file. It ends with the process, even by `kill -9`. */
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
