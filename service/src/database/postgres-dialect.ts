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
import { planNameOf } from './prepared-query.ts'

/** Longer than any query takes, shorter than a client waits (30 s). */
const STATEMENT_TIMEOUT_MS = 10_000

/** A server that does not wait for its disk may lose a confirmed commit. Stronger settings stay. */
const DURABLE_COMMIT = `coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on')`

/** Credits, counts and milliseconds: integers below 2^53, which the driver would return as strings. */
function parseWholeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`Expected a whole number below 2^53 but received ${text}`)
  return value
}

const timeoutNames = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const

/** Server timeouts in milliseconds; 0 disables one. */
type Timeouts = Readonly<Record<(typeof timeoutNames)[number], number>>

type TimedPool = { readonly pool: Pool; readonly timeouts: Timeouts }

/**
 * Connections for an operator's work, without timeouts: migrations, and scans of the whole ledger. Keep-alive
 * detects a server that is gone.
 */
function openPatientPool(url: string): TimedPool {
  const { address } = splitTimeouts(url)
  address.searchParams.delete('query_timeout')
  const pool = openPool({
    connectionString: address.href,
    max: 1,
    connectionTimeoutMillis: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'vitrine operator',
  })
  return { pool, timeouts: { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 } }
}

function openServingPool(url: string, size: number): TimedPool {
  const { address, timeouts } = splitTimeouts(url)
  const pool = openPool({
    connectionString: address.href,
    max: size,
    connectionTimeoutMillis: STATEMENT_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    // The server's own timeouts only work if it answers; this one does not depend on it.
    query_timeout: STATEMENT_TIMEOUT_MS + 5_000,
    application_name: 'vitrine',
  })
  return { pool, timeouts }
}

/** Splits a URL into address and timeouts, which connection poolers reject as startup parameters. */
function splitTimeouts(url: string): { readonly address: URL; readonly timeouts: Timeouts } {
  const address = new URL(url)
  const take = (name: (typeof timeoutNames)[number]) => {
    const value = Number(address.searchParams.get(name) ?? STATEMENT_TIMEOUT_MS)
    address.searchParams.delete(name)
    return Number.isSafeInteger(value) && value >= 0 ? value : STATEMENT_TIMEOUT_MS
  }
  const [statement_timeout, lock_timeout, idle_in_transaction_session_timeout] = [
    take('statement_timeout'),
    take('lock_timeout'),
    take('idle_in_transaction_session_timeout'),
  ]
  return { address, timeouts: { statement_timeout, lock_timeout, idle_in_transaction_session_timeout } }
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
  // An idle connection that breaks is replaced at its next use. Without a listener the process would exit.
  pool.on('error', () => undefined)
  return pool
}

/** The state of a connection, determined at its first use. */
type Prepared = {
  /** The number of failovers seen before it was opened. */
  readonly failoverCount: number
  /** Whether a pooler may give each transaction a different server connection. */
  readonly isPooled: boolean
}

class PostgresUse implements DatabaseConnection {
  readonly client: PoolClient
  /** Whether the connection's settings and plans last only for one transaction. */
  isPooled = true
  readonly #onReadOnly: () => void
  /** Set if the connection's state is unknown: it is closed instead of reused. */
  isBroken = false

  constructor(client: PoolClient, onReadOnly: () => void) {
    this.client = client
    this.#onReadOnly = onReadOnly
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const planName = this.isPooled ? undefined : planNameOf(query)
    const { rows, rowCount } = await this.run(query.sql, [...query.parameters], planName)
    // The row type is the one that the query builder declares for this query.
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
  }

  /** With a `planName` the connection parses and plans the statement only once. */
  async run(text: string, values: unknown[] = [], planName?: string) {
    try {
      const query = { text, values, ...(planName !== undefined && { name: planName }) }
      return await this.client.query<Record<string, unknown>>(query)
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
  readonly #timeouts: Timeouts
  readonly #prepared = new WeakMap<PoolClient, Prepared>()
  #failoverCount = 0

  constructor({ pool, timeouts }: TimedPool) {
    this.#pool = pool
    this.#timeouts = timeouts
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    let client = await this.#pool.connect()
    for (let known = this.#prepared.get(client); known !== undefined; known = this.#prepared.get(client)) {
      if (known.failoverCount === this.#failoverCount) return this.#use(client, known.isPooled)
      client.release(true)
      client = await this.#pool.connect()
    }
    // The current query reports the error. Without a listener the process would exit.
    client.on('error', () => undefined)
    try {
      const isPooled = await this.#prepare(client)
      this.#prepared.set(client, { failoverCount: this.#failoverCount, isPooled })
      return this.#use(client, isPooled)
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  /**
   * Configures a connection. Resolves with whether there is a pooler: the server process then differs from
   * the one announced at startup, and settings would affect other clients.
   */
  async #prepare(client: PoolClient): Promise<boolean> {
    const wanted = timeoutNames.map(name => `('${name}', '${this.#timeouts[name]}')`).join(', ')
    // The driver's types lack the process id from startup.
    const { processID } = client as PoolClient & { readonly processID: number | null }
    const { rows } = await new PostgresUse(client, () => undefined).run(
      `select set_config(name, value, false) from (values ${wanted}, ('synchronous_commit', ${DURABLE_COMMIT}))
        as wanted (name, value) where pg_backend_pid() = $1`,
      [processID],
    )
    return rows.length === 0
  }

  /** A read-only server is the old primary: all connections are opened again, also those for reading. */
  #use(client: PoolClient, isPooled: boolean): PostgresUse {
    const use = new PostgresUse(client, () => {
      if (this.#prepared.get(client)?.failoverCount === this.#failoverCount) this.#failoverCount++
    })
    use.isPooled = isPooled
    return use
  }

  async beginTransaction(connection: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    const mode = accessMode === 'read only' ? 'repeatable read read only' : 'read committed'
    const use = asUse(connection)
    const local = timeoutNames.map(name => `set local ${name} = ${this.#timeouts[name]}`)
    const settings = [...local, `select set_config('synchronous_commit', ${DURABLE_COMMIT}, true)`]
    // Sent as one message.
    await use.run([`begin isolation level ${mode}`, ...(use.isPooled ? settings : [])].join('; '))
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
    // PostgreSQL answers COMMIT with ROLLBACK, and no error, if an earlier statement failed.
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

/** The number of connections in a pool, and of queries waiting for one. */
export type PoolState = { readonly inUseCount: number; readonly idleCount: number; readonly waitingCount: number }

/** A Kysely dialect on a PostgreSQL pool: READ COMMITTED, timeouts, and checked commits. */
export function buildPostgresDialect(
  url: string,
  poolSize: number,
): { readonly dialect: Dialect; readonly poolState: () => PoolState } {
  const timed = openServingPool(url, poolSize)
  const poolState = () => {
    const { totalCount, idleCount, waitingCount } = timed.pool
    return { inUseCount: totalCount - idleCount, idleCount, waitingCount }
  }
  return { dialect: buildDialect(timed), poolState }
}

/** The same on one connection without timeouts. */
export function buildPatientDialect(url: string): Dialect {
  return buildDialect(openPatientPool(url))
}

function buildDialect(pool: TimedPool): Dialect {
  return {
    createDriver: () => new PostgresPoolDriver(pool),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: database => new PostgresIntrospector(database),
  }
}
