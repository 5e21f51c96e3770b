import type { ArtworkFetchFailure } from '@vitrine/contract'

/**
 * Why a download failed.
 *
 * - `forbidden`: the URL spells a non-public address, or `localhost`. No connection was opened.
 * - `port-forbidden`: the URL spells a port that the operator does not allow. No connection was opened.
 * - `not-found`: the origin answered 404 or 410.
 * - `failed`: every other fault of the origin. A name with a non-public address fails like one that does not
 *   exist, so that callers cannot list the names of a private network. Whatever comes instead of an HTTP
 *   answer fails alike, so that they cannot tell open ports from closed ones.
 * - `timeout`: not complete within the deadline.
 * - `too-large`: more bytes than allowed, declared or sent.
 * - `budget-spent`: the account has downloaded too much for requests that failed. It may try again after
 *   these whole seconds.
 */
export type DownloadFault =
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'port-forbidden'; readonly port: number; readonly allowedPorts: readonly number[] }
  | { readonly kind: 'not-found'; readonly status: number }
  | { readonly kind: 'failed'; readonly reason: ArtworkFetchFailure; readonly status?: number }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'too-large'; readonly maxBytes: number }
  | { readonly kind: 'budget-spent'; readonly retryAfterS: number }

/** A download that failed because of its origin or its URL. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError'
  readonly fault: DownloadFault

  constructor(fault: DownloadFault) {
    super(`Artwork download: ${fault.kind === 'failed' ? `failed, ${fault.reason}` : fault.kind}`)
    this.fault = fault
  }
}

export function fetchFailed(reason: ArtworkFetchFailure, status?: number): DownloadError {
  return new DownloadError({ kind: 'failed', reason, ...(status === undefined ? {} : { status }) })
}

/** A signal's abort reason, as an error. */
export function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('The download was cancelled')
}
