import { useState } from 'react'
import { Field } from '../components/controls.tsx'

type NumberFieldProps = {
  label: string
  value: number
  /** Step of the arrow keys. */
  step: number
  min: number
  max: number
  /** The allowed values: completes "Expected …". */
  expected: string
  onChange: (value: number) => void
}

/** A number, typed or changed by the arrow keys. Anything that is not a number in the range is ignored. */
export function NumberField({ label, value, step, min, max, expected, onChange }: NumberFieldProps) {
  // The text being typed, which need not be a valid number yet.
  const [typed, setTyped] = useState<string | null>(null)
  const given = Number(typed)
  const isFault = typed !== null && (typed.trim() === '' || !(given >= min && given <= max))
  return (
    <Field
      label={label}
      type="number"
      inputMode="decimal"
      step={step}
      min={min}
      max={max}
      value={typed !== null && (isFault || given === value) ? typed : String(value)}
      error={isFault ? `Expected ${expected}.` : undefined}
      onChange={event => {
        const text = event.currentTarget.value
        setTyped(text)
        const next = Number(text)
        if (text.trim() !== '' && next >= min && next <= max) onChange(next)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
