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
import { Pool, type PoolClient, type PoolConfig, types } from 'pg'
import { CommitUnknownError, classifyDatabaseError, isReadOnlyError } from './database-error.ts'

/** Longer than any query takes, shorter than a client waits (30 s). */
const STATEMENT_TIMEOUT_MS = 10_000

/** Credits, counts and milliseconds: whole numbers below 2^53, which the driver would return as strings. */
function parseWholeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`Expected a whole number below 2^53 but received ${text}`)
  return value
}

/**
 * Connections for work of an operator, which takes the time that it takes: migrations, and looks at the whole
 * ledger. A server that is gone is noticed by the system's keep-alive.
 */
function openPatientPool(url: string): Pool {
  const untimed = new URL(url)
  const timeouts = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'query_timeout']
  for (const name of timeouts) untimed.searchParams.delete(name)
  return openPool({
    connectionString: untimed.href,
    max: 1,
    connectionTimeoutMillis: STATEMENT_TIMEOUT_MS,
    statement_timeout: 0,
    lock_timeout: 0,
    idle_in_transaction_session_timeout: 0,
    keepAlive: true,
    application_name: 'vitrine operator',
  })
}

function openServingPool(url: string): Pool {
  return openPool({
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
  })
}

function openPool(config: PoolConfig): Pool {
  const pool = new Pool({
    ...config,
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
  readonly #onReadOnly: () => void
  /** Set when the connection's state is unknown: it is closed instead of used again. */
  isBroken = false

  constructor(client: PoolClient, onReadOnly: () => void) {
    this.client = client
    this.#onReadOnly = onReadOnly
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
      if (isReadOnlyError(error)) this.#onReadOnly()
      throw error
    }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not offered: read page by page')
  }
}

class PostgresPoolDriver implements Driver {
  readonly #pool: Pool
  /** The connections that are prepared, by the number of failovers that had been seen before. */
  readonly #prepared = new WeakMap<PoolClient, number>()
  #failoverCount = 0

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    let client = await this.#pool.connect()
    for (let seen = this.#prepared.get(client); seen !== undefined; seen = this.#prepared.get(client)) {
      if (seen === this.#failoverCount) return this.#use(client)
      client.release(true)
      client = await this.#pool.connect()
    }
    this.#prepared.set(client, this.#failoverCount)
    const use = this.#use(client)
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

  /** A server that takes no writes is the old primary: all connections to it are made again, readers' too. */
  #use(client: PoolClient): PostgresUse {
    return new PostgresUse(client, () => {
      if (this.#prepared.get(client) === this.#failoverCount) this.#failoverCount++
    })
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
  return buildDialect(openServingPool(url))
}

/** The same on one connection without timeouts. */
export function buildPatientDialect(url: string): Dialect {
  return buildDialect(openPatientPool(url))
}

function buildDialect(pool: Pool): Dialect {
  return {
    createDriver: () => new PostgresPoolDriver(pool),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: database => new PostgresIntrospector(database),
  }
}
