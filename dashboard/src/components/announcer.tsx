/** Says results to screen readers: one polite live region for the whole dashboard. */
import { useSyncExternalStore } from 'react'

let message = ''
const listeners = new Set<() => void>()

/** Announces a short sentence. The same sentence twice in a row is announced twice. */
export function announce(sentence: string): void {
  message = message === sentence ? `${sentence} ` : sentence
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Announcer() {
  const text = useSyncExternalStore(subscribe, () => message)
  return (
    <div aria-live="polite" className="visually-hidden">
      {text}
    </div>
  )
}
