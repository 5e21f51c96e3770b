import { ArtworkError } from '../src/artwork/artwork-error.ts'
import { DeclinedError } from '../src/decoding/declined.ts'
import type { PixelMemory } from '../src/reused-memory.ts'
import type { KernelInstance } from '../src/webassembly/kernel-instance.ts'
import { GAP_BYTES, type MemoryLayout, type MemoryUses, WatchedKernel } from './watched-kernel.ts'
import type { DecodedPart, Run, Share, Verdict } from './watched-run.ts'

type Watch<Layout> = {
  readonly gapBytes: number
  readonly instantiate: () => KernelInstance
  readonly laidOut: (layout: Layout) => void
}

/** Decodes a file at a scale; `share`: the wanted part of the result, null for all. */
type Decode<Scale, Picture> = (bytes: Uint8Array, scale: Scale, share: Share | null) => Picture

/** A decoder whose kernel is watched. */
export type Watched<RegionName extends string, Layout, Scale, Picture> = {
  readonly uses: MemoryUses<RegionName>
  readonly make: (module: WebAssembly.Module, memory: PixelMemory, watch: Watch<Layout>) => Decode<Scale, Picture>
  readonly instructionBoundOf: (bytes: Uint8Array, layout: Layout) => number
}

/**
 * A decoder with its shipped kernel, instrumented (watched-kernel.ts). The memory of the result is garbage
 * before a picture too.
 */
export class WatchedDecoder<
  RegionName extends string,
  Layout extends MemoryLayout<RegionName>,
  Scale,
  Picture extends DecodedPart,
> {
  readonly #kernel: WatchedKernel<RegionName>
  readonly #decode: Decode<Scale, Picture>
  readonly #watched: Watched<RegionName, Layout, Scale, Picture>
  #layout: Layout | null = null
  #garbage = 0

  constructor(kernel: Uint8Array, probes: Uint8Array, watched: Watched<RegionName, Layout, Scale, Picture>) {
    this.#watched = watched
    this.#kernel = new WatchedKernel(kernel, probes, watched.uses)
    // what an earlier picture left where this one's pixels go
    const memory: PixelMemory = { take: sizeBytes => new Uint8Array(sizeBytes).fill(this.#garbage), giveBack: () => {} }
    this.#decode = watched.make(this.#kernel.module, memory, {
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
  decode(bytes: Uint8Array, scale: Scale, garbage = 0xa5, share: Share | null = null): Run<Picture> {
    this.#kernel.begin(garbage)
    this.#layout = null
    this.#garbage = garbage
    let verdict: Verdict<Picture>
    try {
      verdict = this.#decode(bytes, scale, share)
    } catch (error) {
      verdict = error instanceof DeclinedError || error instanceof ArtworkError ? error : { trap: error }
    }
    const { instructions, memoryBytes } = this.#kernel
    const instructionBound = this.#layout === null ? 0 : this.#watched.instructionBoundOf(bytes, this.#layout)
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
