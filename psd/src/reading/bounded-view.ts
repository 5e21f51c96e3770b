import { PsdRefusedError } from '../refused-error.ts'
import type { FileBytes } from './file-bytes.ts'

/** Reads big-endian numbers of an untrusted file. A read past the end throws PsdRefusedError. */
export class BoundedView {
  readonly #file: FileBytes

  constructor(file: FileBytes) {
    this.#file = file
  }

  get sizeBytes(): number {
    return this.#file.sizeBytes
  }

  /** Throws PsdRefusedError unless there are this many bytes from `offset` on. */
  require(offset: number, sizeBytes: number): void {
    if (!(offset >= 0 && sizeBytes >= 0 && offset + sizeBytes <= this.#file.sizeBytes)) {
      throw new PsdRefusedError('This file is damaged: it ends before what it announces. Save it again in Photoshop.')
    }
  }

  u8(offset: number): number {
    return this.#view(offset, 1).getUint8(0)
  }

  u16(offset: number): number {
    return this.#view(offset, 2).getUint16(0)
  }

  i16(offset: number): number {
    return this.#view(offset, 2).getInt16(0)
  }

  u32(offset: number): number {
    return this.#view(offset, 4).getUint32(0)
  }

  i32(offset: number): number {
    return this.#view(offset, 4).getInt32(0)
  }

  /** A length of 4 bytes, or of 8 in a PSB. */
  length(offset: number, isLarge: boolean): number {
    return isLarge ? Number(this.#view(offset, 8).getBigUint64(0)) : this.u32(offset)
  }

  text(offset: number, length: number): string {
    return String.fromCharCode(...this.bytes(offset, length))
  }

  /** A copy of a part. */
  bytes(offset: number, length: number): Uint8Array {
    this.require(offset, length)
    // Not slice(): that of a Buffer is a view, and changes of the copy would change the file.
    return new Uint8Array(this.#file.read(offset, length))
  }

  #view(offset: number, sizeBytes: number): DataView {
    this.require(offset, sizeBytes)
    const part = this.#file.read(offset, sizeBytes)
    return new DataView(part.buffer, part.byteOffset, sizeBytes)
  }
}
