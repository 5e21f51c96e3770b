import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type RawBuilder, sql } from 'kysely'
import type { Clock } from './clock.ts'
import type { Database } from './database.ts'
import { DatabaseRefusedError } from './database-error.ts'
import { newId } from './new-id.ts'

/** Between two signs of life. */
const heartbeatEveryMs = 5_000

/** Without a sign of life for this long a process counts as dead: six missed heartbeats, half of the 60 s that are promised. */
const deadAfterMs = 30_000

/**
 * This process's place among those that share the database. What it reserves carries its id, so that the others (or its
 * successor) can give back what it leaves when it dies.
 *
 * On SQLite there is one serving process: it holds a lock that the operating system takes away when the process ends,
 * however it ends. So whoever holds the lock knows that every other instance is dead. On PostgreSQL an instance is alive
 * while its heartbeat is fresh, by the database's clock; but whoever holds the lock of its data folder knows that the one
 * that served the folder before is dead, and says so at once instead of waiting for its heartbeat to grow old.
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
      // A missed beat is made up by the next; a database that stays away is reported by whoever needs it.
      this.#beating = this.heartbeat().catch(() => undefined)
    }, heartbeatEveryMs)
    this.#timer.unref()
  }

  /**
   * Takes a place, and then brings the tables to what this program knows: nobody changes them under a process that serves
   * the same folder. Call it once in a serving process, before it recovers and listens.
   * @throws DatabaseRefusedError when another process serves this data folder, or the database is of a newer program
   */
  static async claim(database: Database, clock: Clock = Date.now): Promise<Instance> {
    const lock = claimDataFolder(database)
    try {
      await database.migrate(clock)
      const instance = new Instance(newId('ins'), database, clock, lock)
      await instance.heartbeat()
      if (lock !== null) await succeed(database, instance.id)
      return instance
    } catch (error) {
      lock?.close()
      throw error
    }
  }

  /** Says that this process lives, also where somebody has wrongly called it dead. It does so by itself every few seconds. */
  async heartbeat(): Promise<void> {
    const nowMs = databaseNowMs(this.#database, this.#clock)
    await this.#database.queries
      .insertInto('instances')
      .values({ id: this.id, started_at_ms: nowMs, heartbeat_at_ms: nowMs })
      .onConflict(conflict => conflict.column('id').doUpdateSet({ heartbeat_at_ms: nowMs }))
      .execute()
  }

  /** Gives the place up: what this instance still has reserved is its successor's to release. */
  async release(): Promise<void> {
    clearInterval(this.#timer)
    await this.#beating
    await this.#database.queries.deleteFrom('instances').where('id', '=', this.id).execute()
    this.#lock?.close()
  }
}

/** The ids of the instances that are certainly not at work any more, among those that left something open. */
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
    .where('heartbeat_at_ms', '>', sql<number>`${databaseNowMs(database, clock)} - ${sql.lit(deadAfterMs)}`)
    .execute()
  const aliveIds = new Set(alive.map(row => row.id))
  return others.filter(id => !aliveIds.has(id))
}

/** The clock that the instances share: the server's on PostgreSQL, since the nodes' own may differ. */
function databaseNowMs(database: Database, clock: Clock): RawBuilder<number> {
  if (database.kind === 'sqlite') return sql<number>`${clock()}`
  return sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
}

/**
 * The lock of the data folder. On PostgreSQL a folder that cannot be locked is no reason to refuse: the heartbeats tell who is alive.
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

/** Takes the place of the instance that served this data folder before: whoever holds the folder's lock knows that it is dead. */
async function succeed(database: Database, id: string): Promise<void> {
  const file = path.join(database.dataDir, 'instance.id')
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (before !== '') await database.queries.deleteFrom('instances').where('id', '=', before).execute()
  writeFileSync(file, id, { mode: 0o600 })
}

/** Holds SQLite's exclusive lock on a file of its own. It ends with the process, `kill -9` included. */
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
