import { Worker } from 'node:worker_threads'
import { DatabaseUnavailable } from './database-error.ts'

export type SqlValue = null | number | bigint | string | Uint8Array
export type SqlRow = Record<string, SqlValue>

export type SqliteThreadData = { readonly file: string; readonly busyTimeoutMs: number }

type SqliteCommand =
  | { readonly to: 'writer' | 'reader'; readonly sql: string; readonly parameters: readonly SqlValue[] }
  | {
      readonly to: 'snapshot'
      readonly snapshot: number
      readonly sql: string
      readonly parameters: readonly SqlValue[]
    }
  | { readonly to: 'end-snapshot'; readonly snapshot: number }
  | { readonly to: 'writer-script'; readonly sql: string }
  | { readonly to: 'writer-sequences'; readonly begins: boolean; readonly sequences: readonly SqliteSequence[] }
  | { readonly to: 'settings' | 'close' }

export type SqliteRequest = SqliteCommand & { readonly id: number }

/** Statements that are one transaction. One that needs a row and has none undoes the others and ends it. */
export type SqliteSequence = readonly {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
  readonly needsRow: boolean
}[]

export type SqliteResult = {
  readonly rows: SqlRow[]
  readonly changes: number
  /** What became of each sequence, in their order. */
  readonly outcomes?: readonly SqliteOutcome[]
}

export type SqliteOutcome =
  | { readonly results: readonly SqliteResult[]; readonly stoppedAt: number | null; readonly error?: undefined }
  | { readonly error: SqliteFault }

/** What SQLite said of a statement that failed. */
export type SqliteFault = {
  readonly message: string
  readonly errcode: number | null
  readonly hasTransaction: boolean
}

export type SqliteReply = { readonly id: number } & (
  | { readonly result: SqliteResult; readonly error?: undefined }
  | { readonly result?: undefined; readonly error: SqliteFault }
)

/** What SQLite said, with its extended result code. */
export class SqliteError extends Error {
  override readonly name = 'SqliteError'
  readonly errcode: number | null
  /** Whether the writing connection is still inside its transaction: some failures end it as a whole. */
  readonly hasTransaction: boolean

  constructor(error: SqliteFault) {
    super(error.message)
    this.errcode = error.errcode
    this.hasTransaction = error.hasTransaction
  }
}

type Pending = {
  readonly resolve: (result: SqliteResult) => void
  readonly reject: (error: Error) => void
}

/** The way to the SQLite thread: commands go out in order and are done in order. */
export class SqliteConnection {
  readonly #worker: Worker
  readonly #pending = new Map<number, Pending>()
  #nextId = 1
  #failure: Error | null = null

  constructor(data: SqliteThreadData) {
    // Without the process's own flags: --input-type, for one, is refused in a thread that runs a file.
    this.#worker = new Worker(new URL('./sqlite-thread.ts', import.meta.url), { workerData: data, execArgv: [] })
    this.#worker.on('message', (reply: SqliteReply) => this.#settle(reply))
    this.#worker.on('error', error => this.#fail(error))
    this.#worker.on('exit', () => this.#fail(new Error('the SQLite thread has ended')))
    this.#worker.unref()
  }

  /** Sends one command. Rejects with SqliteError, or with DatabaseUnavailable when the thread has ended. */
  send(command: SqliteCommand): Promise<SqliteResult> {
    if (this.#failure) return Promise.reject(new DatabaseUnavailable(this.#failure.message, { cause: this.#failure }))
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      // A program must not end while a command is under way, and must not be kept alive by an idle database.
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

  #fail(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error(String(error))
    const failure = new DatabaseUnavailable(this.#failure.message, { cause: this.#failure })
    for (const pending of this.#pending.values()) pending.reject(failure)
    this.#pending.clear()
  }
}
