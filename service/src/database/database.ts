import { chmodSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type CompiledQuery, Kysely, sql, type Transaction } from 'kysely'
import type { Clock } from './clock.ts'
import { CommitUnknown, classifyDatabaseError, DatabaseRefused, DatabaseUnavailable } from './database-error.ts'
import { GroupCommit } from './group-commit.ts'
import { migrate } from './migrate.ts'
import { openPostgresPool, PostgresPoolDialect } from './postgres-dialect.ts'
import type { Schema } from './schema.ts'
import { runSteps, SequenceOutcome, type Step } from './sequence.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { SqliteThreadDialect, toSqlValue } from './sqlite-dialect.ts'
import { SqliteReader } from './sqlite-reader.ts'

export type DatabaseLocation = {
  /** `postgres://…`; without it the database is the file `vitrine.db` in the data folder. */
  readonly databaseUrl?: string | undefined
  readonly dataDir: string
}

/** Another process may hold SQLite's write lock for one group of commits, or for an import; only our own thread waits. */
const sqliteBusyTimeoutMs = 10_000
/** The parameter of a PostgreSQL server, or of one database, that accepts unsafe settings. */
const ACCEPTS_UNSAFE = 'vitrine.unsafe_settings'

const maxConflictAttempts = 30
const maxUnavailableAttempts = 4

export type TransactionOptions = {
  /**
   * The transaction looks for its own result first when `mayHaveCommitted` is true, so it may be run again after a
   * commit whose answer was lost.
   */
  readonly isRepeatable?: boolean
}

export type TransactionAttempt = { readonly mayHaveCommitted: boolean }

/** The service's database: the same tables and the same queries on SQLite and on PostgreSQL. */
export class Database {
  readonly kind: 'sqlite' | 'postgres'
  readonly dataDir: string
  /** For single statements. A select sees what is committed; anything else is a transaction of its own. */
  readonly queries: Kysely<Schema>
  /** SQLite's; null on PostgreSQL. */
  readonly #sqlite: { readonly writer: GroupCommit; readonly reader: SqliteReader } | null

  constructor(
    kind: 'sqlite' | 'postgres',
    dataDir: string,
    queries: Kysely<Schema>,
    sqlite: { readonly writer: GroupCommit; readonly reader: SqliteReader } | null,
  ) {
    this.kind = kind
    this.dataDir = dataDir
    this.queries = queries
    this.#sqlite = sqlite
  }

  /**
   * Looks a row or two up by an index, at once, as they are committed now. Null where the answer takes a way and a wait (on PostgreSQL, and on a
   * SQLite file that is locked as a whole): then it is for `queries`.
   */
  lookUp<Row>({ sql: text, parameters }: CompiledQuery<Row>): readonly Row[] | null {
    const rows = this.#sqlite?.reader.read(text, parameters.map(toSqlValue)) ?? null
    // The row's type is what the query builder says of this query; SQLite returns null-prototype objects of that shape.
    return rows as readonly Row[] | null
  }

  /**
   * Runs `work` in one transaction that can write: BEGIN IMMEDIATE on SQLite, READ COMMITTED on PostgreSQL. It is run
   * again, from its start, when the database asks for that, so `work` must do nothing but queries; and on SQLite nothing
   * else is written meanwhile, so it must not wait for anything else, and must not use `queries` to write.
   *
   * @throws DatabaseUnavailable when the database is gone, full or locked for too long
   */
  transaction<Result>(
    work: (transaction: Transaction<Schema>, attempt: TransactionAttempt) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    return this.#repeat(
      attempt => this.queries.transaction().execute(transaction => work(transaction, attempt)),
      options,
    )
  }

  /**
   * Runs statements that are all known from the start, in one transaction: on SQLite they are one message to its thread and one back. All
   * happen or none; none where a step that needs a row has none (`stoppedAt`).
   *
   * @param wasDone looks for the sequence's own result, after a commit whose answer was lost
   * @returns null when that result was found: the sequence has happened before
   * @throws DatabaseUnavailable when the database is gone, full or locked for too long
   */
  sequence(
    steps: readonly Step[],
    wasDone: (transaction: Transaction<Schema>) => Promise<boolean>,
  ): Promise<SequenceOutcome | null> {
    const writer = this.#sqlite?.writer
    if (writer !== undefined) {
      const sequence = steps.map(({ query: { sql: text, parameters }, needsRow }) => ({
        sql: text,
        parameters: parameters.map(toSqlValue),
        needsRow,
      }))
      return this.#repeat(async () => {
        const { results, stoppedAt } = await writer.sequence(sequence)
        return new SequenceOutcome(steps, results, stoppedAt)
      })
    }
    return this.#repeat(
      async ({ mayHaveCommitted }) => {
        try {
          return await this.queries.transaction().execute(async transaction => {
            if (mayHaveCommitted && (await wasDone(transaction))) return null
            const outcome = await runSteps(transaction, steps)
            if (outcome.stoppedAt !== null) throw new Stopped(outcome)
            return outcome
          })
        } catch (error) {
          if (error instanceof Stopped) return error.outcome
          throw error
        }
      },
      { isRepeatable: true },
    )
  }

  async #repeat<Result>(
    run: (attempt: TransactionAttempt) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    let mayHaveCommitted = false
    for (let attempt = 1; ; attempt++) {
      try {
        return await run({ mayHaveCommitted })
      } catch (error) {
        const kind = classifyDatabaseError(error)
        if (error instanceof CommitUnknown) {
          if (options.isRepeatable !== true) throw error
          mayHaveCommitted = true
        }
        const isConflict = kind === 'conflict' || (kind === 'unique' && mayHaveCommitted)
        const isPassing = isConflict || kind === 'unavailable' || kind === 'busy'
        if (!isPassing) throw error
        if (attempt >= (isConflict ? maxConflictAttempts : maxUnavailableAttempts)) throw asUnavailable(error)
        await delay(isConflict ? Math.random() * Math.min(100, 2 ** attempt) : 50 * 3 ** (attempt - 1))
      }
    }
  }

  /** Runs `work` on one moment of the database, however long it takes and whatever is written meanwhile. Reads only. */
  snapshot<Result>(work: (transaction: Transaction<Schema>) => Promise<Result>): Promise<Result> {
    return this.queries.transaction().setAccessMode('read only').execute(work)
  }

  /**
   * Brings the tables to what this program knows. Several processes may do it at once.
   * @throws DatabaseRefused when the database is of a newer program
   */
  async migrate(clock: Clock = Date.now): Promise<{ applied: string[] }> {
    return this.transaction(transaction => migrate(this.kind, transaction, clock()))
  }

  async close(): Promise<void> {
    this.#sqlite?.reader.close()
    await this.queries.destroy()
  }
}

