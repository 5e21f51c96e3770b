import { Field } from '../../components/controls.tsx'
import { type SliderOf, withValue } from './sliders.ts'

type SliderProps = Pick<SliderOf<never>, 'label' | 'from' | 'to' | 'step' | 'help'> & {
  value: number
  /** The value as it is shown and read aloud. */
  words: string
  onChange: (value: number) => void
}

/** A value that is dragged, with the current one beside its name. */
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

type SlidersProps<Of> = {
  sliders: readonly SliderOf<Of>[]
  of: Of
  onChange: (change: (before: Of) => Of, name: string) => void
}

/** The sliders of a list that apply. */
export function Sliders<Of>({ sliders, of, onChange }: SlidersProps<Of>) {
  return sliders.map(({ read, words, ...slider }) => {
    const value = read(of)
    if (value === null) return null
    const change = (to: number) => onChange(before => withValue({ read, words, ...slider }, before, to), slider.name)
    return <Slider key={slider.name} {...slider} value={value} words={words(value, of)} onChange={change} />
  })
}
