/** The current job was cancelled, so its work stops. */
export class JobCancelledError extends Error {
  override readonly name = 'JobCancelledError'
}
