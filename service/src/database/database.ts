import { chmodSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type CompiledQuery, type Dialect, Kysely, type QueryResult, sql } from 'kysely'
import type { Clock } from './clock.ts'
import {
  CommitUnknownError,
  classifyDatabaseError,
  DatabaseRefusedError,
  DatabaseUnavailableError,
} from './database-error.ts'
import { buildIndexes, migrate } from './migrate.ts'
import { DEFAULT_POOL_SIZE } from './pool-size.ts'
import type { PoolState } from './postgres-dialect.ts'
import { withTlsMode } from './postgres-url.ts'
import type { Queries, ReadTransaction, Schema, Transaction } from './schema.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { buildSqliteDialect, toSqlValue } from './sqlite-dialect.ts'
import { SqliteReader } from './sqlite-reader.ts'
import { SqliteWriter } from './sqlite-writer.ts'
import { type Batch, BatchOutcome, countChanges, runBatch } from './statement-batch.ts'

export type DatabaseLocation = {
  /** `postgres://…`; if missing, the database is the file `vitrine.db` in the data folder. */
  readonly databaseUrl?: string | undefined
  /** The maximum number of connections to PostgreSQL. */
  readonly poolSize?: number
  readonly dataDir: string
}

/** Another process may hold SQLite's write lock, for example for an import. Only the SQLite thread waits. */
const SQLITE_BUSY_TIMEOUT_MS = 10_000
/** The parameter of a PostgreSQL server or database that accepts unsafe settings. */
const ACCEPTS_UNSAFE = 'vitrine.unsafe_settings'

/** PostgreSQL's memory for each sort of a whole table: its default of 4 MB would need many passes. */
const WHOLE_TABLES_MEMORY = '64MB'

/** The wait between two attempts of a migration to lock its tables. */
const MIGRATION_RETRY_MS = 1_000

const MAX_CONFLICT_ATTEMPTS = 30
const MAX_UNAVAILABLE_ATTEMPTS = 4

/** `mayHaveCommitted` is true after a commit whose answer was lost. */
type TransactionAttempt = { readonly mayHaveCommitted: boolean }

type Sqlite = { readonly writer: SqliteWriter; readonly reader: SqliteReader }

type Postgres = { readonly buildPatient: () => Dialect; readonly poolState: () => PoolState }

/** Called when a writing transaction has ended, successfully or not, with the number of retries. */
export type TransactionObserver = (durationMs: number, repeatedCount: number, isDone: boolean) => void

/** The service's database: the same tables and queries on SQLite and PostgreSQL. */
export class Database {
  readonly kind: 'sqlite' | 'postgres'
  readonly dataDir: string
  /** For single statements. A select sees committed data; every other statement is its own transaction. */
  readonly queries: Queries
  /** Null on PostgreSQL. */
  readonly #sqlite: Sqlite | null
  /** Null on SQLite. */
  readonly #postgres: Postgres | null
  readonly #onTransaction: TransactionObserver

  constructor(
    dataDir: string,
    queries: Queries,
    engine: Sqlite | Postgres,
    onTransaction: TransactionObserver = () => undefined,
  ) {
    this.kind = 'poolState' in engine ? 'postgres' : 'sqlite'
    this.dataDir = dataDir
    this.queries = queries
    this.#sqlite = 'poolState' in engine ? null : engine
    this.#postgres = 'poolState' in engine ? engine : null
    this.#onTransaction = onTransaction
  }

  /** The state of the connection pool; null on SQLite. */
  get poolState(): PoolState | null {
    return this.#postgres?.poolState() ?? null
  }

  /**
   * Looks up a few rows by an index, in their latest committed state. SQLite reads them synchronously; the
   * result is a promise on PostgreSQL, and while the SQLite file cannot be read at once.
   */
  lookUp<Row>(query: CompiledQuery<Row>): readonly Row[] | Promise<readonly Row[]> {
    const rows = this.#sqlite?.reader.read(query.sql, query.parameters.map(toSqlValue)) ?? null
    if (rows === null) return this.queries.executeQuery(query).then(result => result.rows)
    // The row type is the one that the query builder declares for this query.
    return rows as readonly Row[]
  }

