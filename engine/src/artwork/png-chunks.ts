import { crc32 } from '../compression/crc32.ts'
import type { ByteView } from './byte-view.ts'

/** An empty IEND with its checksum. */
export const endChunk = Uint8Array.of(0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82)

/** The bytes around a chunk's body: its length, name and checksum. */
export const CHUNK_FRAME_BYTES = 12

/** A chunk with its checksum. */
export function buildChunk(name: string, body: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(CHUNK_FRAME_BYTES + body.byteLength)
  const view = new DataView(chunk.buffer)
  view.setUint32(0, body.byteLength)
  for (let i = 0; i < 4; i++) chunk[4 + i] = name.charCodeAt(i)
  chunk.set(body, 8)
  view.setUint32(8 + body.byteLength, crc32(chunk.subarray(4, 8 + body.byteLength)))
  return chunk
}

/** The four-letter chunk name at `offset`, or null. */
export function readChunkName(view: ByteView, offset: number): string | null {
  let name = ''
  for (let i = 0; i < 4; i++) {
    const code = view.u8(offset + i)
    if ((code | 0x20) < 0x61 || (code | 0x20) > 0x7a) return null
    name += String.fromCharCode(code)
  }
  return name
}
