import type { AffineMap } from './affine-map.ts'
import type { Bounds } from './rect.ts'

/** Size before `scale`: fills the frame and is cropped, lies wholly inside it, takes its shape. */
export type Fit = 'cover' | 'contain' | 'stretch'
export type Flip = 'none' | 'horizontal' | 'vertical' | 'both'
export type Repeat = 'none' | 'tile' | 'mirror'

/** Where artwork lies in its frame, as a request says it (docs/reference/interface.md). */
export type Placement = {
  readonly fit: Fit
  /** with `cover`, in fractions of the artwork: stays as near the frame's middle as the frame is filled */
  readonly focus: readonly [x: number, y: number]
  readonly scale: number
  /** degrees, clockwise, about the artwork's centre */
  readonly rotation: number
  /** where the artwork's centre lies, in fractions of the frame */
  readonly x: number
  readonly y: number
  /** before the rotation */
  readonly flip: Flip
  readonly repeat: Repeat
  /** #rrggbb, where artwork is clear or ends; null: the scene (blended) or the surface (lit) shows */
  readonly background: string | null
}

/** Placements of a mockup's artworks; a frame that `byFrame` names takes nothing of `all`. */
export type Placements = {
  readonly all?: Placement | undefined
  readonly byFrame?: ReadonlyMap<number, Placement> | undefined
}

/** Fills the frame and crops evenly: the placement of a request that says nothing. */
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

/** A position that misses a whole pixel by less than this is on it. */
export const ROUNDING_PX = 1e-6

/** A part of an artwork in fractions of its width and height. */
export type ArtworkPart = Bounds

/** The frame's extent along an axis over the artwork's, before scale; 1 = the same. */
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

/** Quarter turns are exact, so that artwork turned by them is the same byte for byte. */
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
 * Takes the frame's (u, v) to the artwork's (x, y), each 0..1 from left (top) to right (bottom). Never
 * rounded to pixels (docs/decisions/sampling-and-light.md).
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
  // The frame measures its aspect ratio by 1; `across` and `down` are frames per artwork, along each axis.
  const xPerU = signX * cos * across
  const xPerV = (signX * sin * across) / frameAspectRatio
  const yPerU = -signY * sin * down * frameAspectRatio
  const yPerV = signY * cos * down
  const [focusX, focusY] = fit === 'cover' ? focus : [0.5, 0.5]
  const centreX = keepFilled(focusX, Math.abs(xPerU) + Math.abs(xPerV))
  const centreY = keepFilled(focusY, Math.abs(yPerU) + Math.abs(yPerV))
  return { xPerU, xPerV, x0: centreX - xPerU * x - xPerV * y, yPerU, yPerV, y0: centreY - yPerU * x - yPerV * y }
}

/** The centre nearest to `focus` around which `extent` lies within 0..1; the middle where it is larger. */
function keepFilled(focus: number, extent: number): number {
  return extent >= 1 ? 0.5 : Math.max(extent / 2, Math.min(1 - extent / 2, focus))
}

/** The smallest part that holds both. */
export function uniteParts(a: ArtworkPart, b: ArtworkPart): ArtworkPart {
  const left = Math.min(a.left, b.left)
  const top = Math.min(a.top, b.top)
  const right = Math.max(a.left + a.width, b.left + b.width)
  const bottom = Math.max(a.top + a.height, b.top + b.height)
  return { left, top, width: right - left, height: bottom - top }
}

/** A position beyond an edge by less than this share of the artwork is on it. */
const ROUNDING = 1e-9

/** What of a part lies on the artwork; null where nothing does. The part itself where all of it does. */
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
