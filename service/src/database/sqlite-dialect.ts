import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import type { SqliteConnection, SqliteResult, SqlValue } from './sqlite-connection.ts'
import type { SqliteWriter } from './sqlite-writer.ts'

/** One use of the database: a single query, a transaction, or a read-only snapshot. */
class SqliteUse implements DatabaseConnection {
  readonly connection: SqliteConnection
  readonly writer: SqliteWriter
  mode: 'single' | 'transaction' | { readonly snapshot: number } = 'single'

  constructor(connection: SqliteConnection, writer: SqliteWriter) {
    this.connection = connection
    this.writer = writer
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, changes } = await this.#run(query)
    // The row type is the one that the query builder declares for this query.
    return { rows: rows as R[], numAffectedRows: BigInt(changes) }
  }

  async #run(query: CompiledQuery): Promise<SqliteResult> {
    const { sql } = query
    const parameters = query.parameters.map(toSqlValue)
    if (this.mode === 'transaction') return this.writer.run(sql, parameters)
    if (this.mode !== 'single') {
      return this.connection.send({ to: 'snapshot', snapshot: this.mode.snapshot, sql, parameters })
    }
    // The reading connection sees committed data, and waits for no write.
    if (SelectQueryNode.is(query.query)) return this.connection.send({ to: 'reader', sql, parameters })
    const { results } = await this.writer.batch({ statements: [{ sql, parameters }], needsRows: false })
    return results[0] ?? { rows: [], changes: 0 }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not offered: read page by page')
  }
}

/** Accepts the same values as PostgreSQL's driver: booleans become 0 and 1, undefined null. */
export function toSqlValue(value: unknown): SqlValue {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  throw new TypeError(`Expected a value SQLite can store but received ${typeof value}`)
}

class SqliteThreadDriver implements Driver {
  readonly #connection: SqliteConnection
  readonly #writer: SqliteWriter
  #lastSnapshot = 0

  constructor(connection: SqliteConnection, writer: SqliteWriter) {
    this.#connection = connection
    this.#writer = writer
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new SqliteUse(this.#connection, this.#writer)
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const use = asUse(connection)
    if (settings.accessMode === 'read only') {
      use.mode = { snapshot: ++this.#lastSnapshot }
      return
    }
    await this.#writer.begin()
    use.mode = 'transaction'
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#end(connection, 'commit')
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#end(connection, 'rollback')
  }

  async #end(connection: DatabaseConnection, how: 'commit' | 'rollback'): Promise<void> {
    const use = asUse(connection)
    const { mode } = use
    // A failed commit has ended the transaction, so that Kysely's subsequent rollback does nothing.
    use.mode = 'single'
    if (mode === 'transaction') await this.#writer.end(how)
    else if (mode !== 'single') await this.#connection.send({ to: 'end-snapshot', snapshot: mode.snapshot })
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#connection.close()
  }
}

function asUse(connection: DatabaseConnection): SqliteUse {
  if (!(connection instanceof SqliteUse)) throw new TypeError('Expected a connection of this driver')
  return connection
}

/** By default Kysely runs one query at a time. Here SqliteWriter orders writes, and reads never wait. */
class ConcurrentSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** A Kysely dialect on the SQLite thread. */
export function buildSqliteDialect(connection: SqliteConnection, writer: SqliteWriter): Dialect {
  return {
    createDriver: () => new SqliteThreadDriver(connection, writer),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new ConcurrentSqliteAdapter(),
    createIntrospector: database => new SqliteIntrospector(database),
  }
}
