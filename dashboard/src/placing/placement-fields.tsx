/** Every field of a placement, with the values of the API. */
import { fits, flips, type Placement, placementFields, repeats } from '@vitrine/contract'
import { type PlacementChange } from '@vitrine/live'
import { Field, Select } from '../components/controls.tsx'
import { NumberField } from './number-field.tsx'

type PlacementFieldsProps = { placement: Placement; onChange: (change: PlacementChange) => void }

const numbers = [
  { field: 'scale', label: 'Scale', step: 0.05 },
  { field: 'rotation', label: 'Rotation (degrees)', step: 1 },
  { field: 'x', label: 'Across (x)', step: 0.01 },
  { field: 'y', label: 'Down (y)', step: 0.01 },
] as const

const labels = {
  cover: 'Fill',
  contain: 'Fit',
  stretch: 'Stretched',
  none: 'None',
  horizontal: 'Left to right',
  vertical: 'Top to bottom',
  both: 'Both',
  tile: 'Tiles',
  mirror: 'Mirrored tiles',
} as const

/** The initial colour when a background is added. */
const FIRST_BACKGROUND = '#ffffff'

export function PlacementFields({ placement, onChange }: PlacementFieldsProps) {
  return (
    <div className="placing-fields">
      <Choice label="Fit" values={fits} value={placement.fit} onChange={fit => onChange({ fit })} />
      {numbers.map(({ field, label, step }) => {
        const { schema, expected } = placementFields[field]
        return (
          <NumberField
            key={field}
            label={label}
            value={placement[field]}
            step={step}
            min={schema.minValue ?? 0}
            max={schema.maxValue ?? 0}
            expected={expected}
            onChange={value => onChange({ [field]: value })}
          />
        )
      })}
      <Choice label="Flip" values={flips} value={placement.flip} onChange={flip => onChange({ flip })} />
      <Choice label="Repeat" values={repeats} value={placement.repeat} onChange={repeat => onChange({ repeat })} />
      {placement.fit === 'cover' && <FocusFields placement={placement} onChange={onChange} />}
      <Background placement={placement} onChange={onChange} />
    </div>
  )
}

type ChoiceProps<Value extends keyof typeof labels> = {
  label: string
  values: readonly Value[]
  value: Value
  onChange: (value: Value) => void
}

function Choice<Value extends keyof typeof labels>({ label, values, value, onChange }: ChoiceProps<Value>) {
  return (
    <Select
      label={label}
      value={value}
      onChange={event => {
        const chosen = values.find(known => known === event.currentTarget.value)
        if (chosen !== undefined) onChange(chosen)
      }}
      options={values.map(known => ({ value: known, label: labels[known] }))}
    />
  )
}

/** The point of the artwork that cropping keeps visible. */
function FocusFields({ placement: { focus }, onChange }: PlacementFieldsProps) {
  const [x, y] = focus
  return (
    <>
      <NumberField label="Focus across" value={x} {...focusRange} onChange={value => onChange({ focus: [value, y] })} />
      <NumberField label="Focus down" value={y} {...focusRange} onChange={value => onChange({ focus: [x, value] })} />
    </>
  )
}

const focusRange = { step: 0.01, min: 0, max: 1, expected: 'a number from 0 to 1' }

function Background({ placement: { background }, onChange }: PlacementFieldsProps) {
  return (
    <>
      {background !== null && (
        <Field
          label="Background colour"
          type="color"
          value={background}
          onChange={event => onChange({ background: event.currentTarget.value })}
        />
      )}
      <label className="check">
        <input
          type="checkbox"
          checked={background !== null}
          onChange={event => onChange({ background: event.currentTarget.checked ? FIRST_BACKGROUND : null })}
        />
        Background colour
      </label>
    </>
  )
}
