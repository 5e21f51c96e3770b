import * as shared from '../../../kernels/assembly/reduction/records.ts'
import * as records from '../../../kernels/assembly/webp/records.ts'
import type { PixelMemory } from '../../reused-memory.ts'
import type { KernelInstance } from '../../webassembly/kernel-instance.ts'
import { CollectedRows } from '../collected-rows.ts'
import { DeclinedError } from '../declined.ts'
import { describeResult } from '../reduction/describe-result.ts'
import { LOSSLESS_HEADER_BYTES, type WebpAlpha, type WebpPicture } from './parse-webp.ts'
import type { AlphaLayout, LossyLayout, StreamLayout, WebpLayout } from './webp-layout.ts'

const faults: ReadonlyMap<number, string> = new Map([
  [records.FAULT_HEADER, 'the header of a key frame'],
  [records.FAULT_END, 'as much data as the picture has blocks'],
  [records.FAULT_COEFFICIENT, 'coefficients of pixels'],
  [records.FAULT_REFERENCE, 'references within the picture'],
  [records.FAULT_CODES, 'sound transforms and codes'],
])

/** RGBA, and whether all alpha is 255. */
export type DecodedRows = { readonly data: Uint8Array; readonly isOpaque: boolean }

/** Runs the decoder kernel (engine/kernels/assembly/webp-decoder.ts). */
export class DecoderKernel {
  readonly #instance: KernelInstance
  readonly #run

  constructor(instance: KernelInstance) {
    this.#instance = instance
    this.#run = {
      beginPicture: instance.function('beginPicture'),
      run: instance.function('run'),
      readyRows: instance.function('readyRows'),
      isResultOpaque: instance.function('isResultOpaque'),
    }
    if (instance.function('heapBase')() > shared.BAND_SPANS) {
      throw new Error('The kernel uses memory that the layout gives away')
    }
  }

  get sizeBytes(): number {
    return this.#instance.sizeBytes
  }

  /**
   * Decodes the part of the layout as RGBA in memory that is taken from `memory` and returned to it on a
   * throw. `laidOut` is called once the kernel's own memory is reserved. Throws DeclinedError.
   */
  decode(
    webp: WebpPicture,
    layout: WebpLayout,
    memory: PixelMemory,
    laidOut: (layout: WebpLayout) => void,
  ): DecodedRows {
    this.#instance.reserve(layout.end)
    laidOut(layout)
    describePicture(this.#instance.bytes, webp, layout)
    const rows = new CollectedRows(layout, memory)
    try {
      const begun = this.#run.beginPicture(shared.PICTURE)
      if (begun !== records.ROWS_READY) throw declined(begun)
      for (let status: number = records.ROWS_READY; status !== records.FINISHED; ) {
        status = this.#run.run()
        if (status !== records.ROWS_READY && status !== records.FINISHED) throw declined(status)
        const sizeBytes = this.#run.readyRows() * layout.outStrideBytes
        rows.add(this.#instance.bytes.subarray(layout.out, layout.out + sizeBytes))
      }
      return { data: rows.all(), isOpaque: this.#run.isResultOpaque() === 1 }
    } catch (error) {
      rows.giveBack()
      throw error
    }
  }
}

function declined(fault: number): DeclinedError {
  if (fault === records.FAULT_MEMORY) return new DeclinedError('too-large', 'The stream needs more memory.')
  return new DeclinedError('doubtful', `Expected ${faults.get(fault) ?? 'sound data'} in the WebP.`)
}

type Write = (field: number, value: number) => void

/** Writes the picture, its data and the tables of its reduction. */
function describePicture(memory: Uint8Array<ArrayBuffer>, webp: WebpPicture, layout: WebpLayout): void {
  const view = new DataView(memory.buffer)
  const write: Write = (field, value) => view.setInt32(shared.PICTURE + field, value, true)
  write(shared.IS_OPAQUE, Number(!webp.hasAlpha))
  write(records.IS_LOSSLESS, Number(layout.isLossless))
  if (layout.isLossless) describeStream(memory, webp.chunk.subarray(LOSSLESS_HEADER_BYTES), layout.stream, write)
  else describeFrame(memory, webp, layout, write)
  describeResult(view, webp, layout)
}

function describeFrame(memory: Uint8Array, { chunk, alpha }: WebpPicture, layout: LossyLayout, write: Write): void {
  const { part } = layout
  memory.fill(0, layout.chunk - records.INPUT_LEAD, layout.chunk)
  memory.set(chunk, layout.chunk)
  write(records.CHUNK, layout.chunk)
  write(records.CHUNK_BYTES, chunk.length)
  write(records.TOPS, layout.tops)
  write(records.TOP_MODES, layout.topModes)
  write(records.TOP_CONTEXTS, layout.topContexts)
  write(records.STRENGTHS, layout.strengths)
  write(records.Y_ROWS, layout.yRows)
  write(records.U_ROWS, layout.uRows)
  write(records.V_ROWS, layout.vRows)
  write(records.Y_STRIDE, layout.yStrideBytes)
  write(records.UV_STRIDE, layout.uvStrideBytes)
  write(records.START, part.left - (part.left % 2))
  write(records.END, part.right)
  write(records.ALPHA_FORMAT, records.ALPHA_NONE)
  if (alpha !== null && layout.alpha !== null) describeAlpha(memory, alpha, layout.alpha, write)
}

function describeAlpha(memory: Uint8Array, { data, filter }: WebpAlpha, layout: AlphaLayout, write: Write): void {
  write(records.ALPHA_FORMAT, layout.stream === null ? records.ALPHA_PLAIN : records.ALPHA_STREAM)
  write(records.ALPHA_FILTER, filter)
  write(records.ALPHA_ROWS, layout.rows)
  write(records.ALPHA_ROW_BYTES, layout.rowStrideBytes)
  if (layout.stream !== null) describeStream(memory, data, layout.stream, write)
  else {
    memory.set(data, layout.data)
    write(records.ALPHA, layout.data)
  }
}

function describeStream(memory: Uint8Array, data: Uint8Array, layout: StreamLayout, write: Write): void {
  const dataEnd = layout.data + data.length
  memory.set(data, layout.data)
  memory.fill(0, dataEnd, dataEnd + records.INPUT_TAIL)
  write(records.STREAM, layout.data)
  write(records.STREAM_BYTES, data.length)
  write(records.RING, layout.ring)
  write(records.RING_BYTES, layout.ringBytes)
  write(records.IMAGES, layout.images)
  write(records.IMAGES_BYTES, layout.imagesBytes)
  write(records.TABLES, layout.codes)
  write(records.TABLES_BYTES, layout.codesBytes)
  write(records.PIXEL_ROWS, layout.rows)
  write(records.PIXEL_ROW_BYTES, layout.rowStrideBytes)
}
