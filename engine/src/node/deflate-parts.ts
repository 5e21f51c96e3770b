import { promisify } from 'node:util'
import { constants, deflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)

/** RFC 1950: 32 KiB window, default level. */
const zlibHead = [0x78, 0x9c] as const

/** An empty last block (RFC 1951). */
const lastBlock = [0x03, 0x00] as const

const ADLER_MODULUS = 65_521

/** The sums of this many bytes stay below 2^32. */
const ADLER_STEP = 5552

/**
 * Compresses filtered rows of pictures into one zlib stream (RFC 1950), several parts at a time in other
 * threads; they must not change meanwhile. Resolves to pieces of the stream, in order. Uses only runs and
 * Huffman codes: a quarter of the time, and smaller for noisy rows (zlib's Z_RLE is meant for PNG).
 */
export async function deflateParts(parts: Iterable<Uint8Array>): Promise<readonly Uint8Array[]> {
  const packing: Promise<Uint8Array>[] = []
  let checksum = 1
  for (const part of parts) {
    checksum = addToAdler(checksum, part)
    // One buffer that holds the whole result: a second one would wait for this thread.
    const chunkSize = part.byteLength + (part.byteLength >> 8) + 1024
    packing.push(deflate(part, { strategy: constants.Z_RLE, finishFlush: constants.Z_SYNC_FLUSH, chunkSize }))
  }
  const end = new Uint8Array([...lastBlock, 0, 0, 0, 0])
  new DataView(end.buffer).setUint32(lastBlock.length, checksum)
  return [Uint8Array.from(zlibHead), ...(await Promise.all(packing)), end]
}

function addToAdler(checksum: number, bytes: Uint8Array): number {
  let low = checksum & 0xffff
  let high = checksum >>> 16
  for (let from = 0; from < bytes.length; from += ADLER_STEP) {
    const end = Math.min(bytes.length, from + ADLER_STEP)
    let i = from
    for (; i + 4 <= end; i += 4) {
      const [a, b, c, d] = [bytes[i] ?? 0, bytes[i + 1] ?? 0, bytes[i + 2] ?? 0, bytes[i + 3] ?? 0]
      high += 4 * (low + a) + 3 * b + 2 * c + d
      low += a + b + c + d
    }
    for (; i < end; i++) {
      low += bytes[i] ?? 0
      high += low
    }
    low %= ADLER_MODULUS
    high %= ADLER_MODULUS
  }
  return high * 65_536 + low
}
