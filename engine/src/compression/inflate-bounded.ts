import { Inflate, Unzlib } from 'fflate'
import { joinBytes } from './join-bytes.ts'

/** Deflate expands data at most 1,032-fold: a step yields at most 8 MiB before the limit is checked. */
const STEP_SIZE_BYTES = 8 * 1024

/**
 * Inflates deflate data (`raw`, as in a zip) or a zlib stream (as in a PNG). Null if it is damaged, truncated
 * or exceeds `maxSizeBytes`. Memory depends on the actual output, never on a declared size.
 */
export function inflateBounded(packed: Uint8Array, format: 'raw' | 'zlib', maxSizeBytes: number): Uint8Array | null {
  const parts: Uint8Array[] = []
  let sizeBytes = 0
  let isComplete = false
  const onData = (part: Uint8Array, isLast: boolean): void => {
    parts.push(part)
    sizeBytes += part.byteLength
    isComplete = isLast
  }
  const inflater = format === 'raw' ? new Inflate(onData) : new Unzlib(onData)
  try {
    for (let offset = 0; offset < packed.byteLength; offset += STEP_SIZE_BYTES) {
      const end = offset + STEP_SIZE_BYTES
      inflater.push(packed.subarray(offset, end), end >= packed.byteLength)
      if (sizeBytes > maxSizeBytes) return null
    }
  } catch {
    return null
  }
  return isComplete ? joinBytes(parts) : null
}
