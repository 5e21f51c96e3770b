import { ARTWORK_TYPE_BYTES, type ArtworkType, findArtworkType, unsupportedFile } from '@vitrine/engine/bundle'
import { SharedFileRefusedError } from './proof-errors.ts'

/** A file being received. It is never decoded here: browsers do that. */
export type ArrivingFile = {
  readonly name: string
  /** The announced size, or else the maximum. */
  readonly sizeBytes: number
  readonly content: AsyncIterable<Uint8Array>
}

export const artworkTypes: readonly ArtworkType[] = ['jpeg', 'png', 'webp', 'gif']

/**
 * Passes the bytes on unchanged. Only the signature is checked: nothing is decoded here. @throws
 * SharedFileRefusedError
 */
export async function* asPicture(
  content: AsyncIterable<Uint8Array>,
  types: readonly ArtworkType[],
): AsyncGenerator<Uint8Array> {
  let start = Buffer.alloc(0)
  let isKnown = false
  const assertPicture = () => {
    isKnown = true
    const type = findArtworkType(start)
    if (type === null) throw new SharedFileRefusedError(unsupportedFile(start).advice)
    if (!types.includes(type))
      throw new SharedFileRefusedError(
        `Expected a picture as ${types.join(' or ').toUpperCase()} but received ${type.toUpperCase()}.`,
      )
  }
  for await (const part of content) {
    if (isKnown) {
      yield part
      continue
    }
    start = Buffer.concat([start, part])
    if (start.byteLength < ARTWORK_TYPE_BYTES) continue
    assertPicture()
    yield start
  }
  if (!isKnown) assertPicture()
}
