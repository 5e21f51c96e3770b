import { useEffect, useRef, useState } from 'react'
import { Field } from './controls.tsx'

/** A search is sent after this pause, so that a word is one request and not one per letter. */
const PAUSE_MS = 200

type SearchFieldProps = {
  label?: string
  /** The search in effect. */
  value: string
  placeholder?: string
  onSearch: (search: string) => void
}

/** A search field: letters show at once, `onSearch` is called when typing pauses. */
export function SearchField({ label = 'Search', value, onSearch, ...input }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const latestOnSearch = useRef(onSearch)
  latestOnSearch.current = onSearch
  // Back, forward and reset change the value from outside.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setText(value)
  }, [value])
  useEffect(() => {
    if (text === sent.current) return
    const timer = setTimeout(() => {
      sent.current = text
      latestOnSearch.current(text)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <Field label={label} type="search" value={text} onChange={event => setText(event.currentTarget.value)} {...input} />
  )
}
