/** The frame that a photo begins with, by its product. */
import { knownProducts, warpOfCorners } from '@vitrine/photo'
import type { Point } from '../draft.ts'
import { type Quad, quadOfBox } from '../quad.ts'
import type { BodyPoint, PhotoDraft, PhotoFrame, PrintArea, ProductKind } from './photo-draft.ts'

type Size = { readonly widthPx: number; readonly heightPx: number }

/** The frames on a photo of a size. */
export type Framed = Pick<PhotoDraft, 'frames' | 'widthPx' | 'heightPx'>

/** How each kind begins: its position in shares of the photo's sides, and its surface. */
const starts = {
  flat: { box: [0.3, 0.22, 0.7, 0.78], surface: 'paper', category: 'Wall Art' },
  body: { box: [0.3, 0.25, 0.7, 0.75], surface: 'ceramic', category: 'Drinkware' },
  shirt: { box: [0.36, 0.32, 0.64, 0.7], surface: 'fabric', category: 'Apparel' },
  cushion: { box: [0.3, 0.25, 0.7, 0.75], surface: 'fabric', category: 'Home & Living' },
  warp: { box: [0.3, 0.25, 0.7, 0.75], surface: 'fabric', category: 'Accessories' },
} as const

const STANDARD_MUG = 'mug-11oz'

/** Of a cushion's width: a little, so that the middle of the artwork comes nearer. */
const CUSHION_BULGE = 0.1

export const categoryOf = (kind: ProductKind): string => starts[kind].category

/** `before`: the number of existing frames; each begins a little further down and right. */
export function startFrame(kind: ProductKind, size: Size, before = 0): PhotoFrame {
  const { box, surface } = starts[kind]
  const offset = (before % 6) * 0.04
  const [left, top, right, bottom] = box.map(share => share + offset)
  const at = (x = 0, y = 0): Point => [x * size.widthPx, y * size.heightPx]
  const corners = quadOfBox(at(left, top), at(right, bottom))
  return {
    id: crypto.randomUUID(),
    shape: shapeOf(kind, corners),
    aspectRatio: null,
    surface,
    color: '#ffffff',
    sheen: null,
    gloss: 1,
    brightness: 1,
    cleans: true,
    front: [],
  }
}

function shapeOf(kind: ProductKind, corners: Quad): PhotoFrame['shape'] {
  if (kind === 'flat') return { kind, corners }
  if (kind === 'warp') return { kind, mesh: warpOfCorners(corners) }
  if (kind === 'body')
    return {
      kind,
      points: bodyPoints(corners),
      measures: STANDARD_MUG,
      print: printOf(STANDARD_MUG),
      snap: true,
    }
  return { kind: 'cloth', corners, pins: [], bulge: kind === 'cushion' ? CUSHION_BULGE : 0, inset: null }
}

/** Of the height: how far the front of a rim is below its ends, if seen slightly from above. */
const RIM_DEPTH = 0.08

/** Where the sides of a body meet its rims, and the fronts of both rims. */
function bodyPoints([a, b, c, d]: Quad): BodyPoint[] {
  const front = ([ax, ay]: Point, [bx, by]: Point, deep: number): Point => [(ax + bx) / 2, (ay + by) / 2 + deep]
  const deep = RIM_DEPTH * Math.hypot(d[0] - a[0], d[1] - a[1])
  return bodyPointsAt([a, b, c, d, front(a, b, deep), front(d, c, deep)])
}

/** What the points of a body lie on: four corners of its outline, and the fronts of both rims. */
const bodyPlaces: readonly BodyPoint['on'][] = [
  [{ side: 'left' }, { v: 0 }],
  [{ side: 'right' }, { v: 0 }],
  [{ side: 'right' }, { v: 1 }],
  [{ side: 'left' }, { v: 1 }],
  [{ v: 0 }],
  [{ v: 1 }],
]

export const bodyPointsAt = (points: readonly Point[]): BodyPoint[] =>
  bodyPlaces.flatMap((on, index) => {
    const at = points[index]
    return at === undefined ? [] : [{ at, on }]
  })

/** What a frame began as. */
export function kindOfFrame({ shape }: PhotoFrame): ProductKind {
  if (shape.kind !== 'cloth') return shape.kind
  return shape.bulge === 0 ? 'shirt' : 'cushion'
}

/** Whether none of its points has been moved yet. */
export function isUntouched(frame: PhotoFrame, { frames, ...size }: Framed): boolean {
  const begun = startFrame(kindOfFrame(frame), size, frames.indexOf(frame))
  return JSON.stringify(begun.shape) === JSON.stringify(frame.shape)
}

/** The frame that is placed on the product once it is brushed over: one that has not been moved yet. */
export const frameToPropose = (draft: Framed): PhotoFrame | undefined =>
  draft.frames.find(frame => kindOfFrame(frame) !== 'flat' && isUntouched(frame, draft))

/** A body that is no known product. */
export function withoutMeasures(frame: PhotoFrame): PhotoFrame {
  return frame.shape.kind === 'body' ? { ...frame, shape: { ...frame.shape, measures: null } } : frame
}

/** The frame at proposed points: six of a body, otherwise four corners. */
export function atProposed(frame: PhotoFrame, points: readonly Point[]): PhotoFrame {
  const { shape } = frame
  if (shape.kind === 'body') {
    const measures = shape.measures ?? (shape.print === null ? STANDARD_MUG : null)
    const print = shape.print ?? printOf(measures ?? STANDARD_MUG)
    return { ...frame, aspectRatio: null, shape: { ...shape, points: bodyPointsAt(points), measures, print } }
  }
  const [a, b, c, d] = points
  if (a === undefined || b === undefined || c === undefined || d === undefined) return frame
  const corners: Quad = [a, b, c, d]
  switch (shape.kind) {
    case 'flat':
      return { ...frame, shape: { ...shape, corners } }
    case 'cloth':
      // The sides of a cushion curve inwards between its corners.
      return {
        ...frame,
        shape: {
          ...shape,
          corners,
          pins: [],
          inset: kindOfFrame(frame) === 'cushion' ? (shape.inset ?? 0) : shape.inset,
        },
      }
    default:
      return { ...frame, shape: { ...shape, mesh: warpOfCorners(corners) } }
  }
}

/** Whether a new draft is unchanged, with a flat frame that has not been moved. */
export const isBegunFlat = (draft: PhotoDraft): boolean =>
  draft.isNew &&
  draft.product === null &&
  draft.frames.every(frame => frame.shape.kind === 'flat' && isUntouched(frame, draft))

export const flatFrame = (corners: Quad, size: Size): PhotoFrame => ({
  ...startFrame('flat', size),
  shape: { kind: 'flat', corners },
})

/** With one more frame, which replaces the one that a new draft begins with if that is unchanged. */
export const withFlatFrame = (draft: PhotoDraft, frame: PhotoFrame): PhotoDraft => ({
  ...draft,
  frames: [...(isBegunFlat(draft) ? [] : draft.frames), frame],
})

/** Degrees to each side of the middle that are well visible. */
const SEEN_DEGREES = 65

/** The usual print of a product, cut to what faces the camera. */
export function printOf(product: keyof typeof knownProducts): PrintArea {
  const { diameter, height, printWidth, printHeight } = knownProducts[product]
  const half = Math.min(SEEN_DEGREES, Math.round((printWidth / diameter) * (180 / Math.PI)))
  const margin = Math.max(0, Math.round((100 * (height - printHeight)) / height / 2) / 100)
  return { left: -half, right: half, top: margin, bottom: 1 - margin }
}
