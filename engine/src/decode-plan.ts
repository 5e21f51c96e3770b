import type { ArtworkFacts } from './artwork/artwork-facts.ts'
import { inspectArtwork } from './artwork/inspect-artwork.ts'
import type { DecodedArtwork, DecodeTarget, ImageCodec } from './codec.ts'
import { findStartU, hasMargin } from './drawing/place-artwork.ts'
import type { PreparedFrame } from './drawing/prepared-frame.ts'
import { type AffineMap, boundUnitSquare } from './geometry/affine-map.ts'
import {
  buildArtworkMap,
  centredCover,
  clipToArtwork,
  findPlacement,
  type Placement,
  type Placements,
  uniteParts,
} from './geometry/artwork-placement.ts'
import { expandBounds } from './geometry/rect.ts'
import { tileDensity } from './sampling/reduce-tile.ts'
import type { ArtworkMap, SamplingPlan } from './sampling/sampling-plan.ts'

/** A file, and inspectArtwork's result if known: walking a large JPEG takes milliseconds. */
export type Artwork = { readonly bytes: Uint8Array; readonly facts?: ArtworkFacts }

/** One artwork for every frame, or one per frame index. */
export type Artworks = Artwork | ReadonlyMap<number, Artwork>

/** Whether to decode all of an artwork, because other frames will show other parts at this target's size. */
export type NeedsWhole = (bytes: Uint8Array, target: DecodeTarget) => boolean

/** One call of the decoder, and the frames that use its picture. */
type PlannedDecode = {
  readonly bytes: Uint8Array
  readonly facts: ArtworkFacts
  readonly target: DecodeTarget
  readonly frames: number[]
}

/**
 * Artwork is reduced to this many times the frame's greatest sampling density: less loses detail, more
 * aliases under strong perspective, and time grows with the square (docs/decisions/sampling-and-light.md).
 */
const PREFILTER_DENSITY = 1.6

/** A picture decoded for one frame is used for another whose needs differ by no more than this. */
const SHARED_DECODE_RATIO = 1.15

/**
 * Artwork smaller than its frame costs little, so more detail is retained. Less with a map: most of it is
 * less dense than the hundredth that decides, and more than 3.2 texels per pixel would be halved.
 */
const smallDensity = { homography: 2.2, grid: 1.8 } as const satisfies Record<ArtworkMap['kind'], number>

/** We reduce repeated artwork ourselves, with its copies joined: a decoder's edge handling would show. */
const TILE_OVERSIZE = 3

/** More than the texels that a frame reads beyond the visible part: a decoder may give a sixteenth less. */
const MARGIN_PX = 5

/** For artwork that is not visible. */
const notShown = { minWidthPx: 1, minHeightPx: 1, wrapsX: false, wrapsY: false, shown: null } as const

/**
 * What a frame needs of an artwork of that size: its visible part, and the least sufficient size. Tiny
 * artwork is decoded small, large artwork in part.
 */
export function findDecodeTarget(
  { plan, aspectRatio }: PreparedFrame,
  sourceWidthPx: number,
  sourceHeightPx: number,
  placement: Placement = centredCover,
): DecodeTarget {
  const toArtwork = buildArtworkMap(placement, sourceWidthPx, sourceHeightPx, aspectRatio)
  const isRepeated = placement.repeat !== 'none'
  const isSmaller = placement.fit === 'contain' || placement.scale < 1
  const once = isSmaller ? smallDensity[plan.map.kind] : PREFILTER_DENSITY
  const density = isRepeated ? tileDensity[plan.map.kind] * TILE_OVERSIZE : once
  const { widthPx, heightPx } = findSeenSize(plan, toArtwork, density)
  const least = { minWidthPx: Math.ceil(widthPx), minHeightPx: Math.ceil(heightPx) }
  if (isRepeated) return { ...least, wrapsX: true, wrapsY: true, shown: null }
  const seen = boundUnitSquare(toArtwork, findStartU(plan.map, placement))
  const part = clipToArtwork(seen)
  if (part === null) return notShown
  const marginPx = hasMargin(placement) ? MARGIN_PX : 0
  const marginX = marginPx / Math.min(least.minWidthPx, sourceWidthPx)
  const marginY = marginPx / Math.min(least.minHeightPx, sourceHeightPx)
  const shown = clipToArtwork(expandBounds(seen, marginX, marginY)) ?? part
  const isRound = plan.map.kind === 'grid' && plan.map.wrapsU
  return { ...least, wrapsX: isRound && toArtwork.xPerV === 0, wrapsY: isRound && toArtwork.yPerV === 0, shown }
}

