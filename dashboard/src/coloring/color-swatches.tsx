/** Colour choices for the areas of a product: named suggestions and a free choice. */
import './color-swatches.css'
import { useId } from 'react'
import { colorOf, type ProductColors, type SwatchArea, swatchesOf, withColor } from './product-colors.ts'

type ColorSwatchesProps = {
  areas: readonly SwatchArea[]
  colors: ProductColors
  onChange: (colors: ProductColors) => void
}

export function ColorSwatches({ areas, colors, onChange }: ColorSwatchesProps) {
  return areas.map(area => (
    <AreaSwatches
      key={area.name}
      area={area}
      chosen={colorOf(area, colors)}
      onChoose={value => onChange(withColor(colors, area, value))}
    />
  ))
}

type AreaSwatchesProps = { area: SwatchArea; chosen: string; onChoose: (value: string) => void }

function AreaSwatches({ area, chosen, onChoose }: AreaSwatchesProps) {
  const id = useId()
  const swatches = swatchesOf(area)
  const named = swatches.find(({ value }) => value === chosen)
  return (
    <fieldset className="panel swatch-panel">
      <legend>Colour of the {area.name}</legend>
      <div className="swatches">
        {swatches.map(({ name, value }) => (
          <label key={`${name} ${value}`} className="swatch" title={name}>
            <input
              type="radio"
              name={id}
              checked={value === chosen && named?.name === name}
              onChange={() => onChoose(value)}
            />
            <span className="swatch-color" style={{ background: value }} />
            <span className="visually-hidden">{name}</span>
          </label>
        ))}
      </div>
      <div className="swatch-other">
        <input id={`${id}-other`} type="color" value={chosen} onChange={event => onChoose(event.currentTarget.value)} />
        <label htmlFor={`${id}-other`}>Another colour</label>
        <output className="quiet">
          {named === undefined ? '' : `${named.name} · `}
          <code>{chosen}</code>
        </output>
      </div>
    </fieldset>
  )
}
