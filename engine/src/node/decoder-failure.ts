import { ArtworkError } from '../artwork/artwork-error.ts'
import { cut, damaged } from '../decoding/declined.ts'

/** Messages of libvips and its decoders when a file ends before its picture does. */
const truncation = /premature end|end of (stream|file|data)|truncat|not enough (data|image data)|out of input/i

/**
 * Converts a decoder's failure to an error of the picture, with the decoder's message as its cause, for logs.
 * Running out of memory is not the picture's fault.
 */
export function toArtworkError(error: unknown): Error {
  if (error instanceof ArtworkError) return error
  if (!(error instanceof Error)) return new Error('The decoder failed without an error.', { cause: error })
  if (/out of memory|bad_alloc/i.test(error.message)) return error
  return truncation.test(error.message) ? cut(error) : damaged(error)
}
