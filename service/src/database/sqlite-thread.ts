/**
 * The thread that owns the SQLite connections. node:sqlite is synchronous, and a commit of money waits for the disk
 * (`synchronous=FULL`) or for another process's lock: neither may hold up the thread that answers requests.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type {
  SqliteFault,
  SqliteOutcome,
  SqliteReply,
  SqliteRequest,
  SqliteResult,
  SqliteSequence,
  SqliteThreadData,
  SqlValue,
} from './sqlite-connection.ts'

const data: SqliteThreadData = workerData
const port = parentPort
if (port === null) throw new Error('sqlite-thread runs as a worker thread')

type Prepared = { readonly statement: StatementSync; readonly returnsRows: boolean }

class Connection {
  readonly database: DatabaseSync
  /** Prepared statements by their text: the queries of the service are few and fixed. */
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

function pragma(name: string): SqlValue {
  const row = writer.database.prepare(`PRAGMA ${name}`).get() ?? {}
  return Object.values(row)[0] ?? null
}

const nothing: SqliteResult = { rows: [], changes: 0 }

/** Runs transactions that are complete, one after another, and commits them together. */
function runSequences(begins: boolean, sequences: readonly SqliteSequence[]): SqliteOutcome[] {
  try {
    // Immediate: see GroupCommit.
    if (begins) writer.run('BEGIN IMMEDIATE', [])
    const outcomes = sequences.map(runSequence)
    writer.run('COMMIT', [])
    return outcomes
  } catch (error) {
    if (writer.database.isTransaction) writer.run('ROLLBACK', [])
    throw error
  }
}

function runSequence(sequence: SqliteSequence): SqliteOutcome {
  writer.run('SAVEPOINT member', [])
  const results: SqliteResult[] = []
  try {
    for (const { sql, parameters, needsRow } of sequence) {
      const result = writer.run(sql, parameters)
      results.push(result)
      if (!needsRow || result.changes > 0) continue
      undoMember()
      return { results, stoppedAt: results.length - 1 }
    }
    writer.run('RELEASE member', [])
    return { results, stoppedAt: null }
  } catch (error) {
    // Some failures end the whole transaction, and all that was in it.
    if (!writer.database.isTransaction) throw error
    undoMember()
    return { error: describeFault(error) }
  }
}

function undoMember(): void {
  writer.run('ROLLBACK TO member', [])
  writer.run('RELEASE member', [])
}

/** @throws what is no Error */
function describeFault(error: unknown): SqliteFault {
  if (!(error instanceof Error)) throw error
  const errcode = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null
  const hasTransaction = writer.database.isOpen && writer.database.isTransaction
  return { message: error.message, errcode, hasTransaction }
}

function answer(request: SqliteRequest): SqliteResult {
  switch (request.to) {
    case 'writer':
      return writer.run(request.sql, request.parameters)
    case 'writer-script':
      writer.database.exec(request.sql)
      return nothing
    case 'writer-sequences':
      return { ...nothing, outcomes: runSequences(request.begins, request.sequences) }
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
    port.postMessage({ id: request.id, error: describeFault(error) } satisfies SqliteReply)
  }
  if (request.to === 'close') port.close()
})
