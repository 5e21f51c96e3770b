/** The measures of a round product, and where the artwork is on it. */
import { knownProductIds, knownProducts } from '@vitrine/photo'
import { announce } from '../../components/announcer.tsx'
import { Button, Select } from '../../components/controls.tsx'
import { type BodyShape, otherPoints } from './other-points.ts'
import { type ChangePhoto, withFrame, withShape } from './photo-draft.ts'
import type { FrameLines } from './photo-messages.ts'
import { printOf } from './start-frames.ts'

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
              onClick={() => {
                const other = otherPoints(shape, lines)
                if (other === null) announce('Turn the artwork to the front first.')
                else onChange(before => withFrame(before, id, frame => ({ ...frame, ...other })), crypto.randomUUID())
              }}
            >
              {print === null ? 'Set points on the product' : 'Set points on a label or print'}
            </Button>
          </div>
        </div>
      )}
    </>
  )
}
