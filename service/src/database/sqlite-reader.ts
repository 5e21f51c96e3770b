import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { SqlRow, SqlValue } from './sqlite-connection.ts'

/**
 * Reads a few rows by an index, on the calling thread: a message to the SQLite thread would wait behind
 * commits. In WAL mode a reader waits for no writer and sees committed data.
 */
export class SqliteReader {
  readonly #database: DatabaseSync
  /** By their SQL: the look-ups are few and fixed. */
  readonly #statements = new Map<string, StatementSync>()

  /** @param file a database that is already open, in WAL mode */
  constructor(file: string) {
    // Never waits, because the calling thread serves requests.
    this.#database = new DatabaseSync(file, { readOnly: true, timeout: 0 })
  }

  /** Null if the file cannot be read at once, for example while another process recovers it. */
  read(sql: string, parameters: readonly SqlValue[]): readonly SqlRow[] | null {
    try {
      let statement = this.#statements.get(sql)
      if (statement === undefined) {
        statement = this.#database.prepare(sql)
        this.#statements.set(sql, statement)
      }
      return statement.all(...parameters)
    } catch {
      return null
    }
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close()
  }
}
