/** The two ways to set the points of a round product: on its outline, or on its artwork. */
import { type KnownProductId, knownProducts } from '@vitrine/photo'
import type { PhotoFrame, PrintArea } from './photo-draft.ts'
import type { FrameLines } from './photo-messages.ts'
import { bodyPointsAt, printOf } from './start-frames.ts'

/** To each side: the camera sees some 80, and little of the last ones. */
const SEEN_DEGREES = 75

export type BodyShape = Extract<PhotoFrame['shape'], { kind: 'body' }>

/** The same body by points on its artwork, or on its outline; null: too little artwork faces the camera. */
export function otherPoints(
  shape: BodyShape,
  { body, grid }: Pick<FrameLines, 'body' | 'grid'>,
): { readonly shape: BodyShape; readonly aspectRatio: number | null } | null {
  const [top = [], bottom = [], left = [], right = []] = body
  if (shape.print === null) {
    const points = outlinePoints(top, bottom, left, right)
    const measures = shape.measures ?? 'mug-11oz'
    return points && { aspectRatio: null, shape: { ...shape, points, measures, print: printOf(measures) } }
  }
  const [first = [], last = []] = [grid[0], grid.at(-1)]
  const { print, measures } = shape
  const angleAt = (column: number): number =>
    print.left + ((print.right - print.left) * column) / Math.max(1, first.length - 1)
  const seen = [...first.keys()].filter(column => Math.abs(angleAt(column)) <= SEEN_DEGREES)
  const [from, middle, to] = [seen[0] ?? 0, seen[seen.length >> 1] ?? 0, seen.at(-1) ?? 0]
  const points = artworkPoints(first, last, [from, middle, to])
  if (points === null || seen.length < 3) return null
  return {
    aspectRatio: ratioOfPrint({ ...print, left: angleAt(from), right: angleAt(to) }, measures),
    shape: { ...shape, points, measures: null, print: null },
  }
}

type Line = FrameLines['body'][number]

function outlinePoints(top: Line, bottom: Line, left: Line, right: Line): BodyShape['points'] | null {
  const at = [
    left[0],
    right[0],
    right.at(-1),
    left.at(-1),
    top[Math.floor(top.length / 2)],
    bottom[Math.floor(bottom.length / 2)],
  ]
  const points = bodyPointsAt(at.filter(point => point !== undefined))
  return points.length === at.length ? points : null
}

type Columns = readonly [from: number, middle: number, to: number]

function artworkPoints(top: Line, bottom: Line, [from, middle, to]: Columns): BodyShape['points'] | null {
  const at = [top[from], top[to], bottom[to], bottom[from], top[middle], bottom[middle]]
  return placed(at, [[{ u: 0, v: 0 }], [{ u: 1, v: 0 }], [{ u: 1, v: 1 }], [{ u: 0, v: 1 }], [{ v: 0 }], [{ v: 1 }]])
}

function placed(
  at: readonly (Line[number] | undefined)[],
  on: readonly BodyShape['points'][number]['on'][],
): BodyShape['points'] | null {
  const points = on.flatMap((places, index) => {
    const point = at[index]
    return point === undefined ? [] : [{ at: point, on: places }]
  })
  return points.length === on.length ? points : null
}

/** For an unknown product: as wide as high. */
function ratioOfPrint({ left, right, top, bottom }: PrintArea, measures: KnownProductId | null): number {
  const { diameter, height } = measures === null ? { diameter: 1, height: 1 } : knownProducts[measures]
  return ((((right - left) * Math.PI) / 180) * (diameter / 2)) / ((bottom - top) * height)
}
