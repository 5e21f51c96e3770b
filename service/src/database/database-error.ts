import { OperatorError } from '../errors/operator-error.ts'

/** The database is unreachable, busy or full: the operation may be retried later. */
export class DatabaseUnavailableError extends OperatorError {
  override readonly name: string = 'DatabaseUnavailableError'
}

/** The connection was lost during a commit: only the database can tell whether it took effect. */
export class CommitUnknownError extends DatabaseUnavailableError {
  override readonly name = 'CommitUnknownError'
}

/** The database cannot be used and the process must not start. The message is for the operator. */
export class DatabaseRefusedError extends OperatorError {
  override readonly name = 'DatabaseRefusedError'
}

/** The kinds of failure that the service handles, for both databases. */
export type DatabaseErrorKind = 'unique' | 'foreign-key' | 'check' | 'conflict' | 'busy' | 'unavailable' | 'other'

const postgresKinds: Readonly<Record<string, DatabaseErrorKind>> = {
  '23505': 'unique',
  '23503': 'foreign-key',
  '23514': 'check',
  '40001': 'conflict',
  '40P01': 'conflict',
  '55P03': 'busy', // lock_timeout
  '57014': 'unavailable', // statement_timeout
  '57P01': 'unavailable',
  '57P02': 'unavailable',
  '57P03': 'unavailable',
  '57P04': 'unavailable', // the database was dropped
  '57P05': 'unavailable', // idle_session_timeout
  '25P03': 'unavailable', // idle_in_transaction_session_timeout
  '25006': 'unavailable', // read-only: a standby, or a primary after a failover
  '3D000': 'unavailable', // no such database: a server that is being restored
  '53000': 'unavailable',
  '53200': 'unavailable', // out of memory
  '58000': 'unavailable',
  '58030': 'unavailable', // I/O error
  '53100': 'unavailable', // disk full
  '55000': 'unavailable', // the database accepts no connections now
  '53300': 'unavailable', // too many connections
  ECONNREFUSED: 'unavailable',
  ECONNRESET: 'unavailable',
  EPIPE: 'unavailable',
  ETIMEDOUT: 'unavailable',
  ENOTFOUND: 'unavailable',
  EAI_AGAIN: 'unavailable',
}

// SQLite's extended result codes, https://sqlite.org/rescode.html
const sqliteKinds: Readonly<Record<number, DatabaseErrorKind>> = {
  2067: 'unique',
  1555: 'unique', // primary key
  787: 'foreign-key',
  1811: 'check', // RAISE in a trigger
  275: 'check',
  517: 'conflict', // BUSY_SNAPSHOT
  5: 'busy',
  6: 'busy',
  261: 'busy', // BUSY_RECOVERY
  13: 'unavailable', // disk full
}

/** Whether a write was refused because the server is a standby, or was the primary before a failover. */
export function isReadOnlyError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25006'
}

/** Why the database is unavailable, for the operator. */
export function describeUnavailable(error: unknown): string {
  return isReadOnlyError(error) ? 'the database takes no writes' : 'the database does not answer'
}

/** Classifies a driver's error. No other module checks error codes. */
export function classifyDatabaseError(error: unknown): DatabaseErrorKind {
  if (!(error instanceof Error)) return 'other'
  if (error instanceof DatabaseUnavailableError) return 'unavailable'
  if ('errcode' in error && typeof error.errcode === 'number') {
    const kind = sqliteKinds[error.errcode]
    if (kind !== undefined) return kind
    return (error.errcode & 0xff) === 10 ? 'unavailable' : 'other' // I/O errors
  }
  if ('code' in error && typeof error.code === 'string') {
    if (error.code.startsWith('08')) return 'unavailable'
    return postgresKinds[error.code] ?? 'other'
  }
  // pg's errors without a code: the connection was lost during a query or while waiting for one.
  return /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|not queryable/i.test(
    error.message,
  )
    ? 'unavailable'
    : 'other'
}
