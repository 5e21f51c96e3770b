/** Says results to everybody: a polite live region for screen readers, and the same sentence as a toast. */
import { useSyncExternalStore } from 'react'
import { Paced } from './paced.ts'

export type Undo = () => Promise<void> | void

export type Announcement = {
  readonly sentence: string
  /** Whether it is shown too: what the page itself shows is only said. */
  readonly isShown: boolean
  readonly undo: Undo | null
}

/** A screen reader that is told more often says nothing to its end. */
const SPOKEN_EVERY_MS = 500

/** The newest announcement of one document. */
class Announcements {
  #current: Announcement = { sentence: '', isShown: false, undo: null }
  readonly #listeners = new Set<() => void>()

  /** The same sentence twice in a row is announced twice. */
  say(announcement: Announcement): void {
    const { sentence } = announcement
    this.#current = { ...announcement, sentence: this.#current.sentence === sentence ? `${sentence} ` : sentence }
    for (const listener of this.#listeners) listener()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly read = (): Announcement => this.#current
}

const announcements = new Announcements()

/** Announces and shows a short sentence. `undo` takes back what it says. */
export function announce(sentence: string, { undo = null }: { undo?: Undo | null } = {}): void {
  announcements.say({ sentence, isShown: true, undo })
}

/** Announces a sentence to screen readers: the page shows what it says. */
export function announceUnseen(sentence: string): void {
  announcements.say({ sentence, isShown: false, undo: null })
}

export const useAnnouncement = (): Announcement => useSyncExternalStore(announcements.subscribe, announcements.read)

/** What the live region has. A sentence that is shown is never left out; of the others the newest is said. */
const spoken = new Paced(announcements.read(), SPOKEN_EVERY_MS, (waiting, newest) =>
  waiting.isShown ? { ...waiting, sentence: `${waiting.sentence} ${newest.sentence}` } : newest,
)
announcements.subscribe(() => spoken.set(announcements.read()))

export function Announcer() {
  const { sentence } = useSyncExternalStore(spoken.subscribe, spoken.read)
  return (
    <div aria-live="polite" className="visually-hidden">
      {sentence}
    </div>
  )
}
