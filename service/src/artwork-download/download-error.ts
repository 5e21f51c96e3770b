/** Why an artwork could not be fetched, in words that may be shown to the caller. */
export type FetchFailure =
  | 'name_not_resolved'
  | 'connection_failed'
  | 'connection_lost'
  | 'tls_error'
  | 'bad_status'
  | 'too_many_redirects'
  | 'invalid_redirect'
  | 'content_encoding'
  | 'invalid_response'

/**
 * What a download ended with instead of a file.
 *
 * - `forbidden`: the URL spells a non-public address, or `localhost`. Nothing was connected to.
 * - `not-found`: the origin said 404 or 410.
 * - `failed`: everything else that is the origin's doing. A name that leads to a non-public address fails exactly as a name
 *   that does not exist, so that nobody can list the names of a private network.
 * - `timeout`: not complete within the deadline.
 * - `too-large`: more bytes than allowed, declared or sent.
 */
export type DownloadFault =
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'not-found'; readonly status: number }
  | { readonly kind: 'failed'; readonly reason: FetchFailure; readonly status?: number }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'too-large'; readonly maxBytes: number }

/** A download that failed by its origin's or its URL's fault. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError'
  readonly fault: DownloadFault

  constructor(fault: DownloadFault) {
    super(`Artwork download: ${fault.kind === 'failed' ? `failed, ${fault.reason}` : fault.kind}`)
    this.fault = fault
  }
}

/** A failure of the given reason; the usual case in a word. */
export function fetchFailed(reason: FetchFailure, status?: number): DownloadError {
  return new DownloadError({ kind: 'failed', reason, ...(status === undefined ? {} : { status }) })
}
