import { readFile } from 'node:fs/promises'
import * as records from '../kernels/assembly/png/records.ts'
import { compileAssembly, kernelFile } from '../kernels/build.ts'
import { ArtworkError } from '../src/artwork/artwork-error.ts'
import { inspectArtwork } from '../src/artwork/inspect-artwork.ts'
import { DeclinedError } from '../src/decoding/declined.ts'
import { MOST_REDUCTION, type Size } from '../src/decoding/png/png-layout.ts'
import type { PixelMemory } from '../src/decoding/reused-memory.ts'
import type { Part } from '../src/decoding/shown-part.ts'
import { type DecodedWebp, WebpDecoder } from '../src/decoding/webp/webp-decoder.ts'
import { type RegionName, SLACK_BYTES, type WebpLayout } from '../src/decoding/webp/webp-layout.ts'
import { GAP_BYTES, READ, WatchedKernel, WRITE } from './watched-kernel.ts'

/** The outcome of a file. A `trap` is always a defect. */
export type WebpVerdict = DecodedWebp | DeclinedError | ArtworkError | { readonly trap: unknown }

export type WebpRun = {
  readonly verdict: WebpVerdict
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
 * Work is linear in the macroblocks, of which each has 400 coefficients at most, in the bytes, and in what is
 * computed. What reads beyond its data ends with the macroblock. Half of this is taken by the worst files.
 */
function instructionBoundOf(bytes: Uint8Array, { work, reduction }: WebpLayout, blocks: number): number {
  const computed = (work.right - work.left) * (work.bottom - work.top)
  const taps = reduction === null ? 0 : reduction.tapPairs * 12
  return 200_000 + 250_000 * blocks + 10 * bytes.length + (80 + taps) * computed
}

const uses: Readonly<Record<RegionName, number>> = {
  input: READ | WRITE,
  blocks: READ | WRITE,
  planes: READ | WRITE,
  row: READ | WRITE,
  out: WRITE,
  tables: READ,
  sums: READ | WRITE,
  middle: READ | WRITE,
  band: READ | WRITE,
}

/** The module's own memory, that of the reduction, and the picture's description. */
const fixedUses = [
  [0, READ | WRITE],
  [records.BAND_SPANS, READ | WRITE],
  [records.PICTURE, READ],
  [records.DYNAMIC, 0],
] as const

/** Our WebP decoder with the shipped kernel, instrumented (watched-kernel.ts), as artwork gets to it. */
export class WatchedWebpDecoder {
  readonly #kernel: WatchedKernel<RegionName>
  readonly #decoder: WebpDecoder
  #layout: WebpLayout | null = null
  #garbage = 0

  constructor(kernel: Uint8Array, probes: Uint8Array) {
    this.#kernel = new WatchedKernel(kernel, probes, { fixed: fixedUses, regions: uses, slackBytes: SLACK_BYTES })
    // what an earlier picture left where this one's pixels go
    const memory: PixelMemory = { take: sizeBytes => new Uint8Array(sizeBytes).fill(this.#garbage), giveBack: () => {} }
    this.#decoder = new WebpDecoder(this.#kernel.module, memory, {
      gapBytes: GAP_BYTES,
      instantiate: () => this.#kernel.instantiate(),
      laidOut: layout => {
        this.#layout = layout
        this.#kernel.laidOut(layout)
      },
    })
  }

  /** With the committed kernel. Compiling the probes takes a second or two. */
  static async load(): Promise<WatchedWebpDecoder> {
    return new WatchedWebpDecoder(await readFile(kernelFile('webp-decoder-relaxed')), await compileAssembly('probes'))
  }

  /** outcomes of branches that the kernel has */
  get outcomes(): number {
    return this.#kernel.outcomes
  }

  /** `garbage`: the byte that all memory holds before the picture. `share`: the wanted part of the result. */
  decode(bytes: Uint8Array, { x, y }: Reduction, garbage = 0xa5, share: Share | null = null): WebpRun {
    this.#kernel.begin(garbage)
    this.#layout = null
    this.#garbage = garbage
    let verdict: WebpVerdict
    let blocks = 0
    try {
      const { bytesToDecode, storedWidthPx, storedHeightPx } = inspectArtwork(bytes)
      blocks = Math.ceil(storedWidthPx / 16) * Math.ceil(storedHeightPx / 16)
      const size = { widthPx: reduceSide(storedWidthPx, x), heightPx: reduceSide(storedHeightPx, y) }
      verdict = this.#decoder.decode(bytesToDecode, size, share === null ? null : partOf(share, size))
    } catch (error) {
      verdict = error instanceof DeclinedError || error instanceof ArtworkError ? error : { trap: error }
    }
    const { instructions, memoryBytes } = this.#kernel
    const instructionBound = this.#layout === null ? 0 : instructionBoundOf(bytes, this.#layout, blocks)
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
