/** A brush over parts of the photo: what it marks, how thick it is, and what its strokes become. */
import { MAX_STROKES, type Stroke } from '@vitrine/photo'
import type { Point } from '../draft.ts'
import { type PhotoDraft, type PhotoProduct, type ProductKind, withFrame } from './photo-draft.ts'
import { kindOfFrame } from './start-frames.ts'
import { suggestedColors } from './suggested-colors.ts'

/** What is brushed over: the product, or what is in front of a frame, by the frame's id. */
export type BrushTarget = 'product' | { readonly frameId: string }

export type Brush = {
  readonly target: BrushTarget
  readonly radiusPx: number
  readonly erases: boolean
}

/** A stroke that has not ended. */
export type OpenStroke = { readonly points: readonly Point[]; readonly erases: boolean }

/** Of the photo's longer side: from fine enough for an eyelet to a shirt in a few strokes. */
const radiusShares = { least: 0.002, first: 0.028, most: 0.12 } as const
/** The factor by which keys make it larger or smaller. */
const RADIUS_STEP = 1.25

type Size = Pick<PhotoDraft, 'widthPx' | 'heightPx'>

export const newBrush = (target: BrushTarget, { widthPx, heightPx }: Size): Brush => ({
  target,
  radiusPx: radiusShares.first * Math.max(widthPx, heightPx),
  erases: false,
})

export function radiusRange({ widthPx, heightPx }: Size): { readonly from: number; readonly to: number } {
  const side = Math.max(widthPx, heightPx)
  return { from: Math.max(0.5, radiusShares.least * side), to: radiusShares.most * side }
}

/** The brush with another radius, within the range of drawings. */
export function withRadius(brush: Brush, radiusPx: number, size: Size): Brush {
  const { from, to } = radiusRange(size)
  return { ...brush, radiusPx: Math.min(to, Math.max(from, radiusPx)) }
}

export const steppedRadius = (brush: Brush, direction: 1 | -1, size: Size): Brush =>
  withRadius(brush, brush.radiusPx * RADIUS_STEP ** direction, size)

export const nameOfTarget = (target: BrushTarget): string => (target === 'product' ? target : target.frameId)

export const isSameTarget = (one: BrushTarget, other: BrushTarget): boolean => nameOfTarget(one) === nameOfTarget(other)

/** Null if the brushed object is gone: an undo may remove a frame. */
export function strokesOf({ product, frames }: PhotoDraft, target: BrushTarget): readonly Stroke[] | null {
  if (target === 'product') return product?.strokes ?? []
  return frames.find(({ id }) => id === target.frameId)?.front ?? null
}

/** Whether a drawing may have one more stroke. */
export const mayBrush = (strokes: readonly Stroke[]): boolean => strokes.length < MAX_STROKES

export function withStroke(draft: PhotoDraft, target: BrushTarget, stroke: Stroke): PhotoDraft {
  if (target === 'product') {
    const product = draft.product ?? newProduct(draft)
    return { ...draft, product: { ...product, strokes: [...product.strokes, stroke] } }
  }
  return withFrame(draft, target.frameId, frame => ({ ...frame, front: [...frame.front, stroke] }))
}

/** A product's name in requests, and its usual colours, by its first frame. */
function newProduct({ frames }: PhotoDraft): PhotoProduct {
  const first = frames[0]
  return {
    name: first === undefined ? 'product' : partNames[kindOfFrame(first)],
    color: null,
    strokes: [],
    dyes: true,
    suggestions: suggestedColors(first?.surface ?? 'fabric'),
  }
}

const partNames: Readonly<Record<ProductKind, string>> = {
  flat: 'product',
  body: 'mug',
  shirt: 'shirt',
  cushion: 'cover',
  warp: 'product',
}

/** Without the product, it is unknown where a print with an inset ends. */
export const withoutProduct = (draft: PhotoDraft): PhotoDraft => ({
  ...draft,
  product: null,
  frames: draft.frames.map(frame =>
    frame.shape.kind === 'cloth' ? { ...frame, shape: { ...frame.shape, inset: null } } : frame,
  ),
})

/** A pointer reports more places than a drawing needs: this share of the radius apart. */
const SPACING_SHARE = 0.2

/** A line with one more place, if it is far enough from the last one. */
export function withPlace(line: readonly Point[], place: Point, radiusPx: number): readonly Point[] {
  const last = line.at(-1)
  const isFar =
    last === undefined || Math.hypot(place[0] - last[0], place[1] - last[1]) >= Math.max(0.5, SPACING_SHARE * radiusPx)
  return isFar ? [...line, place] : line
}
