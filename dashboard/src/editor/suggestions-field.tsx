import { useId, useState } from 'react'
import type { Swatch } from '../coloring/product-colors.ts'

type SuggestionsFieldProps = {
  suggestions: readonly Swatch[]
  onChange: (suggestions: readonly Swatch[]) => void
}

/** Named colours as lines of text: `Navy #1f2a44`. Unfinished lines are not suggestions. */
export function SuggestionsField({ suggestions, onChange }: SuggestionsFieldProps) {
  const id = useId()
  const [text, setText] = useState(() => suggestions.map(({ name, value }) => `${name} ${value}`).join('\n'))
  return (
    <div className="field">
      <label htmlFor={id}>Suggested colours</label>
      <textarea
        id={id}
        rows={4}
        value={text}
        placeholder={'Navy #1f2a44\nSand #d9c6a5'}
        aria-describedby={`${id}-help`}
        onChange={event => {
          setText(event.currentTarget.value)
          onChange(parseSuggestions(event.currentTarget.value))
        }}
      />
      <p className="field-help" id={`${id}-help`}>
        One a line: the name, then #rrggbb.
      </p>
    </div>
  )
}

function parseSuggestions(text: string): readonly Swatch[] {
  return text.split('\n').flatMap(line => {
    const [, name, value] = /^\s*(\S.*?)\s+(#[0-9a-f]{6})\s*$/i.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [{ name: name.slice(0, 40), value: value.toLowerCase() }]
  })
}
