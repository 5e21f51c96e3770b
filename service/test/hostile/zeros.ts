import { constants, deflateRawSync } from 'node:zlib'

const PIECE_BYTES = 1024 * 1024

/**
 * A megabyte of zeros, deflated so that it ends on a whole byte and refers to nothing before it, so that it
 * can be repeated.
 */
const piece = deflateRawSync(Buffer.alloc(PIECE_BYTES), { level: 9, finishFlush: constants.Z_FULL_FLUSH })

/**
 * A zlib stream that decompresses to this many zero bytes, made instantly: a gigabyte takes a megabyte here
 * and a second to decompress.
 */
export function deflatedZeros(sizeBytes: number): Buffer {
  const pieces = Array.from({ length: Math.floor(sizeBytes / PIECE_BYTES) }, () => piece)
  const rest = deflateRawSync(Buffer.alloc(sizeBytes % PIECE_BYTES), { level: 9 })
  // Adler-32 of n zero bytes: the first sum stays 1, the second counts them.
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE((sizeBytes % 65_521) * 65_536 + 1)
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...pieces, rest, checksum])
}
