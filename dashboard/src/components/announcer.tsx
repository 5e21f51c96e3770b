/** Says results to screen readers: one polite live region for the whole dashboard. */
import { useSyncExternalStore } from 'react'

/** The sentence that the live region holds, for one document. */
class Announcements {
  #sentence = ''
  readonly #listeners = new Set<() => void>()

  /** The same sentence twice in a row is announced twice. */
  say(sentence: string): void {
    this.#sentence = this.#sentence === sentence ? `${sentence} ` : sentence
    for (const listener of this.#listeners) listener()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly read = (): string => this.#sentence
}

const announcements = new Announcements()

/** Announces a short sentence. */
export function announce(sentence: string): void {
  announcements.say(sentence)
}

export function Announcer() {
  const text = useSyncExternalStore(announcements.subscribe, announcements.read)
  return (
    <div aria-live="polite" className="visually-hidden">
      {text}
    </div>
  )
}