  /**
   * Runs `work` in one writing transaction: BEGIN IMMEDIATE on SQLite, READ COMMITTED on PostgreSQL. It is
   * retried after conflicts, so `work` must do nothing but queries. On SQLite it occupies the only writer:
   * `work` must not wait for anything else, nor write through `queries`.
   *
   * @param isRepeatable whether `work` checks for its own result if `mayHaveCommitted`: it is then also
   * retried after a commit whose answer was lost
   * @throws DatabaseUnavailableError if the database is unreachable, full or locked for too long
   */
  transaction<Result>(
    work: (transaction: Transaction, attempt: TransactionAttempt) => Promise<Result>,
    { isRepeatable = false }: { readonly isRepeatable?: boolean } = {},
  ): Promise<Result> {
    return this.#repeat(isRepeatable, attempt =>
      this.queries.transaction().execute(transaction => work(transaction, attempt)),
    )
  }

  /**
   * Runs statements that are all known in advance in one transaction. On SQLite they are one message; on
   * PostgreSQL a single statement is one round trip.
   *
   * @param wasDone checks for the batch's own result after a commit whose answer was lost
   * @returns null if that result was found: the batch had already been committed
   * @throws DatabaseUnavailableError if the database is unreachable, full or locked for too long
   */
  batch<Statements extends Batch>(
    batch: Statements,
    wasDone: (transaction: ReadTransaction) => Promise<boolean>,
  ): Promise<BatchOutcome<Statements> | null> {
    const writer = this.#sqlite?.writer
    if (writer !== undefined) {
      const statements = Object.values(batch).map(query => ({
        sql: query.sql,
        parameters: query.parameters.map(toSqlValue),
      }))
      return this.#repeat(true, async () => {
        const { results, isComplete } = await writer.batch({ statements, needsRows: true })
        return new BatchOutcome(batch, results, isComplete)
      })
    }
    const [only, ...others] = Object.values(batch)
    return this.#repeat(true, async ({ mayHaveCommitted }) => {
      if (only !== undefined && others.length === 0 && !mayHaveCommitted) {
        const result = await this.#executeAlone(only)
        const changes = countChanges(result)
        return new BatchOutcome(batch, [{ rows: result.rows, changes }], changes > 0)
      }
      const transaction = await this.queries.startTransaction().execute()
      try {
        const isDone = mayHaveCommitted && (await wasDone(transaction))
        const outcome = isDone ? null : await runBatch(transaction, batch)
        if (outcome?.stoppedAt === null) await transaction.commit().execute()
        return outcome
      } finally {
        if (!transaction.isCommitted) await transaction.rollback().execute()
      }
    })
  }

  /**
   * Runs one statement as a transaction: on PostgreSQL one round trip. `build` is told if an earlier attempt
   * may have been committed; the statement must then check for its own result.
   * @throws DatabaseUnavailableError if the database is unreachable, full or locked for too long
   */
  statement<Row>(build: (attempt: TransactionAttempt) => CompiledQuery<Row>): Promise<readonly Row[]> {
    return this.#repeat(true, async attempt => (await this.#executeAlone(build(attempt))).rows)
  }

  /** Runs a statement outside a transaction. If its answer is lost it may have been committed. */
  async #executeAlone<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
    try {
      return await this.queries.executeQuery(query)
    } catch (error) {
      if (classifyDatabaseError(error) !== 'unavailable') throw error
      throw new CommitUnknownError('the answer to a statement was lost', { cause: error })
    }
  }

  async #repeat<Result>(isRepeatable: boolean, run: (attempt: TransactionAttempt) => Promise<Result>): Promise<Result> {
    const startedMs = performance.now()
    let attemptCount = 0
    let isDone = false
    try {
      const result = await this.#attempt(isRepeatable, attempt => {
        attemptCount += 1
        return run(attempt)
      })
      isDone = true
      return result
    } finally {
      this.#onTransaction(performance.now() - startedMs, attemptCount - 1, isDone)
    }
  }

  async #attempt<Result>(
    isRepeatable: boolean,
    run: (attempt: TransactionAttempt) => Promise<Result>,
  ): Promise<Result> {
    let mayHaveCommitted = false
    for (let attempt = 1; ; attempt++) {
      try {
        return await run({ mayHaveCommitted })
      } catch (error) {
        const kind = classifyDatabaseError(error)
        if (error instanceof CommitUnknownError) {
          if (!isRepeatable) throw error
          mayHaveCommitted = true
        }
        const isConflict = kind === 'conflict' || (kind === 'unique' && mayHaveCommitted)
        if (!isConflict && kind !== 'unavailable' && kind !== 'busy') throw error
        if (attempt >= (isConflict ? MAX_CONFLICT_ATTEMPTS : MAX_UNAVAILABLE_ATTEMPTS)) {
          throw asUnavailable(error)
        }
        await delay(isConflict ? Math.random() * Math.min(100, 2 ** attempt) : 50 * 3 ** (attempt - 1))
      }
    }
  }

  /** Runs `work`, which only reads, on a consistent snapshot. */
  snapshot<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.queries.transaction().setAccessMode('read only').execute(work)
  }

  /** Like `snapshot`, without the server's timeouts, for work on whole tables, which may take minutes. */
  longSnapshot<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.#patiently(queries =>
      queries
        .transaction()
        .setAccessMode('read only')
        .execute(transaction => this.#withMemory(transaction, work)),
    )
  }

  /** A writing transaction on whole tables, without timeouts. On PostgreSQL it is not retried. */
  longTransaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    if (this.kind === 'sqlite') return this.transaction(work)
    return this.#patiently(queries => queries.transaction().execute(transaction => this.#withMemory(transaction, work)))
  }

  /**
   * Migrates the tables to this program's schema. Concurrent calls of several processes wait for the one that
   * migrates.
   * @throws DatabaseRefusedError if the database belongs to a newer program
   */
  migrate(clock: Clock = Date.now): Promise<{ applied: string[] }> {
    const work = (transaction: Transaction) => migrate(this.kind, transaction, clock())
    if (this.kind === 'sqlite') return this.transaction(work)
    return this.#patiently(async queries => {
      for (;;) {
        try {
          const migrated = await queries.transaction().execute(work)
          await buildIndexes(queries)
          return migrated
        } catch (error) {
          // Requests hold a lock on the table, and have priority; or another node is building an index of it.
          const kind = classifyDatabaseError(error)
          if (kind !== 'busy' && kind !== 'conflict') throw asUnavailable(error)
          await delay(MIGRATION_RETRY_MS)
        }
      }
    })
  }

  async #withMemory<Result>(
    transaction: Transaction,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    if (this.#postgres !== null) await sql`set local work_mem = ${sql.lit(WHOLE_TABLES_MEMORY)}`.execute(transaction)
    return work(transaction)
  }

  async #patiently<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    if (this.#postgres === null) return work(this.queries)
    const queries = new Kysely<Schema>({ dialect: this.#postgres.buildPatient() })
    try {
      return await work(queries)
    } finally {
      await queries.destroy()
    }
  }

  async close(): Promise<void> {
    this.#sqlite?.reader.close()
    await this.queries.destroy()
  }
}

