/** Every field of a placement, with the values of the API. */
import {
  type Placement,
  type PlacementField,
  placementChoices,
  placementFields,
  type placementRanges,
} from '@vitrine/contract'
import { type PlacementChange } from '@vitrine/live'
import type { ReactNode } from 'react'
import { Check, Field, Select } from '../components/controls.tsx'
import { NumberField } from './number-field.tsx'

type PlacementFieldsProps = { placement: Placement; onChange: (change: PlacementChange) => void }

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

/** The control of each field, in their order. */
const controls: { readonly [Field in PlacementField]: (props: PlacementFieldsProps) => ReactNode } = {
  fit: props => <Choice field="fit" label="Fit" {...props} />,
  scale: props => <Numeric field="scale" label="Scale" step={0.05} {...props} />,
  rotation: props => <Numeric field="rotation" label="Rotation (degrees)" step={1} {...props} />,
  x: props => <Numeric field="x" label="Across (x)" step={0.01} {...props} />,
  y: props => <Numeric field="y" label="Down (y)" step={0.01} {...props} />,
  flip: props => <Choice field="flip" label="Flip" {...props} />,
  repeat: props => <Choice field="repeat" label="Repeat" {...props} />,
  focus: props => props.placement.fit === 'cover' && <FocusFields {...props} />,
  background: props => <Background {...props} />,
}

export function PlacementFields(props: PlacementFieldsProps) {
  return (
    <div className="placing-fields">
      {Object.entries(controls).map(([field, Control]) => (
        <Control key={field} {...props} />
      ))}
    </div>
  )
}

type NumericProps = PlacementFieldsProps & { field: keyof typeof placementRanges; label: string; step: number }

function Numeric({ field, label, step, placement, onChange }: NumericProps) {
  const { schema, expected } = placementFields[field]
  return (
    <NumberField
      label={label}
      value={placement[field]}
      step={step}
      min={schema.minValue ?? 0}
      max={schema.maxValue ?? 0}
      expected={expected}
      onChange={value => onChange({ [field]: value })}
    />
  )
}

type ChoiceProps = PlacementFieldsProps & { field: keyof typeof placementChoices; label: string }

function Choice({ field, label, placement, onChange }: ChoiceProps) {
  return (
    <Select
      label={label}
      value={placement[field]}
      onChange={event => onChange({ [field]: event.currentTarget.value })}
      options={placementChoices[field].map(value => ({ value, label: labels[value] }))}
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
      <Check
        checked={background !== null}
        onChecked={checked => onChange({ background: checked ? FIRST_BACKGROUND : null })}
      >
        Background colour
      </Check>
    </>
  )
}
