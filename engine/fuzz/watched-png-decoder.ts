import { readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import * as records from '../kernels/assembly/png/records.ts'
import { compileAssembly, kernelFile } from '../kernels/build.ts'
import { ArtworkError } from '../src/artwork/artwork-error.ts'
import { inspectArtwork } from '../src/artwork/inspect-artwork.ts'
import { DeclinedError } from '../src/decoding/declined.ts'
import { type DecodedPng, PngDecoder } from '../src/decoding/png/png-decoder.ts'
import {
  MOST_REDUCTION,
  type PngLayout,
  type RegionName,
  type Size,
  SLACK_BYTES,
} from '../src/decoding/png/png-layout.ts'
import type { PixelMemory } from '../src/decoding/reused-memory.ts'
import type { Part } from '../src/decoding/shown-part.ts'
import { GAP_BYTES, READ, WatchedKernel, WRITE } from './watched-kernel.ts'

/** The outcome of a file. A `trap` is always a defect. */
export type PngVerdict = DecodedPng | DeclinedError | ArtworkError | { readonly trap: unknown }

export type PngRun = {
  readonly verdict: PngVerdict
  readonly instructions: number
  /** the most instructions that a file of this size and claim may take */
  readonly instructionBound: number
  readonly memoryBytes: number
  /** the first access outside its region, changed memory between regions, or work beyond the bound */
  readonly violation: string | null
}

/** How much a picture is reduced: shares of its sides, 0 to 1. At most 1 / 32, at least 1 px. */
export type Reduction = { readonly x: number; readonly y: number }

/** A part of the result, in shares of its sides. */
export type Share = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number }

/**
 * Work is linear in a file's bytes, its blocks (of which the layout allows so many), and its claimed size,
 * which the bytes bound: a byte inflates to 1,032 at most. Half of this is taken by the worst files known.
 */
function instructionBoundOf(bytes: Uint8Array, { mostBlocks, work, reduction }: PngLayout, rowsBytes: number): number {
  const computed = (work.right - work.left) * (work.bottom - work.top)
  const taps = reduction === null ? 0 : reduction.tapPairs * 12
  return 200_000 + 200_000 * mostBlocks + 100 * bytes.length + 60 * rowsBytes + (80 + taps) * computed
}

const uses: Readonly<Record<RegionName, number>> = {
  input: READ | WRITE,
  window: READ | WRITE,
  palette: READ,
  row: READ | WRITE,
  stored: READ | WRITE,
  out: WRITE,
  tables: READ,
  sums: READ | WRITE,
  middle: READ | WRITE,
  band: READ | WRITE,
}

/** The module's own constants, tables of codes, and the picture's description. */
const fixedUses = [
  [0, READ],
  [records.FIXED, READ | WRITE],
  [records.PICTURE, READ],
  [records.DYNAMIC, 0],
] as const

/** Our PNG decoder with the shipped kernel, instrumented (watched-kernel.ts), as artwork gets to it. */
export class WatchedPngDecoder {
  readonly #kernel: WatchedKernel<RegionName>
  readonly #decoder: PngDecoder
  #layout: PngLayout | null = null
  #garbage = 0

  constructor(kernel: Uint8Array, probes: Uint8Array) {
    this.#kernel = new WatchedKernel(kernel, probes, { fixed: fixedUses, regions: uses, slackBytes: SLACK_BYTES })
    // what an earlier picture left where this one's pixels go
    const memory: PixelMemory = { take: sizeBytes => new Uint8Array(sizeBytes).fill(this.#garbage), giveBack: () => {} }
    this.#decoder = new PngDecoder(this.#kernel.module, crc32, memory, {
      gapBytes: GAP_BYTES,
      instantiate: () => this.#kernel.instantiate(),
      laidOut: layout => {
        this.#layout = layout
        this.#kernel.laidOut(layout)
      },
    })
  }

  /** With the committed kernel. Compiling the probes takes a second or two. */
  static async load(): Promise<WatchedPngDecoder> {
    return new WatchedPngDecoder(await readFile(kernelFile('png-decoder-relaxed')), await compileAssembly('probes'))
  }

  /** outcomes of branches that the kernel has */
  get outcomes(): number {
    return this.#kernel.outcomes
  }

  /** `garbage`: the byte that all memory holds before the picture. `share`: the wanted part of the result. */
  decode(bytes: Uint8Array, { x, y }: Reduction, garbage = 0xa5, share: Share | null = null): PngRun {
    this.#kernel.begin(garbage)
    this.#layout = null
    this.#garbage = garbage
    let verdict: PngVerdict
    let rowsBytes = 0
    try {
      const { bytesToDecode, storedWidthPx, storedHeightPx, bitsPerChannel } = inspectArtwork(bytes)
      rowsBytes = storedHeightPx * (1 + (storedWidthPx * bitsPerChannel) / 2)
      const size = { widthPx: reduceSide(storedWidthPx, x), heightPx: reduceSide(storedHeightPx, y) }
      verdict = this.#decoder.decode(bytesToDecode, size, share === null ? null : partOf(share, size))
    } catch (error) {
      verdict = error instanceof DeclinedError || error instanceof ArtworkError ? error : { trap: error }
    }
    const { instructions, memoryBytes } = this.#kernel
    const instructionBound = this.#layout === null ? 0 : instructionBoundOf(bytes, this.#layout, rowsBytes)
    const isBeyond = this.#layout !== null && instructions > instructionBound
    const violation =
      this.#kernel.violation ?? (isBeyond ? `${instructions} of ${instructionBound} instructions` : null)
    this.#kernel.end()
    return { verdict, instructions, instructionBound, memoryBytes, violation }
  }

  novelties(): number {
    return this.#kernel.novelties()
  }

  limitInstructions(instructions: number): void {
    this.#kernel.limitInstructions(instructions)
  }

  get hits(): Uint8Array {
    return this.#kernel.hits
  }
}

function reduceSide(sidePx: number, share: number): number {
  return Math.max(1, Math.ceil(sidePx / MOST_REDUCTION), Math.min(sidePx, Math.round(sidePx * share)))
}

function partOf({ left, top, right, bottom }: Share, { widthPx, heightPx }: Size): Part {
  const x = Math.floor(left * (widthPx - 1))
  const y = Math.floor(top * (heightPx - 1))
  return {
    left: x,
    top: y,
    right: Math.max(x + 1, Math.ceil(right * widthPx)),
    bottom: Math.max(y + 1, Math.ceil(bottom * heightPx)),
  }
}
