import { useEffect, useRef, useState } from 'react'
import { Field } from './controls.tsx'

/** So long a pause ends a word: each letter would be a question to the service otherwise. */
const pauseMs = 250

/** A search whose words live in the address: `onSearch` puts them there when the typing pauses. */
export function SearchField({
  value,
  placeholder,
  onSearch,
}: {
  value: string
  placeholder?: string
  onSearch: (search: string | undefined) => void
}) {
  const [text, setText] = useState(value)
  const told = useRef(value)
  // Back and forward change the address under the field.
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setText(value)
  }, [value])
  useEffect(() => {
    if (text === told.current) return
    const timer = setTimeout(() => {
      told.current = text
      onSearch(text === '' ? undefined : text)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [text, onSearch])
  return (
    <Field
      label="Search"
      type="search"
      value={text}
      {...(placeholder === undefined ? {} : { placeholder })}
      onChange={event => setText(event.currentTarget.value)}
    />
  )
}