/** Rolls a sequence back that has come to its end early. */
class Stopped extends Error {
  readonly outcome: SequenceOutcome

  constructor(outcome: SequenceOutcome) {
    super('a sequence stopped')
    this.outcome = outcome
  }
}

/** Says of an operation's last failure that it may be tried again later. */
function asUnavailable(error: unknown): Error {
  if (error instanceof DatabaseUnavailable) return error
  return new DatabaseUnavailable('the database cannot do its work now', { cause: error })
}

/**
 * Opens the database without touching its tables (`migrate` does that). Makes the data folder when it is not there.
 * @throws DatabaseRefused with a sentence for the operator when the database can't be opened or is not safe for money
 */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  const { databaseUrl, dataDir } = location
  if (databaseUrl === undefined || databaseUrl === '') return openSqlite(dataDir)
  if (!/^postgres(ql)?:\/\//.test(databaseUrl)) {
    throw new DatabaseRefused(
      'Expected a database URL that begins with postgres:// or postgresql:// but received another.',
    )
  }
  const queries = new Kysely<Schema>({ dialect: new PostgresPoolDialect(openPostgresPool(databaseUrl)) })
  try {
    await queries.selectNoFrom(build => build.lit(1).as('one')).execute()
  } catch (error) {
    await queries.destroy()
    // The URL holds a password: the sentence names the reason alone.
    throw new DatabaseRefused(`PostgreSQL cannot be reached: ${describe(error)}.`, { cause: error })
  }
  const problem = await findUnsafeSetting(queries)
  if (problem !== null) {
    await queries.destroy()
    throw new DatabaseRefused(
      `The PostgreSQL server is not safe for credits: expected ${problem} on but it runs with off, so that a crash of its machine may lose what it confirmed. Set it, or, for a database that may lose everything, ${ACCEPTS_UNSAFE} = 'accepted'.`,
    )
  }
  return new Database('postgres', dataDir, queries, null)
}

/**
 * The server's setting that makes it forget what it confirmed, or null. Its owner may accept that on the server itself, by a parameter of
 * ours: whoever copies the service's settings from a test to a shop takes nothing unsafe along. `synchronous_commit` is each connection's own.
 */
async function findUnsafeSetting(queries: Kysely<Schema>): Promise<string | null> {
  const { rows } = await sql<{ fsync: string; pages: string; accepted: string | null }>`
    select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
      current_setting(${ACCEPTS_UNSAFE}, true) as accepted`.execute(queries)
  const [settings] = rows
  if (settings === undefined || settings.accepted === 'accepted') return null
  if (settings.fsync !== 'on') return 'fsync'
  return settings.pages === 'on' ? null : 'full_page_writes'
}

async function openSqlite(dataDir: string): Promise<Database> {
  const file = path.join(dataDir, 'vitrine.db')
  const connection = await openSqliteFile(file)
  const writer = new GroupCommit(connection)
  const queries = new Kysely<Schema>({ dialect: new SqliteThreadDialect(connection, writer) })
  await queries.selectNoFrom(build => build.lit(1).as('one')).execute() // Kysely closes only what has been used
  return new Database('sqlite', dataDir, queries, { writer, reader: new SqliteReader(file) })
}

/** @throws DatabaseRefused when SQLite would not keep what it confirms. Exported for its test. */
export async function openSqliteFile(file: string): Promise<SqliteConnection> {
  let connection: SqliteConnection
  let settings: Record<string, unknown> | undefined
  try {
    if (file !== ':memory:') mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    connection = new SqliteConnection({ file, busyTimeoutMs: sqliteBusyTimeoutMs })
    settings = (await connection.send({ to: 'settings' })).rows[0]
    if (file !== ':memory:') chmodSync(file, 0o600) // customers' addresses and key hashes; -wal and -shm follow it
  } catch (error) {
    throw new DatabaseRefused(`The database ${file} cannot be opened: ${describe(error)}.`, { cause: error })
  }
  const expected = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1 }
  for (const [name, value] of Object.entries(expected)) {
    if (settings?.[name] === value) continue
    await connection.close()
    throw new DatabaseRefused(
      `The database ${file} is not safe for credits: expected ${name} ${value} but SQLite runs with ${String(settings?.[name])}.`,
    )
  }
  return connection
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
