/**
 * The thread that owns the SQLite connections. Commits wait for the disk or another process's lock, and
 * node:sqlite is synchronous: it must not block the thread that serves requests.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type {
  SqliteBatch,
  SqliteBatchOutcome,
  SqliteFault,
  SqliteReply,
  SqliteRequest,
  SqliteResult,
  SqliteThreadData,
  SqlValue,
} from './sqlite-connection.ts'

const data: SqliteThreadData = workerData
const port = parentPort
if (port === null) throw new Error('sqlite-thread runs as a worker thread')

type Prepared = { readonly statement: StatementSync; readonly returnsRows: boolean }

class Connection {
  readonly database: DatabaseSync
  /** Prepared statements by their SQL. Limited, since some queries differ by their number of values. */
  readonly #statements = new Map<string, Prepared>()

  constructor(file: string, options: { readOnly: boolean }) {
    this.database = new DatabaseSync(file, {
      timeout: data.busyTimeoutMs,
      enableForeignKeyConstraints: true,
      readOnly: options.readOnly,
    })
  }

  run(sql: string, parameters: readonly SqlValue[]): SqliteResult {
    const { statement, returnsRows } = this.#prepare(sql)
    if (returnsRows) {
      const rows = statement.all(...parameters)
      return { rows, changes: rows.length }
    }
    return { rows: [], changes: Number(statement.run(...parameters).changes) }
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.database.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    if (this.#statements.size >= 500) this.#statements.clear()
    this.#statements.set(sql, prepared)
    return prepared
  }
}

const writer = new Connection(data.file, { readOnly: false })
writer.database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;')
const reader = new Connection(data.file, { readOnly: true })
const snapshots = new Map<number, Connection>()

const nothing: SqliteResult = { rows: [], changes: 0 }

/** Runs batches in order and commits them together. */
function runBatches(batches: readonly SqliteBatch[]): SqliteBatchOutcome[] {
  begin()
  try {
    const outcomes = batches.map(runBatch)
    commit()
    return outcomes
  } catch (error) {
    rollBack()
    throw error
  }
}

function runBatch({ statements, needsRows }: SqliteBatch): SqliteBatchOutcome {
  writer.run('SAVEPOINT batch', [])
  const results: SqliteResult[] = []
  try {
    for (const { sql, parameters } of statements) {
      const result = writer.run(sql, parameters)
      results.push(result)
      if (!needsRows || result.changes > 0) continue
      undoBatch()
      return { results, isComplete: false }
    }
    writer.run('RELEASE batch', [])
    return { results, isComplete: true }
  } catch (error) {
    // Some failures roll back the whole transaction, including all other batches.
    if (!writer.database.isTransaction) throw error
    undoBatch()
    return { error: describeFault(error) }
  }
}

function undoBatch(): void {
  writer.run('ROLLBACK TO batch', [])
  writer.run('RELEASE batch', [])
}

/** Immediate: a deferred transaction fails at once with BUSY_SNAPSHOT if another process writes first. */
function begin(): void {
  writer.run('BEGIN IMMEDIATE', [])
}

/** Some failures roll back the whole transaction: a statement after that would be committed alone. */
function runInTransaction(sql: string, parameters: readonly SqlValue[]): SqliteResult {
  if (!writer.database.isTransaction) throw new Error('SQLite has rolled the transaction back')
  return writer.run(sql, parameters)
}

function commit(): void {
  try {
    runInTransaction('COMMIT', [])
  } catch (error) {
    rollBack()
    throw error
  }
}

function rollBack(): void {
  if (writer.database.isTransaction) writer.run('ROLLBACK', [])
}

/** @throws anything that is not an Error */
function describeFault(error: unknown): SqliteFault {
  if (!(error instanceof Error)) throw error
  const errcode = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null
  return { message: error.message, errcode }
}

function answer(request: SqliteRequest): SqliteResult {
  switch (request.to) {
    case 'begin':
      begin()
      return nothing
    case 'transaction':
      return runInTransaction(request.sql, request.parameters)
    case 'commit':
      commit()
      return nothing
    case 'rollback':
      rollBack()
      return nothing
    case 'batches':
      return { ...nothing, outcomes: runBatches(request.batches) }
    case 'reader':
      return reader.run(request.sql, request.parameters)
    case 'snapshot': {
      let snapshot = snapshots.get(request.snapshot)
      if (!snapshot) {
        snapshot = new Connection(data.file, { readOnly: true })
        snapshot.database.exec('BEGIN')
        snapshots.set(request.snapshot, snapshot)
      }
      return snapshot.run(request.sql, request.parameters)
    }
    case 'end-snapshot':
      snapshots.get(request.snapshot)?.database.close()
      snapshots.delete(request.snapshot)
      return nothing
    case 'settings':
      return writer.run('SELECT * FROM pragma_journal_mode, pragma_synchronous, pragma_foreign_keys', [])
    case 'close':
      for (const snapshot of snapshots.values()) snapshot.database.close()
      reader.database.close()
      writer.database.close()
      return nothing
    default:
      return request satisfies never
  }
}

port.on('message', (request: SqliteRequest) => {
  try {
    port.postMessage({ id: request.id, result: answer(request) } satisfies SqliteReply)
  } catch (error) {
    port.postMessage({ id: request.id, error: describeFault(error) } satisfies SqliteReply)
  }
  if (request.to === 'close') port.close()
})
