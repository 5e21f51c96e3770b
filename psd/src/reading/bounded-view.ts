import { PsdRefusedError } from '../refused-error.ts'

/** Reads big-endian numbers of an untrusted file. A read past the end throws PsdRefusedError. */
export class BoundedView {
  readonly bytes: Uint8Array
  readonly #view: DataView

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Throws PsdRefusedError unless so many bytes are there from `offset` on. */
  require(offset: number, sizeBytes: number): void {
    if (!(offset >= 0 && sizeBytes >= 0 && offset + sizeBytes <= this.bytes.byteLength)) {
      throw new PsdRefusedError('This file is damaged: it ends before what it announces. Save it again in Photoshop.')
    }
  }

  u8(offset: number): number {
    this.require(offset, 1)
    return this.#view.getUint8(offset)
  }

  u16(offset: number): number {
    this.require(offset, 2)
    return this.#view.getUint16(offset)
  }

  i16(offset: number): number {
    this.require(offset, 2)
    return this.#view.getInt16(offset)
  }

  u32(offset: number): number {
    this.require(offset, 4)
    return this.#view.getUint32(offset)
  }

  i32(offset: number): number {
    this.require(offset, 4)
    return this.#view.getInt32(offset)
  }

  /** A length of 4 bytes, or of 8 in a PSB. */
  length(offset: number, isLarge: boolean): number {
    if (!isLarge) return this.u32(offset)
    this.require(offset, 8)
    return Number(this.#view.getBigUint64(offset))
  }

  text(offset: number, length: number): string {
    this.require(offset, length)
    return String.fromCharCode(...this.bytes.subarray(offset, offset + length))
  }
}