/**
 * The whole artwork's size in pixels of the mockup, times `density`, at the frame's densest point. Exact if
 * an axis of the artwork is parallel to one of the frame.
 */
export function findSeenSize(plan: SamplingPlan, { xPerU, xPerV, yPerU, yPerV }: AffineMap, density: number) {
  const [densityU, densityV] = [plan.densityU * density, plan.densityV * density]
  const findSeenPx = (perU: number, perV: number): number => {
    if (perV === 0) return densityU / Math.abs(perU)
    if (perU === 0) return densityV / Math.abs(perV)
    return 1 / Math.hypot(perU / densityU, perV / densityV)
  }
  return { widthPx: findSeenPx(xPerU, xPerV), heightPx: findSeenPx(yPerU, yPerV) }
}

/** Pixels of artwork per pixel of the mockup at the densest point, along its more enlarged side. */
export function findShownDensity(
  { plan, aspectRatio }: PreparedFrame,
  sourceWidthPx: number,
  sourceHeightPx: number,
  placement: Placement,
): number {
  const seen = findSeenSize(plan, buildArtworkMap(placement, sourceWidthPx, sourceHeightPx, aspectRatio), 1)
  return Math.min(sourceWidthPx / seen.widthPx, sourceHeightPx / seen.heightPx)
}

/**
 * Plans which part of which artwork to decode at which size. Frames that show the same bytes at nearly the
 * same size share one picture. Throws RangeError for a frame without artwork.
 */
function planDecodes(
  frames: readonly PreparedFrame[],
  artworks: Artworks,
  needsWhole: NeedsWhole,
  placements: Placements,
): readonly PlannedDecode[] {
  const inspected = new Map<Uint8Array, ArtworkFacts>()
  const wanted = frames.map((frame, index) => {
    const artwork = 'bytes' in artworks ? artworks : artworks.get(index)
    if (!artwork) throw new RangeError(`Expected artwork for frame ${index} but received none.`)
    const { bytes } = artwork
    const facts = artwork.facts ?? inspected.get(bytes) ?? inspectArtwork(bytes)
    inspected.set(bytes, facts)
    return {
      index,
      bytes,
      facts,
      target: findDecodeTarget(frame, facts.widthPx, facts.heightPx, findPlacement(placements, index)),
    }
  })
  const decodes: PlannedDecode[] = []
  // Larger ones first, so that a shared picture is never too small.
  for (const { index, bytes, facts, target } of wanted.toSorted((a, b) => b.target.minWidthPx - a.target.minWidthPx)) {
    const shared = decodes.find(other => other.bytes === bytes && isNearly(target, other.target))
    if (shared) {
      shared.frames.push(index)
      continue
    }
    const parts = wanted.flatMap(other => (other.bytes === bytes ? [other.target.shown ?? null] : []))
    const partial = { ...target, shown: parts.reduce((a, b) => a && b && uniteParts(a, b)) }
    const decoded = needsWhole(bytes, partial) ? { ...target, shown: null } : partial
    decodes.push({ bytes, facts, target: decoded, frames: [index] })
  }
  return decodes
}

/** The decoded artwork of every frame, in the frames' order. Rejects with RangeError if one has none. */
export async function decodeArtworks(
  frames: readonly PreparedFrame[],
  artworks: Artworks,
  codec: ImageCodec,
  needsWhole: NeedsWhole = () => false,
  placements: Placements = {},
): Promise<readonly DecodedArtwork[]> {
  const pictures: DecodedArtwork[] = []
  for (const decode of planDecodes(frames, artworks, needsWhole, placements)) {
    const picture = await codec.decodeArtwork(decode.bytes, decode.target, decode.facts)
    for (const index of decode.frames) pictures[index] = picture
  }
  return pictures
}

function isNearly(target: DecodeTarget, decoded: DecodeTarget): boolean {
  const ratioX = decoded.minWidthPx / target.minWidthPx
  const ratioY = decoded.minHeightPx / target.minHeightPx
  const isNear = (ratio: number): boolean => ratio >= 1 && ratio <= SHARED_DECODE_RATIO
  return decoded.wrapsX === target.wrapsX && decoded.wrapsY === target.wrapsY && isNear(ratioX) && isNear(ratioY)
}
