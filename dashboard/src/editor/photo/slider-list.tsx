import { Slider } from '../../components/slider.tsx'
import { type SliderOf, withValue } from './sliders.ts'

type SlidersProps<Of> = {
  sliders: readonly SliderOf<Of>[]
  of: Of
  onChange: (change: (before: Of) => Of, name: string) => void
}

/** The sliders of a list that apply, each with its value beside its name. */
export function Sliders<Of>({ sliders, of, onChange }: SlidersProps<Of>) {
  return sliders.map(slider => {
    const { name, label, from, to, step, help, read, words } = slider
    const value = read(of)
    if (value === null) return null
    const said = words(value, of)
    return (
      <Slider
        key={name}
        label={`${label}: ${said}`}
        {...{ value, from, to, step }}
        words={said}
        {...(help === undefined ? {} : { help })}
        onChange={to => onChange(before => withValue(slider, before, to), name)}
      />
    )
  })
}
