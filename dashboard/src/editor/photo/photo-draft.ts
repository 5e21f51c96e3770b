/** A template that is made from a photo: its drawing and its name. */
import { type KnownProductId, type Stroke, type SurfaceName, warpOfCorners } from '@vitrine/photo'
import type { Swatch } from '../../coloring/product-colors.ts'
import type { Point } from '../draft.ts'
import { type Quad, ratioOfQuad } from '../quad.ts'

/** The product, as chosen by the user. */
export const productKinds = ['flat', 'body', 'shirt', 'cushion', 'warp'] as const
export type ProductKind = (typeof productKinds)[number]

/** A point on a cylinder or cone: on its outline and rims, or on the artwork. */
type MarkPlace = { readonly u?: number; readonly v?: number; readonly side?: 'left' | 'right' }

/** One handle; where a side meets a rim it is on both. */
export type BodyPoint = { readonly at: Point; readonly on: readonly MarkPlace[] }

export type Pin = { readonly at: Point; readonly u: number; readonly v: number }

/** Where the artwork is on a body: degrees around it, and shares of its height. */
export type PrintArea = {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

type FrameShape =
  | { readonly kind: 'flat'; readonly corners: Quad }
  | {
      readonly kind: 'cloth'
      readonly corners: Quad
      readonly pins: readonly Pin[]
      readonly bulge: number
      readonly inset: number | null
    }
  | {
      readonly kind: 'body'
      readonly points: readonly BodyPoint[]
      readonly measures: KnownProductId | null
      readonly print: PrintArea | null
      readonly snap: boolean
    }
  /** 4 x 4 points, row by row. */
  | { readonly kind: 'warp'; readonly mesh: readonly Point[] }

export type PhotoFrame = {
  readonly id: string
  readonly shape: FrameShape
  /** Width / height of the artwork; null: from the corners, or from the measures of the product. */
  readonly aspectRatio: number | null
  readonly surface: SurfaceName
  /** #rrggbb: the colour of the product under the print; null: as found in the photo. */
  readonly color: string | null
  readonly sheen: number | null
  readonly gloss: number
  readonly brightness: number
  readonly cleans: boolean
  readonly front: readonly Stroke[]
}

export type PhotoProduct = {
  readonly name: string
  /** #rrggbb; null: that of the first frame. */
  readonly color: string | null
  readonly strokes: readonly Stroke[]
  readonly dyes: boolean
  readonly suggestions: readonly Swatch[]
}

/** Artworks for previews. */
export type SampleArtwork = Blob | 'sample' | 'grid'

export type PhotoDraft = {
  /** Distinguishes it from a draft whose frames are set by hand. */
  readonly from: 'photo'
  /** The id of its template, and whether saving makes it: see `Draft`. */
  readonly id: string
  readonly isNew: boolean
  /** A file that the engine's codec decodes to exactly the pixels from which the template is made. */
  readonly photo: Blob
  readonly widthPx: number
  readonly heightPx: number
  readonly name: string
  readonly category: string
  readonly lens: number
  readonly tone: 'auto' | 'srgb' | 'shoulder0.7'
  readonly frames: readonly PhotoFrame[]
  readonly product: PhotoProduct | null
  readonly sample: SampleArtwork
  /** For every account (operators). */
  readonly shared: boolean
  /** Fields of the template's description that are not made from the photo, such as its tags. */
  readonly kept: Readonly<Record<string, unknown>>
}

export type ChangePhoto = (change: (draft: PhotoDraft) => PhotoDraft, gesture: string) => void

/** The draft with one of its frames changed. */
export const withFrame = (
  draft: PhotoDraft,
  frameId: string,
  change: (frame: PhotoFrame) => PhotoFrame,
): PhotoDraft => ({ ...draft, frames: draft.frames.map(frame => (frame.id === frameId ? change(frame) : frame)) })

/** The same with its shape changed, if it is of this kind. */
export const withShape = <Kind extends FrameShape['kind']>(
  draft: PhotoDraft,
  frameId: string,
  kind: Kind,
  change: (shape: Extract<FrameShape, { kind: Kind }>) => FrameShape,
): PhotoDraft =>
  withFrame(draft, frameId, frame => {
    const { shape } = frame
    return isOfKind(shape, kind) ? { ...frame, shape: change(shape) } : frame
  })

const isOfKind = <Kind extends FrameShape['kind']>(
  shape: FrameShape,
  kind: Kind,
): shape is Extract<FrameShape, { kind: Kind }> => shape.kind === kind

/** The four corners by which a frame is moved as a whole. */
export function outlineOf({ shape }: PhotoFrame): Quad {
  if (shape.kind === 'flat' || shape.kind === 'cloth') return shape.corners
  if (shape.kind === 'warp') return cornersOf(shape.mesh)
  const points = shape.points.map(({ at }) => at)
  return points.length === 6 || points.length === 4 ? quadAt(points, [0, 1, 2, 3]) : boundsOf(points)
}

/** Where the corners of a patch are among its points. */
const warpCorners = [0, 3, 15, 12] as const

const cornersOf = (mesh: readonly Point[]): Quad => quadAt(mesh, warpCorners)

export const isWarpCorner = (which: number): boolean => warpCorners.some(corner => corner === which)

/**
 * A patch with one of its points moved. The others follow a corner in the perspective of all four, and retain
 * the distance by which they were moved from where it had them.
 */
export function withWarpPoint(mesh: readonly Point[], which: number, to: Point): readonly Point[] {
  const moved = mesh.with(which, to)
  if (!isWarpCorner(which)) return moved
  const [before, after] = [warpOfCorners(cornersOf(mesh)), warpOfCorners(cornersOf(moved))]
  return moved.map(([x, y], i) => {
    const [from, at] = [before[i], after[i]]
    return isWarpCorner(i) || from === undefined || at === undefined
      ? [x, y]
      : [x + at[0] - from[0], y + at[1] - from[1]]
  })
}

function quadAt(points: readonly Point[], at: readonly [number, number, number, number]): Quad {
  const [a, b, c, d] = at.map(index => points[index])
  return a === undefined || b === undefined || c === undefined || d === undefined ? boundsOf(points) : [a, b, c, d]
}

function boundsOf(points: readonly Point[]): Quad {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ]
}

/** The frame with every point moved by the same distance. */
export function movedBy(frame: PhotoFrame, [dx, dy]: Point): PhotoFrame {
  const move = ([x, y]: Point): Point => [x + dx, y + dy]
  const moveAt = <Placed extends { readonly at: Point }>(placed: Placed): Placed => ({ ...placed, at: move(placed.at) })
  const { shape } = frame
  switch (shape.kind) {
    case 'body':
      return { ...frame, shape: { ...shape, points: shape.points.map(moveAt) } }
    case 'warp':
      return { ...frame, shape: { ...shape, mesh: shape.mesh.map(move) } }
    default: {
      const [a, b, c, d] = shape.corners
      const corners: Quad = [move(a), move(b), move(c), move(d)]
      if (shape.kind === 'flat') return { ...frame, shape: { ...shape, corners } }
      return { ...frame, shape: { ...shape, corners, pins: shape.pins.map(moveAt) } }
    }
  }
}

/** Width / height of a frame's artwork; null if it follows from the product's measures. */
export function aspectRatioOf(frame: PhotoFrame, { widthPx, heightPx }: Pick<PhotoDraft, 'widthPx' | 'heightPx'>) {
  if (frame.aspectRatio !== null || frame.shape.kind === 'body') return frame.aspectRatio
  return ratioOfQuad(outlineOf(frame), widthPx, heightPx)
}
