import { ArtworkError } from '../src/artwork/artwork-error.ts'
import type { ArtworkFacts } from '../src/artwork/artwork-facts.ts'
import { inspectArtwork } from '../src/artwork/inspect-artwork.ts'
import { DeclinedError } from '../src/decoding/declined.ts'
import type { ReducingDecoder } from '../src/decoding/decode-reduced-artwork.ts'
import { MOST_REDUCTION, type Reduction as ReductionPlan, type Size } from '../src/decoding/reduction/result-layout.ts'
import type { PixelMemory } from '../src/decoding/reused-memory.ts'
import type { Part } from '../src/decoding/shown-part.ts'
import type { KernelInstance } from '../src/kernels/kernel-instance.ts'
import { GAP_BYTES, type MemoryLayout, type MemoryUses, WatchedKernel } from './watched-kernel.ts'

/** RGBA, straight alpha. */
export type DecodedPicture = ReturnType<ReducingDecoder['decode']>

/** The outcome of a file. A `trap` is always a defect. */
export type Verdict = DecodedPicture | DeclinedError | ArtworkError | { readonly trap: unknown }

export type Run = {
  readonly verdict: Verdict
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

type ReducingLayout<RegionName extends string> = MemoryLayout<RegionName> & {
  readonly work: Part
  readonly reduction: ReductionPlan | null
}

type Watch<Layout> = {
  readonly gapBytes: number
  readonly instantiate: () => KernelInstance
  readonly laidOut: (layout: Layout) => void
}

/** A decoder whose kernel is watched. */
type Watched<RegionName extends string, Layout> = {
  readonly uses: MemoryUses<RegionName>
  readonly make: (module: WebAssembly.Module, memory: PixelMemory, watch: Watch<Layout>) => ReducingDecoder
  /** The most instructions for all but the pixels of the result. */
  readonly instructionBoundOf: (bytes: Uint8Array, layout: Layout, facts: ArtworkFacts) => number
}

/** A decoder that reduces, with its shipped kernel, instrumented (watched-kernel.ts). */
export class WatchedReducingDecoder<RegionName extends string, Layout extends ReducingLayout<RegionName>> {
  readonly #kernel: WatchedKernel<RegionName>
  readonly #decoder: ReducingDecoder
  readonly #watched: Watched<RegionName, Layout>
  #layout: Layout | null = null
  #garbage = 0

  constructor(kernel: Uint8Array, probes: Uint8Array, watched: Watched<RegionName, Layout>) {
    this.#watched = watched
    this.#kernel = new WatchedKernel(kernel, probes, watched.uses)
    // what an earlier picture left where this one's pixels go
    const memory: PixelMemory = { take: sizeBytes => new Uint8Array(sizeBytes).fill(this.#garbage), giveBack: () => {} }
    this.#decoder = watched.make(this.#kernel.module, memory, {
      gapBytes: GAP_BYTES,
      instantiate: () => this.#kernel.instantiate(),
      laidOut: layout => {
        this.#layout = layout
        this.#kernel.laidOut(layout)
      },
    })
  }

  /** outcomes of branches that the kernel has */
  get outcomes(): number {
    return this.#kernel.outcomes
  }

  /** `garbage`: the byte that all memory holds before the picture. `share`: the wanted part of the result. */
  decode(bytes: Uint8Array, { x, y }: Reduction, garbage = 0xa5, share: Share | null = null): Run {
    this.#kernel.begin(garbage)
    this.#layout = null
    this.#garbage = garbage
    let verdict: Verdict
    let facts: ArtworkFacts | null = null
    try {
      facts = inspectArtwork(bytes)
      const { bytesToDecode, storedWidthPx, storedHeightPx } = facts
      const size = { widthPx: reduceSide(storedWidthPx, x), heightPx: reduceSide(storedHeightPx, y) }
      verdict = this.#decoder.decode(bytesToDecode, size, share === null ? null : partOf(share, size))
    } catch (error) {
      verdict = error instanceof DeclinedError || error instanceof ArtworkError ? error : { trap: error }
    }
    const { instructions, memoryBytes } = this.#kernel
    const instructionBound = this.#boundOf(bytes, facts)
    const isBeyond = this.#layout !== null && instructions > instructionBound
    const violation =
      this.#kernel.violation ?? (isBeyond ? `${instructions} of ${instructionBound} instructions` : null)
    this.#kernel.end()
    return { verdict, instructions, instructionBound, memoryBytes, violation }
  }

  #boundOf(bytes: Uint8Array, facts: ArtworkFacts | null): number {
    if (this.#layout === null || facts === null) return 0
    const { work, reduction } = this.#layout
    const computed = (work.right - work.left) * (work.bottom - work.top)
    const taps = reduction === null ? 0 : reduction.tapPairs * 12
    return this.#watched.instructionBoundOf(bytes, this.#layout, facts) + (80 + taps) * computed
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
