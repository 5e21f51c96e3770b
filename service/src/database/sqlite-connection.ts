import { Worker } from 'node:worker_threads'
import { DatabaseUnavailableError } from './database-error.ts'

export type SqlValue = null | number | bigint | string | Uint8Array
export type SqlRow = Record<string, SqlValue>

export type SqliteThreadData = { readonly file: string; readonly busyTimeoutMs: number }

type SqliteStatement = { readonly sql: string; readonly parameters: readonly SqlValue[] }

type SqliteCommand =
  | ({ readonly to: 'transaction' | 'reader' } & SqliteStatement)
  | ({ readonly to: 'snapshot'; readonly snapshot: number } & SqliteStatement)
  | { readonly to: 'end-snapshot'; readonly snapshot: number }
  | { readonly to: 'batches'; readonly batches: readonly SqliteBatch[] }
  | { readonly to: 'begin' | 'commit' | 'rollback' | 'settings' | 'close' }

export type SqliteRequest = SqliteCommand & { readonly id: number }

/** The statements of one transaction. */
export type SqliteBatch = {
  readonly statements: readonly SqliteStatement[]
  /** Whether the first statement that returns and changes no row ends the batch and rolls it back. */
  readonly needsRows: boolean
}

export type SqliteResult = {
  readonly rows: SqlRow[]
  readonly changes: number
  /** One for each batch, in order. */
  readonly outcomes?: readonly SqliteBatchOutcome[]
}

/** If `isComplete` is false, the last result had no row and the batch was rolled back. */
export type SqliteBatchResult = {
  readonly results: readonly SqliteResult[]
  readonly isComplete: boolean
  readonly error?: undefined
}

export type SqliteBatchOutcome = SqliteBatchResult | { readonly error: SqliteFault }

/** A SQLite error as passed between threads; `errcode` is its extended result code. */
export type SqliteFault = { readonly message: string; readonly errcode: number | null }

export type SqliteReply = { readonly id: number } & (
  | { readonly result: SqliteResult; readonly error?: undefined }
  | { readonly result?: undefined; readonly error: SqliteFault }
)

/** A SQLite error, with its extended result code. */
export class SqliteError extends Error {
  override readonly name = 'SqliteError'
  readonly errcode: number | null

  constructor({ message, errcode }: SqliteFault) {
    super(message)
    this.errcode = errcode
  }
}

type Pending = { readonly resolve: (result: SqliteResult) => void; readonly reject: (error: Error) => void }

/** The connection to the SQLite thread: commands are sent and executed in order. */
export class SqliteConnection {
  readonly #worker: Worker
  readonly #pending = new Map<number, Pending>()
  #nextId = 1
  #failure: DatabaseUnavailableError | null = null

  constructor(data: SqliteThreadData) {
    // Without the process's flags: a thread that runs a file rejects --input-type.
    this.#worker = new Worker(new URL('./sqlite-thread.ts', import.meta.url), { workerData: data, execArgv: [] })
    this.#worker.on('message', (reply: SqliteReply) => this.#settle(reply))
    this.#worker.on('error', error => this.#fail(error))
    this.#worker.on('exit', () => this.#fail(new Error('the SQLite thread has ended')))
    this.#worker.unref()
  }

  /** Rejects with SqliteError, or with DatabaseUnavailableError if the thread has ended. */
  send(command: SqliteCommand): Promise<SqliteResult> {
    if (this.#failure) return Promise.reject(this.#failure)
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      // A pending command keeps the process alive, an idle database does not.
      if (this.#pending.size === 1) this.#worker.ref()
      this.#worker.postMessage({ ...command, id } satisfies SqliteRequest)
    })
  }

  async close(): Promise<void> {
    if (this.#failure) return
    await this.send({ to: 'close' })
    await this.#worker.terminate()
  }

  #settle(reply: SqliteReply): void {
    const pending = this.#pending.get(reply.id)
    this.#pending.delete(reply.id)
    if (this.#pending.size === 0) this.#worker.unref()
    if (reply.error) pending?.reject(new SqliteError(reply.error))
    else pending?.resolve(reply.result)
  }

  #fail(cause: unknown): void {
    const message = cause instanceof Error ? cause.message : String(cause)
    this.#failure ??= new DatabaseUnavailableError(message, { cause })
    for (const pending of this.#pending.values()) pending.reject(this.#failure)
    this.#pending.clear()
  }
}