/**
 * Opens the database without changing its tables (see `migrate`). Creates the data folder if missing.
 * @throws DatabaseRefusedError if the database can't be opened or is not safe for credits
 */
export async function openDatabase(location: DatabaseLocation, onTransaction?: TransactionObserver): Promise<Database> {
  const { databaseUrl, dataDir } = location
  if (databaseUrl === undefined || databaseUrl === '') return openSqlite(dataDir, onTransaction)
  if (!/^postgres(ql)?:\/\//.test(databaseUrl)) {
    throw new DatabaseRefusedError(
      'Expected a database URL that begins with postgres:// or postgresql:// but received another.',
    )
  }
  // The URL contains a password, so the messages have only the reason.
  const refuse = (error: unknown) =>
    new DatabaseRefusedError(`PostgreSQL (DATABASE_URL) cannot be reached: ${describe(error)}.`, { cause: error })
  let queries: Queries
  let postgres: Postgres
  // The driver is loaded only if it is needed.
  const { buildPatientDialect, buildPostgresDialect } = await import('./postgres-dialect.ts')
  try {
    const url = await withTlsMode(databaseUrl)
    // The driver reads the certificate files immediately.
    const { dialect, poolState } = buildPostgresDialect(url, location.poolSize ?? DEFAULT_POOL_SIZE)
    queries = new Kysely<Schema>({ dialect })
    postgres = { buildPatient: () => buildPatientDialect(url), poolState }
  } catch (error) {
    throw refuse(error)
  }
  let problem: string | null
  try {
    problem = await findUnsafeSetting(queries)
  } catch (error) {
    await queries.destroy()
    throw refuse(error)
  }
  if (problem !== null) {
    await queries.destroy()
    throw new DatabaseRefusedError(
      `The PostgreSQL server is not safe for credits: expected ${problem} on but it runs with off, so that a crash of its machine may lose what it confirmed. Set it, or, for a database that may lose everything, ${ACCEPTS_UNSAFE} = 'accepted'.`,
    )
  }
  return new Database(dataDir, queries, postgres, onTransaction)
}

