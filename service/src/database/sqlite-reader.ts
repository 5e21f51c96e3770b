import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { SqlRow, SqlValue } from './sqlite-connection.ts'

/**
 * Reads a SQLite file on the thread that asks, for look-ups of a row or two by an index: they take some 3 us, a message to the SQLite thread and
 * back takes several times that, and waits there behind commits. In WAL mode a reader waits for no writer, and sees what is committed when it asks.
 */
export class SqliteReader {
  readonly #database: DatabaseSync
  /** By their text: what is looked up like this is little and fixed. */
  readonly #statements = new Map<string, StatementSync>()

  /** @param file of a database that is open already, in WAL mode */
  constructor(file: string) {
    // Never waits: whoever asks answers requests.
    this.#database = new DatabaseSync(file, { readOnly: true, timeout: 0 })
  }

  /**
   * The rows, or null where there is no answer at once (the file may be locked as a whole, while another process recovers it, say): the
   * SQLite thread, which may wait, knows what to answer then.
   */
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
