/** The job that runs was cancelled: its work is given up. */
export class JobCancelledError extends Error {
  override readonly name = 'JobCancelledError'
}
