import { Inflate, Unzlib } from 'fflate'
import { joinBytes } from './join-bytes.ts'

/** Deflate grows data at most 1,032-fold: a step unpacks to 8 MiB at most before the bound is checked. */
const STEP_SIZE_BYTES = 8 * 1024

/**
 * Unpacks deflate data (`raw`, as in a zip) or a zlib stream (as in a PNG). Null where it is damaged, ends
 * too early or exceeds `maxSizeBytes`. Memory follows what is unpacked, never a declared size.
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
