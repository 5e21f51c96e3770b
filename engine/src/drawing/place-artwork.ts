import { EXTENDS_EDGE, EXTENDS_WRAPPED } from '../../kernels/assembly/frame/constants.ts'
import type { DecodedArtwork } from '../codec.ts'
import { isSameMap } from '../geometry/affine-map.ts'
import { buildArtworkMap, centredCover, type Placement } from '../geometry/artwork-placement.ts'
import { type RgbColor, readHexColor } from '../hex-color.ts'
import { linearFromByte } from '../lighting/light-tables.ts'
import { buildArtworkCut } from '../sampling/artwork-cut.ts'
import { repeatExtensions } from '../sampling/extend-texture.ts'
import { fillScales } from '../sampling/fill-scales.ts'
import { followRim } from '../sampling/frame-rim.ts'
import type { PlacedArtwork } from '../sampling/placed-artwork.ts'
import { type ReduceTaps, reduceByTaps } from '../sampling/reduce-by-taps.ts'
import { reduceTile } from '../sampling/reduce-tile.ts'
import { type ArtworkMap, findChunkBounds, type SamplingPlan } from '../sampling/sampling-plan.ts'
import type { PreparedFrame } from './prepared-frame.ts'

/**
 * Filters reach two texels beyond the visible part of the artwork, and pixels on the frame's rim one more. A
 * multiple of 4, so that mip levels mostly average the same texels.
 */
const SHOWN_MARGIN_PX = 4

/** A frame ready to draw with its artwork; its map and surface may depend on the placement. */
export type FrameWithArtwork = { readonly frame: PreparedFrame; readonly placed: PlacedArtwork }

/** Combines a frame, decoded artwork and a placement. `reduce`: for repeated artwork. */
export function placeArtwork(
  frame: PreparedFrame,
  artwork: DecodedArtwork,
  placement: Placement,
  reduce: ReduceTaps = reduceByTaps,
): FrameWithArtwork {
  const size = [artwork.sourceWidthPx, artwork.sourceHeightPx, frame.aspectRatio] as const
  const toArtwork = buildArtworkMap(placement, ...size)
  const startU = findStartU(frame.plan.map, placement)
  const centred = startAt(frame.plan, startU)
  // The default placement must give the same pixels as no placement.
  const isPlaced = placement.repeat !== 'none' || !isSameMap(toArtwork, buildArtworkMap(centredCover, ...size))
  const own = isPlaced ? fillScales(centred) : centred
  const plan = isPlaced && frame.rim ? followRim(own, frame.rim, placement.repeat !== 'none') : own
  const color = placement.background === null ? null : readHexColor(placement.background)
  const { repeat } = placement
  const light = frame.light && color ? { ...frame.light, surface: toLinear(color) } : frame.light
  const common = { toArtwork, startU, repeat, background: frame.light ? null : color }
  const drawn = { ...frame, plan, light }
  if (repeat !== 'none') {
    const extension = repeatExtensions[repeat]
    const tile = reduceTile(artwork, toArtwork, plan, extension, reduce)
    const repeated = { artwork: tile, across: extension, down: extension, marginPx: 0, cut: null }
    return { frame: drawn, placed: { ...common, ...repeated } }
  }
  const cut = buildArtworkCut(own, toArtwork, startU)
  const isRound = cut === null && plan.map.kind === 'grid' && plan.map.wrapsU
  // If an axis of the artwork goes all the way round, its end continues at its start.
  const across = isRound && toArtwork.xPerV === 0 ? EXTENDS_WRAPPED : EXTENDS_EDGE
  const down = isRound && toArtwork.yPerV === 0 ? EXTENDS_WRAPPED : EXTENDS_EDGE
  const marginPx = hasMargin(placement) && !isRound ? SHOWN_MARGIN_PX : 0
  return { frame: drawn, placed: { ...common, artwork, across, down, marginPx, cut } }
}

/**
 * Whether filters read texels beyond the visible part of the artwork. Not if it is only fitted, flipped or
 * turned by quarters: its pixels must be the same as without a placement.
 */
export function hasMargin({ repeat, scale, rotation, x, y }: Placement): boolean {
  return repeat === 'none' && (scale !== 1 || rotation % 90 !== 0 || x !== 0.5 || y !== 0.5)
}

/** Around a mug, artwork is shown once: up to half-way round on either side of its centre. */
export function findStartU(map: ArtworkMap, { x }: Placement): number {
  return map.kind === 'grid' && map.wrapsU ? x - 0.5 : 0
}

/** The plan with u starting at `startU`. */
function startAt(plan: SamplingPlan, startU: number): SamplingPlan {
  const { map } = plan
  if (map.kind !== 'grid' || startU === 0) return plan
  const started = { ...map, u: map.u.map(u => u - Math.floor(u - startU)) }
  return { ...plan, map: started, chunkBounds: findChunkBounds(started, plan) }
}

function toLinear({ red, green, blue }: RgbColor): readonly [number, number, number] {
  return [linearFromByte[red] ?? 0, linearFromByte[green] ?? 0, linearFromByte[blue] ?? 0]
}
