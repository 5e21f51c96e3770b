import {
  type SqliteBatch,
  type SqliteBatchResult,
  type SqliteConnection,
  SqliteError,
  type SqliteResult,
  type SqlValue,
} from './sqlite-connection.ts'

/** The most batches that are committed together, since the first waits for the last. */
const MAX_BATCHES_PER_COMMIT = 100

type PendingBatch = {
  readonly batch: SqliteBatch
  readonly resolve: (result: SqliteBatchResult) => void
  readonly reject: (error: unknown) => void
}

/**
 * Orders the writes of the only writing connection, first come, first served. A transaction has the writer to
 * itself, from `begin` to `end`. Waiting batches are committed together, since every commit waits for the
 * disk: a failed batch is rolled back alone, and none is confirmed before the common commit.
 */
export class SqliteWriter {
  readonly #connection: SqliteConnection
  /** A function starts a transaction. */
  readonly #waiting: ((() => void) | PendingBatch)[] = []
  #isBusy = false

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  /** Waits for the writer and begins a transaction. Exactly one `end` must follow. */
  async begin(): Promise<void> {
    if (this.#isBusy) await new Promise<void>(resolve => this.#waiting.push(resolve))
    this.#isBusy = true
    try {
      await this.#connection.send({ to: 'begin' })
    } catch (error) {
      this.#startNext()
      throw error
    }
  }

  /** Runs a statement of the current transaction. */
  run(sql: string, parameters: readonly SqlValue[]): Promise<SqliteResult> {
    return this.#connection.send({ to: 'transaction', sql, parameters })
  }

  /** Resolves when the transaction has been written to the disk or rolled back. */
  async end(how: 'commit' | 'rollback'): Promise<void> {
    try {
      await this.#connection.send({ to: how })
    } finally {
      this.#startNext()
    }
  }

  /**
   * Resolves when the batch has been written to the disk, or rolled back because a statement had no row.
   *
   * @throws SqliteError if a statement failed: the batch then has no effect
   */
  batch(batch: SqliteBatch): Promise<SqliteBatchResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ batch, resolve, reject })
      if (!this.#isBusy) this.#startNext()
    })
  }

  #startNext(): void {
    const next = this.#waiting.shift()
    this.#isBusy = next !== undefined
    if (next === undefined) return
    if (typeof next === 'function') next()
    else void this.#runBatches([next, ...this.#takeBatches(MAX_BATCHES_PER_COMMIT - 1)])
  }

  async #runBatches(pending: readonly PendingBatch[]): Promise<void> {
    try {
      const { outcomes = [] } = await this.#connection.send({ to: 'batches', batches: pending.map(each => each.batch) })
      for (const [i, { resolve, reject }] of pending.entries()) {
        const outcome = outcomes[i]
        if (outcome === undefined) reject(new Error('the SQLite thread left a batch out'))
        else if (outcome.error !== undefined) reject(new SqliteError(outcome.error))
        else resolve(outcome)
      }
    } catch (error) {
      for (const { reject } of pending) reject(error)
    }
    this.#startNext()
  }

  /** Takes the batches that wait ahead of the next transaction. */
  #takeBatches(maxCount: number): PendingBatch[] {
    const taken: PendingBatch[] = []
    for (const waiting of this.#waiting) {
      if (typeof waiting === 'function' || taken.length === maxCount) break
      taken.push(waiting)
    }
    this.#waiting.splice(0, taken.length)
    return taken
  }
}
