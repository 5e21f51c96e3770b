import type { ArtworkFacts } from './artwork/artwork-facts.ts'
import { inspectArtwork } from './artwork/inspect-artwork.ts'
import type { DecodedArtwork, DecodeTarget, ImageCodec } from './codec.ts'
import { boundUnitSquare } from './geometry/affine-map.ts'
import { buildCoverPlacement, uniteParts } from './geometry/artwork-placement.ts'
import type { PreparedFrame } from './template/prepare-frame.ts'

/** A file, and inspectArtwork's result if known: a walk over a large JPEG takes milliseconds. */
export type Artwork = { readonly bytes: Uint8Array; readonly facts?: ArtworkFacts }

/** One artwork for every frame, or one per frame index. */
export type Artworks = Artwork | ReadonlyMap<number, Artwork>

/** Whether to decode all of an artwork, because other frames will show other parts at this target's size. */
export type NeedsWhole = (bytes: Uint8Array, target: DecodeTarget) => boolean

/** One call of the decoder, and the frames that its picture is for. */
type PlannedDecode = {
  readonly bytes: Uint8Array
  readonly facts: ArtworkFacts
  readonly target: DecodeTarget
  readonly frames: number[]
}

/**
 * Artwork is reduced to this many times the frame's greatest sampling density: less loses detail, more loses
 * under strong perspective, and time goes with the square (docs/decisions/sampling-and-light.md).
 */
const PREFILTER_DENSITY = 1.6

/** A picture decoded for one frame serves another whose needs differ by no more than this. */
const SHARED_DECODE_RATIO = 1.15

/** What a frame needs of an artwork of that size: the part that it shows, and the least sufficient size. */
export function findDecodeTarget(
  { plan, aspectRatio }: PreparedFrame,
  sourceWidthPx: number,
  sourceHeightPx: number,
): DecodeTarget {
  const { densityU, densityV, map } = plan
  const placement = buildCoverPlacement(sourceWidthPx, sourceHeightPx, aspectRatio)
  const { xPerU, xPerV, yPerU, yPerV } = placement.toArtwork
  return {
    minWidthPx: findLeastPx(xPerU, densityU, xPerV, densityV),
    minHeightPx: findLeastPx(yPerV, densityV, yPerU, densityU),
    wrapsX: map.kind === 'grid' && map.wrapsU,
    shown: boundUnitSquare(placement.toArtwork),
  }
}

/**
 * Pixels of the whole artwork along one of its axes, of which the frame's two axes show `a` and `b` (1 =
 * all). Densities are those of the frame's axes, in pixels. Exact where b is 0.
 */
function findLeastPx(a: number, densityA: number, b: number, densityB: number): number {
  return Math.ceil((densityA * PREFILTER_DENSITY) / Math.hypot(a, (b * densityA) / densityB))
}

/**
 * Decides what part of which artwork is decoded at which size. Frames that show the same bytes at nearly the
 * same size share one picture. Throws RangeError for a frame without artwork.
 */
function planDecodes(
  frames: readonly PreparedFrame[],
  artworks: Artworks,
  needsWhole: NeedsWhole,
): readonly PlannedDecode[] {
  const inspected = new Map<Uint8Array, ArtworkFacts>()
  const wanted = frames.map((frame, index) => {
    const artwork = 'bytes' in artworks ? artworks : artworks.get(index)
    if (!artwork) throw new RangeError(`Expected artwork for frame ${index} but received none.`)
    const { bytes } = artwork
    const facts = artwork.facts ?? inspected.get(bytes) ?? inspectArtwork(bytes)
    inspected.set(bytes, facts)
    return { index, bytes, facts, target: findDecodeTarget(frame, facts.widthPx, facts.heightPx) }
  })
  const decodes: PlannedDecode[] = []
  // Larger ones first, so that a picture is never too small for the frame that shares it.
  for (const { index, bytes, facts, target } of wanted.toSorted((a, b) => b.target.minWidthPx - a.target.minWidthPx)) {
    const shared = decodes.find(other => other.bytes === bytes && isNearly(target, other.target))
    if (shared) {
      shared.frames.push(index)
      continue
    }
    const parts = wanted.flatMap(other => (other.bytes === bytes && other.target.shown ? [other.target.shown] : []))
    const partial = { ...target, shown: parts.reduce(uniteParts) }
    const decoded = needsWhole(bytes, partial) ? { ...target, shown: null } : partial
    decodes.push({ bytes, facts, target: decoded, frames: [index] })
  }
  return decodes
}

/** The decoded artwork of every frame, in the frames' order. Rejects with RangeError where one has none. */
export async function decodeArtworks(
  frames: readonly PreparedFrame[],
  artworks: Artworks,
  codec: ImageCodec,
  needsWhole: NeedsWhole = () => false,
): Promise<readonly DecodedArtwork[]> {
  const pictures: DecodedArtwork[] = []
  for (const decode of planDecodes(frames, artworks, needsWhole)) {
    const picture = await codec.decodeArtwork(decode.bytes, decode.target, decode.facts)
    for (const index of decode.frames) pictures[index] = picture
  }
  return pictures
}

function isNearly(target: DecodeTarget, decoded: DecodeTarget): boolean {
  const ratioX = decoded.minWidthPx / target.minWidthPx
  const ratioY = decoded.minHeightPx / target.minHeightPx
  const isNear = (ratio: number): boolean => ratio >= 1 && ratio <= SHARED_DECODE_RATIO
  return decoded.wrapsX === target.wrapsX && isNear(ratioX) && isNear(ratioY)
}
