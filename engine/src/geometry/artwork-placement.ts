import type { AffineMap } from './affine-map.ts'
import type { Bounds } from './rect.ts'

/** Size before `scale`: fills the frame and is cropped, fits inside it, or is stretched to it. */
export type Fit = 'cover' | 'contain' | 'stretch'
export type Flip = 'none' | 'horizontal' | 'vertical' | 'both'
export type Repeat = 'none' | 'tile' | 'mirror'

/** The placement of artwork in its frame, as in a request (docs/reference/interface.md). */
export type Placement = {
  readonly fit: Fit
  /** with `cover`, in fractions of the artwork: stays as close to the frame's middle as filling it allows */
  readonly focus: readonly [x: number, y: number]
  readonly scale: number
  /** degrees clockwise around the artwork's centre */
  readonly rotation: number
  /** position of the artwork's centre, in fractions of the frame */
  readonly x: number
  readonly y: number
  /** applied before the rotation */
  readonly flip: Flip
  readonly repeat: Repeat
  /** #rrggbb, behind transparent parts and beyond the artwork; null: the scene, or a lit frame's surface */
  readonly background: string | null
}

/** Placements of a mockup's artworks; frames in `byFrame` ignore `all`. */
export type Placements = {
  readonly all?: Placement | undefined
  readonly byFrame?: ReadonlyMap<number, Placement> | undefined
}

/** Fills the frame and crops evenly: the default of requests. */
export const centredCover: Placement = {
  fit: 'cover',
  focus: [0.5, 0.5],
  scale: 1,
  rotation: 0,
  x: 0.5,
  y: 0.5,
  flip: 'none',
  repeat: 'none',
  background: null,
}

export function findPlacement({ all, byFrame }: Placements, frame: number): Placement {
  return byFrame?.get(frame) ?? all ?? centredCover
}

/** A position within this distance of a whole pixel is on it. */
export const ROUNDING_PX = 1e-6

/** A part of an artwork in fractions of its width and height. */
export type ArtworkPart = Bounds

/** The frame's extent along an axis divided by the artwork's, before scale; 1 = the same. */
const fitShares = {
  cover: (frame, artwork) => Math.min(1, frame / artwork),
  contain: (frame, artwork) => Math.max(1, frame / artwork),
  stretch: () => 1,
} satisfies Record<Fit, (frameRatio: number, artworkRatio: number) => number>

const flipSigns = {
  none: [1, 1],
  horizontal: [-1, 1],
  vertical: [1, -1],
  both: [-1, -1],
} as const satisfies Record<Flip, readonly [number, number]>

/** Quarter turns are exact, so that artwork turned by them is identical byte for byte. */
const quarterTurns = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const

function turn(degrees: number): readonly [cos: number, sin: number] {
  const quarters = degrees / 90
  const exact = Number.isInteger(quarters) ? quarterTurns[((quarters % 4) + 4) % 4] : undefined
  const radians = (degrees * Math.PI) / 180
  return exact ?? [Math.cos(radians), Math.sin(radians)]
}

/**
 * Maps the frame's (u, v) to the artwork's (x, y), each 0..1 from left (top) to right (bottom). Never rounded
 * to pixels (docs/decisions/sampling-and-light.md).
 */
export function buildArtworkMap(
  { fit, focus, scale, rotation, x, y, flip }: Placement,
  sourceWidthPx: number,
  sourceHeightPx: number,
  frameAspectRatio: number,
): AffineMap {
  const sourceRatio = sourceWidthPx / sourceHeightPx
  const across = fitShares[fit](frameAspectRatio, sourceRatio) / scale
  const down = fitShares[fit](sourceRatio, frameAspectRatio) / scale
  const [signX, signY] = flipSigns[flip]
  const [cos, sin] = turn(rotation)
  // Lengths are relative to the frame's height; `across` and `down` are frames per artwork, along each axis.
  const xPerU = signX * cos * across
  const xPerV = (signX * sin * across) / frameAspectRatio
  const yPerU = -signY * sin * down * frameAspectRatio
  const yPerV = signY * cos * down
  const [focusX, focusY] = fit === 'cover' ? focus : [0.5, 0.5]
  const centreX = keepFilled(focusX, Math.abs(xPerU) + Math.abs(xPerV))
  const centreY = keepFilled(focusY, Math.abs(yPerU) + Math.abs(yPerV))
  return { xPerU, xPerV, x0: centreX - xPerU * x - xPerV * y, yPerU, yPerV, y0: centreY - yPerU * x - yPerV * y }
}

/** The centre closest to `focus` around which `extent` lies within 0..1; the middle if it is larger. */
function keepFilled(focus: number, extent: number): number {
  return extent >= 1 ? 0.5 : Math.max(extent / 2, Math.min(1 - extent / 2, focus))
}

/** The bounding box of both. */
export function uniteParts(a: ArtworkPart, b: ArtworkPart): ArtworkPart {
  const left = Math.min(a.left, b.left)
  const top = Math.min(a.top, b.top)
  const right = Math.max(a.left + a.width, b.left + b.width)
  const bottom = Math.max(a.top + a.height, b.top + b.height)
  return { left, top, width: right - left, height: bottom - top }
}

/** A position beyond an edge by less than this share of the artwork is on it. */
const ROUNDING = 1e-9

/** The part clipped to the artwork; null if nothing remains, the same object if nothing is cut. */
export function clipToArtwork(part: ArtworkPart): ArtworkPart | null {
  const right = part.left + part.width
  const bottom = part.top + part.height
  if (part.left >= -ROUNDING && part.top >= -ROUNDING && right <= 1 + ROUNDING && bottom <= 1 + ROUNDING) return part
  const left = Math.max(0, part.left)
  const top = Math.max(0, part.top)
  const width = Math.min(1, right) - left
  const height = Math.min(1, bottom) - top
  return width > ROUNDING && height > ROUNDING ? { left, top, width, height } : null
}
