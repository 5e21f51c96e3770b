import { readFile } from 'node:fs/promises'
import { kernelFile } from '../kernels/build.ts'
import { type DecodedJpeg, JpegDecoder } from '../src/decoding/jpeg/jpeg-decoder.ts'
import {
  COSINES,
  DYNAMIC,
  type Eighths,
  HUFFMAN,
  HUFFMAN_INPUT,
  type JpegLayout,
  PICTURE,
  PREDICTORS,
  type RegionName,
  SCAN,
  SCRATCH,
  SLACK_BYTES,
} from '../src/decoding/jpeg/jpeg-layout.ts'
import type { Part } from '../src/decoding/shown-part.ts'
import { segmentsOf } from './mutate-jpeg.ts'
import { WatchedDecoder } from './watched-decoder.ts'
import { READ, WRITE } from './watched-kernel.ts'
import type { Share } from './watched-run.ts'

/**
 * Work is linear in a file's bytes and in its claimed size, and the size is bounded by the bytes: a block
 * takes at least one bit, and there are at most 64 scans. The worst known files (costly-jpegs.ts) take more
 * than half of this.
 */
function instructionBoundOf(bytes: Uint8Array, { planes, part }: JpegLayout): number {
  const scans = Math.min(64, segmentsOf(bytes).filter(({ marker }) => marker === 0xda).length)
  const blocks = planes.reduce((sum, { storedX, storedY }) => sum + storedX * storedY, 0)
  const tables = 8 + 3 * scans
  return (
    450_000 * tables +
    220 * bytes.length +
    (400 + 400 * scans) * blocks +
    20 * (part.right - part.left) * (part.bottom - part.top)
  )
}

/** What the kernel may do with the memory of each purpose. */
const uses: Readonly<Record<RegionName, number>> = {
  source: READ,
  data: READ | WRITE,
  segments: READ | WRITE,
  tables: READ | WRITE,
  samples: READ | WRITE,
  stored: READ | WRITE,
  lines: READ | WRITE,
  out: WRITE,
}

/** The same for the fixed regions: from here to the beginning of the next. */
const fixedUses = [
  [COSINES, READ],
  [PREDICTORS, READ | WRITE],
  [PICTURE, READ | WRITE],
  [SCAN, READ | WRITE],
  [SCRATCH, READ | WRITE],
  [HUFFMAN, READ | WRITE],
  [HUFFMAN_INPUT, READ],
  [DYNAMIC, 0],
] as const

/** Our JPEG decoder. */
export class WatchedJpegDecoder extends WatchedDecoder<RegionName, JpegLayout, Eighths, DecodedJpeg> {
  constructor(kernel: Uint8Array, probes: Uint8Array) {
    super(kernel, probes, {
      uses: { fixed: fixedUses, regions: uses, slackBytes: SLACK_BYTES },
      make: (module, memory, watch) => {
        const decoder = new JpegDecoder(module, memory, watch)
        return (bytes, eighths, share) =>
          decoder.decode(bytes, eighths.x, eighths.y, share === null ? null : partOf(share, bytes, eighths))
      },
      instructionBoundOf,
    })
  }

  /** With the committed kernel. */
  static async load(): Promise<WatchedJpegDecoder> {
    return new WatchedJpegDecoder(await readFile(kernelFile('jpeg-decoder')), await readFile(kernelFile('probes')))
  }
}

/** The part of a picture of the size that its header claims; nowhere where it claims none. */
function partOf({ left, top, right, bottom }: Share, bytes: Uint8Array, eighths: Eighths): Part {
  const frame = segmentsOf(bytes).find(({ marker }) => marker >= 0xc0 && marker <= 0xc2)
  const at = frame?.at ?? bytes.length
  const sidePx = (offset: number): number => (bytes[at + offset] ?? 0) * 256 + (bytes[at + offset + 1] ?? 0)
  const [widthPx, heightPx] = [(sidePx(7) * eighths.x) / 8, (sidePx(5) * eighths.y) / 8]
  return { left: left * widthPx, top: top * heightPx, right: right * widthPx, bottom: bottom * heightPx }
}
