import { readFile } from 'node:fs/promises'
import { compileAssembly, kernelFile } from '../kernels/build.ts'
import { DeclinedError } from '../src/decoding/declined.ts'
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
import type { PixelMemory } from '../src/decoding/reused-memory.ts'
import type { Part } from '../src/decoding/shown-part.ts'
import { segmentsOf } from './mutate-jpeg.ts'
import { GAP_BYTES, READ, WatchedKernel, WRITE } from './watched-kernel.ts'

/** The outcome of a file. A `trap` is always a defect. */
export type Verdict = DecodedJpeg | DeclinedError | { readonly trap: unknown }

export type Run = {
  readonly verdict: Verdict
  /** WebAssembly instructions executed (16 bytes of a fill or copy are one): a constant of the file */
  readonly instructions: number
  /** the most instructions that a file of this size and claim may take */
  readonly instructionBound: number
  /** of the kernel's memory, for the picture; 0 where the file was refused before */
  readonly memoryBytes: number
  /** the first access outside its region, changed memory between regions, or work beyond the bound */
  readonly violation: string | null
}

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

/**
 * Our decoder with the shipped kernel, instrumented (watched-kernel.ts). The memory of the result is garbage
 * before a picture too.
 */
export class WatchedDecoder {
  readonly #kernel: WatchedKernel<RegionName>
  readonly #decoder: JpegDecoder
  #layout: JpegLayout | null = null
  #garbage = 0

  constructor(kernel: Uint8Array, probes: Uint8Array, gapBytes = GAP_BYTES) {
    this.#kernel = new WatchedKernel(kernel, probes, { fixed: fixedUses, regions: uses, slackBytes: SLACK_BYTES })
    // what an earlier picture left where this one's pixels go
    const memory: PixelMemory = { take: sizeBytes => new Uint8Array(sizeBytes).fill(this.#garbage), giveBack: () => {} }
    this.#decoder = new JpegDecoder(this.#kernel.module, memory, {
      gapBytes,
      instantiate: () => this.#kernel.instantiate(),
      laidOut: layout => {
        this.#layout = layout
        this.#kernel.laidOut(layout)
      },
    })
  }

  /** With the committed kernel. Compiling the probes takes a second or two. */
  static async load(): Promise<WatchedDecoder> {
    return new WatchedDecoder(await readFile(kernelFile('jpeg-decoder')), await compileAssembly('probes'))
  }

  /** outcomes of branches that the kernel has */
  get outcomes(): number {
    return this.#kernel.outcomes
  }

  /** `garbage`: the byte that all memory holds before the picture. `part`: the wanted part of the picture. */
  decode(bytes: Uint8Array, eighths: Eighths, garbage = 0xa5, part: Part | null = null): Run {
    this.#kernel.begin(garbage)
    this.#layout = null
    this.#garbage = garbage
    let verdict: Verdict
    try {
      verdict = this.#decoder.decode(bytes, eighths.x, eighths.y, part)
    } catch (error) {
      verdict = error instanceof DeclinedError ? error : { trap: error }
    }
    const { instructions, memoryBytes } = this.#kernel
    const instructionBound = this.#layout === null ? 0 : instructionBoundOf(bytes, this.#layout)
    const isBeyond = this.#layout !== null && instructions > instructionBound
    const violation =
      this.#kernel.violation ?? (isBeyond ? `${instructions} of ${instructionBound} instructions` : null)
    this.#kernel.end()
    return { verdict, instructions, instructionBound, memoryBytes, violation }
  }

  /** How many pairs of branches, or numbers of times they were taken, the last run was the first to have. */
  novelties(): number {
    return this.#kernel.novelties()
  }

  /** Runs of more instructions than this end in a trap. */
  limitInstructions(instructions: number): void {
    this.#kernel.limitInstructions(instructions)
  }

  /** How often the last run hit each outcome of each branch, up to 255. A view: copy what is kept. */
  get hits(): Uint8Array {
    return this.#kernel.hits
  }
}
