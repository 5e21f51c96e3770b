import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type RawBuilder, sql } from 'kysely'
import type { Clock } from './clock.ts'
import type { Database } from './database.ts'
import { DatabaseRefusedError } from './database-error.ts'
import { newId } from './new-id.ts'

const HEARTBEAT_EVERY_MS = 5_000

/** Six missed heartbeats, and half of the 60 s within which credits of a dead process come back. */
const DEAD_AFTER_MS = 30_000

/**
 * A serving process. Reservations carry its id, so that another process can release them after its death.
 *
 * It holds a lock on its data folder, which the operating system releases however the process ends. On SQLite
 * the holder is the only live instance. On PostgreSQL an instance is alive while its heartbeat is fresh, and
 * the holder removes the instance that served the folder before.
 */
export class Instance {
  readonly id: string
  readonly #database: Database
  readonly #clock: Clock
  readonly #lock: DatabaseSync | null
  readonly #timer: NodeJS.Timeout
  #beating: Promise<void> = Promise.resolve()

  private constructor(id: string, database: Database, clock: Clock, lock: DatabaseSync | null) {
    this.id = id
    this.#database = database
    this.#clock = clock
    this.#lock = lock
    this.#timer = setInterval(() => {
      // The next heartbeat makes up for a missed one. Other operations report a database that is gone.
      this.#beating = this.heartbeat().catch(() => undefined)
    }, HEARTBEAT_EVERY_MS)
    this.#timer.unref()
  }

  /**
   * Locks the data folder, then migrates the tables: they never change under a process that serves it.
   * @throws DatabaseRefusedError when another process serves it, or the database is of a newer program
   */
  static async claim(database: Database, clock: Clock = Date.now): Promise<Instance> {
    const lock = claimDataFolder(database)
    try {
      await database.migrate(clock)
      const instance = new Instance(newId('ins'), database, clock, lock)
      await instance.heartbeat()
      if (lock !== null) await replacePredecessor(database, instance.id)
      return instance
    } catch (error) {
      lock?.close()
      throw error
    }
  }

  /** Marks this process as alive, also where another has removed it. A timer calls it. */
  async heartbeat(): Promise<void> {
    const nowMs = databaseNowMs(this.#database, this.#clock)
    await this.#database.queries
      .insertInto('instances')
      .values({ id: this.id, started_at_ms: nowMs, heartbeat_at_ms: nowMs })
      .onConflict(conflict => conflict.column('id').doUpdateSet({ heartbeat_at_ms: nowMs }))
      .execute()
  }

  /** Ends the instance. Another process releases what it still has reserved. */
  async release(): Promise<void> {
    clearInterval(this.#timer)
    await this.#beating
    await this.#database.queries.deleteFrom('instances').where('id', '=', this.id).execute()
    this.#lock?.close()
  }
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
