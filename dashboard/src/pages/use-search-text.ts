import { useEffect, useRef, useState } from 'react'

/** A search as it is typed: every letter shows at once, the list follows when the typing rests. The value may change from outside too (back, reset). */
export function useSearchText(
  value: string,
  commit: (text: string) => void,
): readonly [string, (text: string) => void] {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const latestCommit = useRef(commit)
  latestCommit.current = commit
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setText(value)
  }, [value])
  useEffect(() => {
    if (text === sent.current) return
    const timer = setTimeout(() => {
      sent.current = text
      latestCommit.current(text)
    }, 200)
    return () => clearTimeout(timer)
  }, [text])
  return [text, setText]
}
