import { freshMemory, type PixelMemory } from '../../reused-memory.ts'
import { DeclinedError } from '../declined.ts'
import { RetainedDecoder, unwatched, type Watch } from '../retained-decoder.ts'
import type { Part } from '../shown-part.ts'
import { DecoderKernel } from './decoder-kernel.ts'
import { buildJpegLayout, type JpegLayout } from './jpeg-layout.ts'
import { assertForKernel, type JpegHeader, parseJpeg, parseNextScan, type ScanHeader } from './parse-jpeg.ts'
import { assertBitForEachBlock, ScanOrder } from './scan-order.ts'

/** Opaque RGBA. A pixel covers 8/eighths pixels of the picture per axis; the last ones lie partly outside. */
export type DecodedJpeg = {
  readonly widthPx: number
  readonly heightPx: number
  readonly data: Uint8Array
  /** position in the whole picture at that scale */
  readonly part: Part
  readonly wholeWidthPx: number
  readonly wholeHeightPx: number
}

/**
 * JPEG decoder in WebAssembly: 8-bit grey and YCC, sequential in one scan or progressive, at any N/8 of the
 * size. Declines anything else and any doubt. Does not apply colour profiles and orientation. Decodes one
 * picture at a time.
 */
export class JpegDecoder {
  /** where pictures are written; the caller owns them and may return them */
  readonly memory: PixelMemory
  readonly #watch: Watch<JpegLayout>
  readonly #kernel: RetainedDecoder<DecoderKernel>

  constructor(module: WebAssembly.Module, memory: PixelMemory = freshMemory, watch: Watch<JpegLayout> = unwatched) {
    this.memory = memory
    this.#watch = watch
    this.#kernel = new RetainedDecoder(() => new DecoderKernel(watch.instantiate(module)))
  }

  /**
   * Decodes at a number of eighths of the size (1 to 8, per axis). All data is read and validated, but only
   * `part` (pixels of the reduced picture, rounded outwards) is transformed and returned. With `scanEnds`,
   * the end of each scan's data, all headers of a progressive picture are validated first. The result is in
   * `memory`. @throws DeclinedError
   */
  decode(
    bytes: Uint8Array,
    eighthsX: number,
    eighthsY: number = eighthsX,
    part: Part | null = null,
    scanEnds: readonly number[] | null = null,
  ): DecodedJpeg {
    const eighths = { x: eighthsX, y: eighthsY }
    const header = parseJpeg(bytes)
    assertForKernel(header.frame)
    assertDecodable(header, bytes)
    if (header.frame.isProgressive && scanEnds !== null) assertScans(bytes, scanEnds)
    // Progressive files may change the restart interval between scans; such files are declined.
    const { restartInterval } = header.tables
    const dataSizeBytes = bytes.length - header.scan.dataAt
    const layout = buildJpegLayout(header.frame, restartInterval, eighths, dataSizeBytes, part, this.#watch.gapBytes)
    const widthPx = layout.part.right - layout.part.left
    const heightPx = layout.part.bottom - layout.part.top
    const memoryBytes = layout.end + widthPx * heightPx * 4
    const data = this.#kernel.decode(memoryBytes, kernel =>
      kernel.decode(bytes, header, layout, this.memory, this.#watch.laidOut),
    )
    return { widthPx, heightPx, data, part: layout.part, wholeWidthPx: layout.widthPx, wholeHeightPx: layout.heightPx }
  }
}

/** Validates the headers between scans before decoding any data: a late refusal would waste that work. */
function assertScans(bytes: Uint8Array, scanEnds: readonly number[]): void {
  // repeated, because tables change between scans
  const { frame, tables, scan } = parseJpeg(bytes)
  const { restartInterval } = tables
  const order = new ScanOrder(frame)
  let next: ScanHeader | null = scan
  for (const end of scanEnds) {
    if (next === null || tables.restartInterval !== restartInterval)
      throw new DeclinedError('unsupported', 'Scans behind the end, or restart intervals that change.')
    order.advance(next)
    assertBitForEachBlock(next, end - next.dataAt)
    next = parseNextScan(bytes, end, tables, frame)
  }
  if (next !== null) throw new DeclinedError('doubtful', 'A scan that was not there before.')
  order.end()
}

function assertDecodable({ frame, tables, scan }: JpegHeader, bytes: Uint8Array): void {
  if (frame.blocksPerMcu > 10) throw new DeclinedError('doubtful', 'More than 10 blocks in an MCU.')
  for (const { quantiser } of frame.components) {
    if (!tables.quantisers[quantiser]) throw new DeclinedError('doubtful', 'A quantiser is missing.')
  }
  if (!frame.isProgressive) {
    if (scan.components.length !== frame.components.length)
      throw new DeclinedError('unsupported', 'Several sequential scans.')
    if (scan.first !== 0 || scan.last !== 63 || scan.high !== 0 || scan.low !== 0)
      throw new DeclinedError('doubtful', 'A sequential scan of parts.')
  }
  // The work depends on the declared size: a picture with so little data is not decoded block by block.
  const blocks = frame.mcusX * frame.mcusY * frame.blocksPerMcu
  if ((bytes.length - scan.dataAt) * 8 < blocks * (frame.isProgressive ? 1 : 2))
    throw new DeclinedError('cut', 'Less data than any picture of this size has.')
}
