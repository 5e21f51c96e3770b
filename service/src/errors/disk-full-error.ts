import { ExpectedError } from './expected-error.ts'

/** The disk is full, apart from its reserve. It is a transient error: space may be freed. */
export class DiskFullError extends ExpectedError {
  override readonly name = 'DiskFullError'
}

/** The system's codes for a full disk and an exceeded disk quota. */
const fullCodes = ['ENOSPC', 'EDQUOT']

/** Whether a write failed because the disk is full. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof DiskFullError) return true
  return error instanceof Error && 'code' in error && fullCodes.includes(String(error.code))
}
