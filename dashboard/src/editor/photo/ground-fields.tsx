/** The surface under the artwork: how it reflects, and its colour. */
import { useId } from 'react'
import { Select } from '../../components/controls.tsx'
import type { PhotoFrame } from './photo-draft.ts'

const surfaceOptions = [
  { value: 'paper', label: 'Paper, canvas, wood' },
  { value: 'fabric', label: 'Fabric' },
  { value: 'ceramic', label: 'Ceramic, metal, glossy plastic' },
  { value: 'glass', label: 'Paper behind glass' },
] as const

/** What cannot be known for certain from a photo of such a surface. */
const limitsOf = {
  paper: 'Not for foil and film that mirrors: what one sees in it is no light on a surface.',
  fabric: 'Not for satin and sequins. Hard folds stay straight in the artwork, and so do patterns of the cloth.',
  ceramic: 'Not for clear glass and polished metal: what one sees in them is no light on a surface.',
  glass: 'For paper behind glass. What the glass mirrors sharply, such as a window, is only partly found.',
} as const

type GroundFieldsProps = {
  frame: PhotoFrame
  onGround: (part: Partial<PhotoFrame>, gesture: string) => void
}

const WHITE = '#ffffff'
/** Black shirts are rarely entirely black. */
const DARK_CLOTH = '#37373b'

export function GroundFields({ frame: { color, surface }, onGround }: GroundFieldsProps) {
  const id = useId()
  const choice = color === null ? 'auto' : color === WHITE ? 'white' : 'named'
  return (
    <>
      <Select
        label="Printed on"
        value={surface}
        onChange={event => {
          const chosen = surfaceOptions.find(({ value }) => value === event.currentTarget.value)
          if (chosen !== undefined) onGround({ surface: chosen.value, sheen: null }, 'surface')
        }}
        options={surfaceOptions}
      />
      <p className="field-help">{limitsOf[surface]}</p>
      <Select
        label="Colour of the product"
        value={choice}
        onChange={event => {
          const { value } = event.currentTarget
          const named = surface === 'fabric' ? DARK_CLOTH : '#808080'
          onGround({ color: value === 'auto' ? null : value === 'white' ? WHITE : named }, 'ground')
        }}
        options={[
          { value: 'white', label: 'White' },
          { value: 'named', label: 'A colour that I name' },
          { value: 'auto', label: 'As the photo tells' },
        ]}
      />
      {choice === 'named' && (
        <div className="swatch-other">
          <input
            id={id}
            type="color"
            value={color ?? WHITE}
            onChange={event => onGround({ color: event.currentTarget.value }, 'color')}
          />
          <label htmlFor={id}>
            Its colour in plain daylight <code>{color}</code>
          </label>
        </div>
      )}
    </>
  )
}
