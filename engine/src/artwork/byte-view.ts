import { ArtworkError } from './artwork-error.ts'

/** Reads numbers from an untrusted file. Reading past the end throws ArtworkError `truncated`. */
export class ByteView {
  readonly bytes: Uint8Array
  readonly sizeBytes: number
  readonly #view: DataView

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.sizeBytes = bytes.byteLength
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Throws ArtworkError `truncated` unless there are `sizeBytes` bytes at `offset`. */
  require(offset: number, sizeBytes: number): void {
    if (offset < 0 || offset + sizeBytes > this.sizeBytes) {
      throw new ArtworkError('truncated', 'Expected a whole picture but received a file that ends too early.')
    }
  }

  u8(offset: number): number {
    this.require(offset, 1)
    return this.#view.getUint8(offset)
  }

  u16be(offset: number): number {
    this.require(offset, 2)
    return this.#view.getUint16(offset)
  }

  u16le(offset: number): number {
    this.require(offset, 2)
    return this.#view.getUint16(offset, true)
  }

  u24le(offset: number): number {
    return this.u16le(offset) + this.u8(offset + 2) * 65_536
  }

  u32be(offset: number): number {
    this.require(offset, 4)
    return this.#view.getUint32(offset)
  }

  u32le(offset: number): number {
    this.require(offset, 4)
    return this.#view.getUint32(offset, true)
  }

  /** Whether the Latin-1 text is at `offset`; false past the end. */
  has(offset: number, text: string): boolean {
    if (offset < 0 || offset + text.length > this.sizeBytes) return false
    for (let i = 0; i < text.length; i++) if (this.bytes[offset + i] !== text.charCodeAt(i)) return false
    return true
  }

  slice(offset: number, sizeBytes: number): Uint8Array {
    this.require(offset, sizeBytes)
    return this.bytes.subarray(offset, offset + sizeBytes)
  }
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && a.every((byte, i) => byte === b[i])
}
