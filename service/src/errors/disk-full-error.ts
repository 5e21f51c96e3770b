import { ExpectedError } from './expected-error.ts'

/** There is no room on the disk, or none that is not reserved for others. It passes when room is made. */
export class DiskFullError extends ExpectedError {
  override readonly name = 'DiskFullError'
}

/** The system's codes for a full disk and for a user's quota on it. */
const fullCodes = ['ENOSPC', 'EDQUOT']

/** Whether something was not written for want of room on a disk. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof DiskFullError) return true
  return error instanceof Error && 'code' in error && fullCodes.includes(String(error.code))
}
