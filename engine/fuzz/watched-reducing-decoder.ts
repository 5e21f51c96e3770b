import type { ArtworkFacts } from '../src/artwork/artwork-facts.ts'
import { inspectArtwork } from '../src/artwork/inspect-artwork.ts'
import type { ReducingDecoder } from '../src/decoding/decode-reduced-artwork.ts'
import { MOST_REDUCTION, type Reduction as ReductionPlan, type Size } from '../src/decoding/reduction/result-layout.ts'
import type { Part } from '../src/decoding/shown-part.ts'
import { type Watched, WatchedDecoder } from './watched-decoder.ts'
import type { MemoryLayout } from './watched-kernel.ts'
import type { Share } from './watched-run.ts'

/** RGBA, straight alpha. */
export type DecodedPicture = ReturnType<ReducingDecoder['decode']>

/** How much a picture is reduced: shares of its sides, 0 to 1. At most 1 / 32, at least 1 px. */
export type Reduction = { readonly x: number; readonly y: number }

type ReducingLayout<RegionName extends string> = MemoryLayout<RegionName> & {
  readonly work: Part
  readonly reduction: ReductionPlan | null
}

type WatchedReduction<RegionName extends string, Layout> = Pick<
  Watched<RegionName, Layout, Reduction, DecodedPicture>,
  'uses'
> & {
  readonly make: (
    ...from: Parameters<Watched<RegionName, Layout, Reduction, DecodedPicture>['make']>
  ) => ReducingDecoder
  /** The most instructions for all but the pixels of the result. */
  readonly instructionBoundOf: (bytes: Uint8Array, layout: Layout, facts: ArtworkFacts) => number
}

/** A decoder that reduces, with its shipped kernel, instrumented (watched-kernel.ts). */
export class WatchedReducingDecoder<
  RegionName extends string,
  Layout extends ReducingLayout<RegionName>,
> extends WatchedDecoder<RegionName, Layout, Reduction, DecodedPicture> {
  constructor(
    kernel: Uint8Array,
    probes: Uint8Array,
    { uses, make, instructionBoundOf }: WatchedReduction<RegionName, Layout>,
  ) {
    super(kernel, probes, {
      uses,
      make: (...from) => {
        const decoder = make(...from)
        return (bytes, { x, y }, share) => {
          const { bytesToDecode, storedWidthPx, storedHeightPx } = inspectArtwork(bytes)
          const size = { widthPx: reduceSide(storedWidthPx, x), heightPx: reduceSide(storedHeightPx, y) }
          return decoder.decode(bytesToDecode, size, share === null ? null : partOf(share, size))
        }
      },
      instructionBoundOf: (bytes, layout) => {
        const { work, reduction } = layout
        const computed = (work.right - work.left) * (work.bottom - work.top)
        const taps = reduction === null ? 0 : reduction.tapPairs * 12
        return instructionBoundOf(bytes, layout, inspectArtwork(bytes)) + (80 + taps) * computed
      },
    })
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
