import * as records from '../../../kernels/assembly/png/records.ts'
import * as shared from '../../../kernels/assembly/reduction/records.ts'
import type { PixelMemory } from '../../reused-memory.ts'
import type { KernelInstance } from '../../webassembly/kernel-instance.ts'
import { CollectedRows } from '../collected-rows.ts'
import { DeclinedError } from '../declined.ts'
import { writeCrcTables } from './crc-tables.ts'
import { describePicture } from './describe-picture.ts'
import type { DataChunk, PngPicture } from './parse-png.ts'
import { INPUT_BYTES, type PngLayout } from './png-layout.ts'

const faults: ReadonlyMap<number, readonly [kind: DeclinedError['kind'], expected: string]> = new Map([
  [records.FAULT_STREAM, ['doubtful', 'a sound deflate stream']],
  [records.FAULT_END, ['cut', 'as much data as the picture has rows']],
  [records.FAULT_CUT, ['cut', 'a whole deflate stream']],
  [records.FAULT_FILTER, ['doubtful', 'filters that are known']],
  [records.FAULT_BLOCKS, ['unsupported', 'blocks of the usual size']],
])

/** The zlib header before the deflate stream. */
const ZLIB_HEADER_BYTES = 2

/** The checksum register after the name IDAT. */
const CRC_OF_NAME = 0xca50f9e1

/** The part of a picture, RGBA, in memory allocated for it. */
export type DecodedRows = { readonly data: Uint8Array; readonly isOpaque: boolean }

/** Runs the decoder kernel (engine/kernels/assembly/png-decoder.ts). */
export class DecoderKernel {
  readonly #instance: KernelInstance
  readonly #run

  constructor(instance: KernelInstance) {
    this.#instance = instance
    this.#run = {
      initialize: instance.function('initialize'),
      beginPicture: instance.function('beginPicture'),
      moveInput: instance.function('moveInput'),
      addToCrc: instance.function('addToCrc'),
      endInput: instance.function('endInput'),
      run: instance.function('run'),
      readyRows: instance.function('readyRows'),
      isResultOpaque: instance.function('isResultOpaque'),
    }
    if (instance.function('heapBase')() > records.FIXED) {
      throw new Error('The kernel uses memory that the layout gives away')
    }
    instance.reserve(shared.DYNAMIC)
    this.#run.initialize()
    writeCrcTables(new DataView(instance.bytes.buffer))
  }

  get sizeBytes(): number {
    return this.#instance.sizeBytes
  }

  /**
   * Decodes the part of the layout in memory that is taken from `memory` and returned to it on a throw.
   * `laidOut` is called once the kernel's own memory is reserved. Throws DeclinedError.
   */
  decode(png: PngPicture, layout: PngLayout, memory: PixelMemory, laidOut: (layout: PngLayout) => void): DecodedRows {
    this.#instance.reserve(layout.end)
    laidOut(layout)
    describePicture(this.#instance.bytes, png, layout)
    this.#run.beginPicture(shared.PICTURE)
    const input = new Input(png.data)
    const rows = new CollectedRows(layout, memory)
    try {
      this.#supply(input, layout, ZLIB_HEADER_BYTES)
      for (let status = records.NEEDS_INPUT; status !== records.FINISHED; ) {
        status = this.#run.run()
        if (status === records.NEEDS_INPUT) this.#supply(input, layout)
        else if (status === records.ROWS_READY || status === records.FINISHED) {
          const sizeBytes = this.#run.readyRows() * layout.outStrideBytes
          rows.add(this.#instance.bytes.subarray(layout.out, layout.out + sizeBytes))
        } else {
          const [kind, expected] = faults.get(status) ?? ['doubtful', 'sound data']
          throw new DeclinedError(kind, `Expected ${expected} in the PNG.`)
        }
      }
      // Data after the last row is not inflated, but its checksum may cover the rows.
      while (!input.isRead) this.#take(input, layout.input, INPUT_BYTES)
      return { data: rows.all(), isOpaque: this.#run.isResultOpaque() === 1 }
    } catch (error) {
      rows.giveBack()
      throw error
    }
  }

  /** Fills the kernel's input with the next data, after `skippedBytes` that are only checked. */
  #supply(input: Input, layout: PngLayout, skippedBytes = 0): void {
    let end = this.#run.moveInput() >>> 0
    const room = layout.input + records.INPUT_LEAD + INPUT_BYTES
    for (let left = skippedBytes; left > 0 && !input.isRead; ) left -= this.#take(input, end, left)
    while (end < room && !input.isRead) end += this.#take(input, end, room - end)
    this.#run.endInput(end, Number(input.isRead))
  }

  /** Copies the next part of a chunk to `at`, checks the chunk at its end. Returns the number of bytes. */
  #take(input: Input, at: number, mostBytes: number): number {
    const { bytes, checksum } = input.take(mostBytes)
    this.#instance.bytes.set(bytes, at)
    input.crc = this.#run.addToCrc(input.crc, at, bytes.length)
    if (checksum !== null) {
      if (~input.crc >>> 0 !== checksum)
        throw new DeclinedError('doubtful', 'Expected the checksum of IDAT in the PNG.')
      input.crc = CRC_OF_NAME
    }
    return bytes.length
  }
}

/** Reads non-empty chunks of data one after another. */
class Input {
  /** checksum register of the part of the chunk read so far */
  crc: number = CRC_OF_NAME
  readonly #chunks: readonly DataChunk[]
  #index = 0
  /** in the chunk */
  #offset = 0

  constructor(chunks: readonly DataChunk[]) {
    this.#chunks = chunks
  }

  get isRead(): boolean {
    return this.#index === this.#chunks.length
  }

  /** The next part of a chunk, with its checksum if it ends there. Must not be called after the last one. */
  take(mostBytes: number): { readonly bytes: Uint8Array; readonly checksum: number | null } {
    const chunk = this.#chunks[this.#index]
    if (!chunk) throw new Error('All data was read.')
    const bytes = chunk.bytes.subarray(this.#offset, this.#offset + mostBytes)
    this.#offset += bytes.length
    if (this.#offset < chunk.bytes.length) return { bytes, checksum: null }
    this.#index++
    this.#offset = 0
    return { bytes, checksum: chunk.checksum }
  }
}
