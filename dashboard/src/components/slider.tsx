import { useRef } from 'react'
import { Field } from './controls.tsx'

type SliderProps = {
  label: string
  hideLabel?: boolean
  value: number
  from: number
  to: number
  step: number
  /** The value as it is read aloud. */
  words: string
  help?: string
  disabled?: boolean
  onChange: (value: number) => void
}

/**
 * A value that is dragged. Where a finger touches its track, it is set when the finger lifts: one that moves
 * on scrolls the page.
 */
export function Slider({ from, to, words, onChange, ...field }: SliderProps) {
  const touched = useRef<{ value: number | null } | null>(null)
  return (
    <Field
      {...field}
      type="range"
      min={from}
      max={to}
      aria-valuetext={words}
      onPointerDown={({ pointerType }) => {
        touched.current = pointerType === 'touch' ? { value: null } : null
      }}
      onPointerMove={() => {
        if (touched.current?.value === null) touched.current = null
      }}
      onPointerUp={() => {
        const value = touched.current?.value ?? null
        touched.current = null
        if (value !== null) onChange(value)
      }}
      onPointerCancel={() => {
        touched.current = null
      }}
      onChange={({ currentTarget: { valueAsNumber } }) => {
        if (touched.current?.value === null) touched.current.value = valueAsNumber
        else {
          touched.current = null
          onChange(valueAsNumber)
        }
      }}
    />
  )
}
