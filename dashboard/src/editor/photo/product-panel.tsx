/** The product that is brushed over: its colours for customers, and how far from its edge artwork ends. */
import { ColorSwatches } from '../../coloring/color-swatches.tsx'
import type { ProductColors, SwatchArea } from '../../coloring/product-colors.ts'
import { Button, Field } from '../../components/controls.tsx'
import { type DraftFault, errorAt } from '../faults-of-draft.ts'
import { SuggestionsField } from '../suggestions-field.tsx'
import { type BrushTarget, withoutProduct } from './brush.ts'
import type { ChangePhoto, PhotoDraft, PhotoProduct } from './photo-draft.ts'

type ProductPanelProps = {
  draft: PhotoDraft
  faults: readonly DraftFault[]
  /** Null: no colours can be chosen, or they are not known yet. */
  area: SwatchArea | null
  colors: ProductColors
  isBrushing: boolean
  onColors: (colors: ProductColors) => void
  onChange: ChangePhoto
  /** null: ends. */
  onBrush: (target: BrushTarget | null) => void
}

export function ProductPanel(props: ProductPanelProps) {
  const { draft, isBrushing, onChange, onBrush } = props
  const { product } = draft
  return (
    <section className="panel stack-form" aria-labelledby="colors">
      <h2 id="colors">Colours</h2>
      <p className="field-help">
        {product === null
          ? 'Brush over the whole product, and it is shown in any colour that a customer chooses. A thick brush is enough: the edge is found by itself.'
          : 'Take away labels, cords, eyelets and buttons that have a colour of their own.'}
      </p>
      <div className="row">
        {isBrushing ? (
          <Button className="button-small" look="primary" onClick={() => onBrush(null)}>
            Done brushing
          </Button>
        ) : (
          <Button
            className="button-small"
            look={product === null ? 'primary' : 'quiet'}
            onClick={() => onBrush('product')}
          >
            {product === null ? 'Brush over the product' : 'Brush again'}
          </Button>
        )}
        {product !== null && (
          <Button
            look="danger"
            className="button-small"
            onClick={() => {
              if (isBrushing) onBrush(null)
              onChange(withoutProduct, crypto.randomUUID())
            }}
          >
            Remove the colours
          </Button>
        )}
      </div>
      {product !== null && <ProductFields {...props} product={product} />}
    </section>
  )
}

function ProductFields(props: ProductPanelProps & { product: PhotoProduct }) {
  const { product, faults, area, colors, onColors, onChange } = props
  const change = (part: Partial<PhotoProduct>, gesture: string) =>
    onChange(before => ({ ...before, product: before.product && { ...before.product, ...part } }), `product:${gesture}`)
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          checked={product.dyes}
          onChange={event => change({ dyes: event.currentTarget.checked }, 'dyes')}
        />
        Customers choose its colour
      </label>
      {product.dyes && (
        <>
          {area !== null && <ColorSwatches areas={[area]} colors={colors} onChange={onColors} />}
          <p className="field-help">
            To look at, here and in the exact preview. What the photo shows is the colour of the product under the frame
            on it: name that one there, where the product is not white.
          </p>
          <Field
            label="Name in requests"
            value={product.name}
            error={errorAt(faults, 'area 0')}
            maxLength={32}
            onChange={event => change({ name: event.currentTarget.value.toLowerCase() }, 'name')}
          />
          <SuggestionsField
            suggestions={product.suggestions}
            onChange={suggestions => change({ suggestions }, 'suggestions')}
          />
        </>
      )}
    </>
  )
}
