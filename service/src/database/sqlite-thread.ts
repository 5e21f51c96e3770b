/**
 * The thread that owns the SQLite connections. node:sqlite is synchronous, and a commit of money waits for the disk
 * (`synchronous=FULL`) or for another process's lock: neither may hold up the thread that answers requests.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { SqliteReply, SqliteRequest, SqliteResult, SqliteThreadData, SqlValue } from './sqlite-connection.ts'

const data: SqliteThreadData = workerData
const port = parentPort
if (port === null) throw new Error('sqlite-thread runs as a worker thread')

class Connection {
  readonly database: DatabaseSync
  /** Prepared statements by their text: the queries of the service are few and fixed. */
  readonly #statements = new Map<string, StatementSync>()

  constructor(file: string, options: { readOnly: boolean }) {
    this.database = new DatabaseSync(file, {
      timeout: data.busyTimeoutMs,
      enableForeignKeyConstraints: true,
      readOnly: options.readOnly,
    })
  }

  run(sql: string, parameters: readonly SqlValue[]): SqliteResult {
    const statement = this.#prepare(sql)
    if (statement.columns().length > 0) {
      const rows = statement.all(...parameters)
      return { rows, changes: rows.length }
    }
    return { rows: [], changes: Number(statement.run(...parameters).changes) }
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.database.prepare(sql)
    if (this.#statements.size >= 500) this.#statements.clear()
    this.#statements.set(sql, statement)
    return statement
  }
}

const writer = new Connection(data.file, { readOnly: false })
writer.database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;')
const reader = new Connection(data.file, { readOnly: true })
const snapshots = new Map<number, Connection>()

function pragma(name: string): SqlValue {
  const row = writer.database.prepare(`PRAGMA ${name}`).get() ?? {}
  return Object.values(row)[0] ?? null
}

const nothing: SqliteResult = { rows: [], changes: 0 }

function answer(request: SqliteRequest): SqliteResult {
  switch (request.to) {
    case 'writer':
      return writer.run(request.sql, request.parameters)
    case 'writer-script':
      writer.database.exec(request.sql)
      return nothing
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
      return {
        rows: [
          {
            journal_mode: pragma('journal_mode'),
            synchronous: pragma('synchronous'),
            foreign_keys: pragma('foreign_keys'),
          },
        ],
        changes: 0,
      }
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
    if (!(error instanceof Error)) throw error
    const errcode = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null
    const hasTransaction = writer.database.isOpen && writer.database.isTransaction
    port.postMessage({
      id: request.id,
      error: { message: error.message, errcode, hasTransaction },
    } satisfies SqliteReply)
  }
  if (request.to === 'close') port.close()
})
