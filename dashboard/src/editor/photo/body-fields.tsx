/** The measures of a round product, and where the artwork is on it. */
import { type KnownProductId, knownProductIds, knownProducts } from '@vitrine/photo'
import { Button, Select } from '../../components/controls.tsx'
import { type ChangePhoto, type PhotoFrame, type PrintArea, withFrame, withShape } from './photo-draft.ts'
import type { FrameLines } from './photo-messages.ts'
import { bodyPointsAt, printOf } from './start-frames.ts'

type BodyShape = Extract<PhotoFrame['shape'], { kind: 'body' }>
type BodyFieldsProps = {
  id: string
  shape: BodyShape
  lines: FrameLines | undefined
  onChange: ChangePhoto
}

const UNKNOWN = 'unknown'

export function BodyFields({ id, shape, lines, onChange }: BodyFieldsProps) {
  const { measures, print, snap } = shape
  const change = (part: Partial<BodyShape>, gesture: string) =>
    onChange(before => withShape(before, id, 'body', one => ({ ...one, ...part })), `${id}:${gesture}`)
  return (
    <>
      <Select
        label="Product"
        value={measures ?? UNKNOWN}
        onChange={event => {
          const product = knownProductIds.find(known => known === event.currentTarget.value) ?? null
          change(
            { measures: product, ...(product !== null && print !== null ? { print: printOf(product) } : {}) },
            'product',
          )
        }}
        options={[
          ...knownProductIds.map(known => ({ value: known, label: knownProducts[known].name })),
          { value: UNKNOWN, label: 'Another one' },
        ]}
      />
      {measures === null && print !== null && (
        <p className="field-help">Without its measures the shape may be a little off: judge it with the grid.</p>
      )}
      <label className="check">
        <input
          type="checkbox"
          checked={snap}
          onChange={event => change({ snap: event.currentTarget.checked }, 'snap')}
        />
        Move the sides to the edges of the product
      </label>
      {lines !== undefined && lines.body.length > 0 && (
        <div className="stack-small">
          <p className="field-help">
            {print === null
              ? 'The points are on the artwork: its corners, and the middles of its top and bottom edge.'
              : 'The points are on the product: where its sides meet the rims, and the fronts of both rims.'}
          </p>
          <div>
            <Button
              className="button-small"
              onClick={() =>
                onChange(before => withFrame(before, id, frame => otherPoints(frame, lines)), crypto.randomUUID())
              }
            >
              {print === null ? 'Set points on the product' : 'Set points on a label or print'}
            </Button>
          </div>
        </div>
      )}
    </>
  )
}

/** The same body by points on its artwork, or on its outline. */
function otherPoints(frame: PhotoFrame, { body, grid }: FrameLines): PhotoFrame {
  const { shape } = frame
  if (shape.kind !== 'body') return frame
  const [top = [], bottom = [], left = [], right = []] = body
  const [first = [], last = []] = [grid[0], grid.at(-1)]
  const middle = Math.floor(first.length / 2)
  const from = shape.print === null ? outlinePoints(top, bottom, left, right) : artworkPoints(first, last, middle)
  if (from === null) return frame
  if (shape.print === null) {
    const measures = shape.measures ?? 'mug-11oz'
    return { ...frame, aspectRatio: null, shape: { ...shape, points: from, measures, print: printOf(measures) } }
  }
  return {
    ...frame,
    aspectRatio: ratioOfPrint(shape.print, shape.measures),
    shape: { ...shape, points: from, measures: null, print: null },
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

function artworkPoints(first: Line, last: Line, middle: number): BodyShape['points'] | null {
  const at = [first[0], first.at(-1), last.at(-1), last[0], first[middle], last[middle]]
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
