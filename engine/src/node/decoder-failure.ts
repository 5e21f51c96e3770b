import { ArtworkError } from '../artwork/artwork-error.ts'
import { cut, damaged } from '../decoding/declined.ts'

/** What libvips and its decoders write where a file ends before its picture does. */
const truncation = /premature end|end of (stream|file|data)|truncat|not enough (data|image data)|out of input/i

/**
 * The picture's fault behind a decoder's failure. The decoder's message is kept as the cause, for logs.
 * Memory that ran out is no fault of the picture.
 */
export function toArtworkError(error: unknown): Error {
  if (error instanceof ArtworkError) return error
  if (!(error instanceof Error)) return new Error('The decoder failed without an error.', { cause: error })
  if (/out of memory|bad_alloc/i.test(error.message)) return error
  return truncation.test(error.message) ? cut(error) : damaged(error)
}
