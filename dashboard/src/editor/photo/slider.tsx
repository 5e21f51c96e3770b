import { Field } from '../../components/controls.tsx'

type SliderProps = {
  label: string
  value: number
  from: number
  to: number
  step: number
  /** What is seen and read of the value. */
  words: string
  help?: string
  onChange: (value: number) => void
}

/** A value that is dragged, with what it is now beside its name. */
export function Slider({ label, value, from, to, step, words, help, onChange }: SliderProps) {
  return (
    <Field
      type="range"
      label={`${label}: ${words}`}
      value={value}
      min={from}
      max={to}
      step={step}
      aria-valuetext={words}
      {...(help === undefined ? {} : { help })}
      onChange={event => onChange(event.currentTarget.valueAsNumber)}
    />
  )
}

export const percent = (share: number): string => `${Math.round(share * 100)} %`
export const degrees = (angle: number): string => `${Math.round(angle)}°`