/**
 * The server setting that may lose confirmed commits, or null. It can only be accepted by a parameter of the
 * server or database: a setting of the service could be copied to production.
 */
async function findUnsafeSetting(queries: Queries): Promise<string | null> {
  const { rows } = await sql<{ fsync: string; pages: string; accepted: string | null }>`
    select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
      current_setting(${ACCEPTS_UNSAFE}, true) as accepted`.execute(queries)
  const [settings] = rows
  if (settings === undefined || settings.accepted === 'accepted') return null
  if (settings.fsync !== 'on') return 'fsync'
  return settings.pages === 'on' ? null : 'full_page_writes'
}

async function openSqlite(dataDir: string, onTransaction?: TransactionObserver): Promise<Database> {
  const file = path.join(dataDir, 'vitrine.db')
  const connection = await openSqliteFile(file)
  const writer = new SqliteWriter(connection)
  const queries = new Kysely<Schema>({ dialect: buildSqliteDialect(connection, writer) })
  // Kysely closes only what has been used.
  await queries.selectNoFrom(build => build.lit(1).as('one')).execute()
  return new Database(dataDir, queries, { writer, reader: new SqliteReader(file) }, onTransaction)
}

/** @throws DatabaseRefusedError if SQLite could lose confirmed commits. Exported for its test. */
export async function openSqliteFile(file: string): Promise<SqliteConnection> {
  let connection: SqliteConnection
  let settings: Record<string, unknown> | undefined
  try {
    if (file !== ':memory:') mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    connection = new SqliteConnection({ file, busyTimeoutMs: SQLITE_BUSY_TIMEOUT_MS })
    settings = (await connection.send({ to: 'settings' })).rows[0]
    // It contains customers' addresses and key hashes. The -wal and -shm files inherit its mode.
    if (file !== ':memory:') chmodSync(file, 0o600)
  } catch (error) {
    throw new DatabaseRefusedError(`The database ${file} cannot be opened: ${describe(error)}.`, { cause: error })
  }
  const expected = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1 }
  for (const [name, value] of Object.entries(expected)) {
    if (settings?.[name] === value) continue
    await connection.close()
    throw new DatabaseRefusedError(
      `The database ${file} is not safe for credits: expected ${name} ${value} but SQLite runs with ${String(settings?.[name])}.`,
    )
  }
  return connection
}

/** The error itself, or the common error of both databases if it is transient. */
function asUnavailable(error: unknown): unknown {
  const kind = classifyDatabaseError(error)
  const isTransient = kind === 'unavailable' || kind === 'busy' || kind === 'conflict'
  if (error instanceof DatabaseUnavailableError || !isTransient) return error
  return new DatabaseUnavailableError('the database cannot do its work now', { cause: error })
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
