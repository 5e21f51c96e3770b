import * as records from '../../../kernels/assembly/png/records.ts'
import type { KernelInstance } from '../../kernels/kernel-instance.ts'
import { DeclinedError } from '../declined.ts'
import type { PixelMemory } from '../reused-memory.ts'
import { describePicture } from './describe-picture.ts'
import type { PngPicture } from './parse-png.ts'
import { INPUT_BYTES, type PngLayout } from './png-layout.ts'

const faults: ReadonlyMap<number, string> = new Map([
  [records.FAULT_STREAM, 'a sound deflate stream'],
  [records.FAULT_END, 'as much data as the picture has rows'],
  [records.FAULT_FILTER, 'filters that are known'],
  [records.FAULT_INDEX, 'indices of the palette'],
  [records.FAULT_BLOCKS, 'blocks of the usual size'],
  [records.FAULT_REST, 'nothing behind the last row'],
  [records.FAULT_CHECKSUM, 'the checksum of the data'],
])

/** What zlib puts before the deflate stream. */
const ZLIB_HEADER_BYTES = 2

/** The part of a picture, RGBA, in memory that was taken for it. */
export type DecodedRows = { readonly data: Uint8Array; readonly isOpaque: boolean }

/** Drives the decoder kernel (engine/kernels/assembly/png-decoder.ts). */
export class DecoderKernel {
  readonly #instance: KernelInstance
  readonly #run

  constructor(instance: KernelInstance) {
    this.#instance = instance
    this.#run = {
      initialize: instance.function('initialize'),
      beginPicture: instance.function('beginPicture'),
      moveInput: instance.function('moveInput'),
      endInput: instance.function('endInput'),
      run: instance.function('run'),
      readyRows: instance.function('readyRows'),
      isResultOpaque: instance.function('isResultOpaque'),
    }
    if (instance.function('heapBase')() > records.FIXED) {
      throw new Error('The kernel uses memory that the layout gives away')
    }
    instance.reserve(records.DYNAMIC)
    this.#run.initialize()
  }

  get sizeBytes(): number {
    return this.#instance.sizeBytes
  }

  /**
   * The part that the layout wants, in memory that is taken from `memory` and given back on a throw.
   * `laidOut` is called when the kernel's own memory is reserved. Throws DeclinedError.
   */
  decode(png: PngPicture, layout: PngLayout, memory: PixelMemory, laidOut: (layout: PngLayout) => void): DecodedRows {
    this.#instance.reserve(layout.end)
    laidOut(layout)
    describePicture(this.#instance.bytes, png, layout)
    this.#run.beginPicture(records.PICTURE)
    const input = new Pieces(png.data, ZLIB_HEADER_BYTES)
    const rows = new Rows(layout, memory)
    try {
      this.#supply(input, layout)
      for (let status = records.NEEDS_INPUT; status !== records.FINISHED; ) {
        status = this.#run.run()
        if (status === records.NEEDS_INPUT) this.#supply(input, layout)
        else if (status === records.ROWS_READY || status === records.FINISHED) {
          const sizeBytes = this.#run.readyRows() * layout.outStrideBytes
          rows.add(this.#instance.bytes.subarray(layout.out, layout.out + sizeBytes))
        } else throw new DeclinedError('doubtful', `Expected ${faults.get(status) ?? 'sound data'} in the PNG.`)
      }
      return { data: rows.all(), isOpaque: this.#run.isResultOpaque() === 1 }
    } catch (error) {
      rows.giveBack()
      throw error
    }
  }

  /** Fills the kernel's input with what comes next. */
  #supply(input: Pieces, layout: PngLayout): void {
    const end = this.#run.moveInput() >>> 0
    const room = layout.input + records.INPUT_LEAD + INPUT_BYTES
    const sizeBytes = input.read(this.#instance.bytes.subarray(end, room))
    this.#run.endInput(end + sizeBytes, Number(input.isRead))
  }
}

/** Collects the pixels from the memory that the kernel hands rows over in. */
class Rows {
  readonly #memory: PixelMemory
  readonly #sizeBytes: number
  /** taken with the first rows, which most files that are declined never have */
  #data: Uint8Array | null = null
  #filled = 0

  constructor({ part, outStrideBytes }: PngLayout, memory: PixelMemory) {
    this.#memory = memory
    this.#sizeBytes = outStrideBytes * (part.bottom - part.top)
  }

  add(rows: Uint8Array): void {
    this.#data ??= this.#memory.take(this.#sizeBytes)
    this.#data.set(rows, this.#filled)
    this.#filled += rows.length
  }

  /** The whole part. Checks that every byte was written: reused memory holds another picture's pixels. */
  all(): Uint8Array {
    if (this.#data === null || this.#filled !== this.#sizeBytes)
      throw new Error('The kernel wrote another number of rows than was wanted.')
    return this.#data
  }

  giveBack(): void {
    if (this.#data) this.#memory.giveBack(this.#data)
  }
}

/** Reads parts, none of them empty, as one. */
class Pieces {
  readonly #parts: readonly Uint8Array[]
  #part = 0
  /** in the part */
  #offset: number

  constructor(parts: readonly Uint8Array[], skippedBytes: number) {
    this.#parts = parts
    this.#offset = skippedBytes
    this.#skipRead()
  }

  get isRead(): boolean {
    return this.#part === this.#parts.length
  }

  /** Returns how many bytes there were, up to the target's size. */
  read(target: Uint8Array): number {
    let filled = 0
    while (!this.isRead && filled < target.length) {
      const part = this.#parts[this.#part] ?? new Uint8Array(0)
      const piece = part.subarray(this.#offset, this.#offset + target.length - filled)
      target.set(piece, filled)
      filled += piece.length
      this.#offset += piece.length
      this.#skipRead()
    }
    return filled
  }

  #skipRead(): void {
    for (let part = this.#parts[this.#part]; part && this.#offset >= part.length; part = this.#parts[this.#part]) {
      this.#offset -= part.length
      this.#part++
    }
  }
}
