/** Where artwork on cloth ends, and its grid. */
import { Button } from '../../components/controls.tsx'
import { type ChangePhoto, type PhotoFrame, withShape } from './photo-draft.ts'

type ClothShape = Extract<PhotoFrame['shape'], { kind: 'cloth' }>
type ClothFieldsProps = {
  id: string
  shape: ClothShape
  /** Whether a product was brushed over, whose outline is known. */
  hasProduct: boolean
  onChange: ChangePhoto
}

export function ClothFields({ id, shape: { inset, pins }, hasProduct, onChange }: ClothFieldsProps) {
  const change = (part: Partial<ClothShape>, gesture: string) =>
    onChange(before => withShape(before, id, 'cloth', one => ({ ...one, ...part })), gesture)
  return (
    <>
      {hasProduct ? (
        <label className="check">
          <input
            type="checkbox"
            checked={inset !== null}
            onChange={event => change({ inset: event.currentTarget.checked ? 0 : null }, `${id}:inset on`)}
          />
          End at the outline of the product
        </label>
      ) : (
        <p className="field-help">
          Artwork that ends before the seam of a cushion: brush over the cushion under Colours first.
        </p>
      )}
      {pins.length > 0 && (
        <div>
          <Button className="button-small" onClick={() => change({ pins: [] }, crypto.randomUUID())}>
            Flatten the grid
          </Button>
        </div>
      )}
    </>
  )
}
