import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import { Pool, type PoolClient, types } from 'pg'
import { CommitUnknownError, classifyDatabaseError } from './database-error.ts'

/** Longer than any query takes, shorter than a client waits (30 s). */
const STATEMENT_TIMEOUT_MS = 10_000

/** Credits, counts and milliseconds: whole numbers below 2^53, which the driver would return as strings. */
function parseWholeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`Expected a whole number below 2^53 but received ${text}`)
  return value
}

function openPostgresPool(url: string): Pool {
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: STATEMENT_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    // The server's timeouts need a server that answers; this one does not.
    query_timeout: STATEMENT_TIMEOUT_MS + 5_000,
    application_name: 'vitrine',
    allowExitOnIdle: true,
    types: {
      getTypeParser(oid, format) {
        if (oid === types.builtins.INT8 || oid === types.builtins.NUMERIC) return parseWholeNumber
        return types.getTypeParser(oid, format)
      },
    },
  })
  // An idle connection that breaks is replaced at its next use; without a listener the process would end.
  pool.on('error', () => undefined)
  return pool
}

class PostgresUse implements DatabaseConnection {
  readonly client: PoolClient
  /** Set when the connection's state is unknown: it is closed instead of used again. */
  isBroken = false

  constructor(client: PoolClient) {
    this.client = client
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, rowCount } = await this.run(query.sql, [...query.parameters])
    // The row's type is what the query builder says of this query.
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
  }

  async run(sql: string, parameters: unknown[] = []) {
    try {
      return await this.client.query<Record<string, unknown>>(sql, parameters)
    } catch (error) {
      if (classifyDatabaseError(error) === 'unavailable') this.isBroken = true
      throw error
    }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not offered: read page by page')
  }
}

class PostgresPoolDriver implements Driver {
  readonly #pool: Pool
  readonly #prepared = new WeakSet<PoolClient>()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const client = await this.#pool.connect()
    const use = new PostgresUse(client)
    if (this.#prepared.has(client)) return use
    this.#prepared.add(client)
    // The query under way reports the error; without a listener the process would end.
    client.on('error', () => undefined)
    try {
      // A server that does not wait for its disk may lose a confirmed commit. Stronger settings stay.
      await use.run(
        `select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`,
      )
    } catch (error) {
      client.release(true)
      throw error
    }
    return use
  }

  async beginTransaction(connection: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    const mode = accessMode === 'read only' ? 'repeatable read read only' : 'read committed'
    await asUse(connection).run(`begin isolation level ${mode}`)
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const use = asUse(connection)
    let command: string
    try {
      command = (await use.run('commit')).command
    } catch (error) {
      if (!use.isBroken) throw error
      throw new CommitUnknownError('the connection to PostgreSQL was lost during a commit', { cause: error })
    }
    // PostgreSQL answers COMMIT with ROLLBACK, and no error, when a statement before it failed.
    if (command !== 'COMMIT') throw new Error(`Expected PostgreSQL to commit but it answered ${command}`)
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const use = asUse(connection)
    if (use.isBroken) return // the server rolls back when the connection ends
    try {
      await use.run('rollback')
    } catch {
      use.isBroken = true // the error that led here is the one to report
    }
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const use = asUse(connection)
    use.client.release(use.isBroken)
  }

  async destroy(): Promise<void> {
    await this.#pool.end()
  }
}

function asUse(connection: DatabaseConnection): PostgresUse {
  if (!(connection instanceof PostgresUse)) throw new TypeError('Expected a connection of this driver')
  return connection
}

/** Kysely on a pool of PostgreSQL connections: READ COMMITTED, timeouts, and checked commits. */
export function buildPostgresDialect(url: string): Dialect {
  const pool = openPostgresPool(url)
  return {
    createDriver: () => new PostgresPoolDriver(pool),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: database => new PostgresIntrospector(database),
  }
}
