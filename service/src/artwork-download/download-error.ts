/** Why an artwork could not be fetched, in one word that the caller may see. */
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
 * Why a download failed.
 *
 * - `forbidden`: the URL spells a non-public address, or `localhost`. No connection was opened.
 * - `not-found`: the origin answered 404 or 410.
 * - `failed`: every other fault of the origin. A name with a non-public address fails like one that does not
 *   exist, so that callers cannot list the names of a private network.
 * - `timeout`: not complete within the deadline.
 * - `too-large`: more bytes than allowed, declared or sent.
 */
export type DownloadFault =
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'not-found'; readonly status: number }
  | { readonly kind: 'failed'; readonly reason: FetchFailure; readonly status?: number }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'too-large'; readonly maxBytes: number }

/** A download failed by a fault of its origin or its URL. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError'
  readonly fault: DownloadFault

  constructor(fault: DownloadFault) {
    super(`Artwork download: ${fault.kind === 'failed' ? `failed, ${fault.reason}` : fault.kind}`)
    this.fault = fault
  }
}

export function fetchFailed(reason: FetchFailure, status?: number): DownloadError {
  return new DownloadError({ kind: 'failed', reason, ...(status === undefined ? {} : { status }) })
}

/** Why a signal was aborted, as an error. */
export function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('The download was cancelled')
}
