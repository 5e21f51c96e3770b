/** Announces results in a polite live region for screen readers, and shows the same sentence as a toast. */
import { useSyncExternalStore } from 'react'
import { Observable } from './observable.ts'
import { Paced } from './paced.ts'

export type Undo = () => Promise<void> | void

export type Announcement = {
  readonly sentence: string
  /** Whether to show a toast too. What the page itself shows is only announced to screen readers. */
  readonly isShown: boolean
  readonly undo: Undo | null
}

/** With shorter pauses, screen readers cut sentences off. */
const SPOKEN_EVERY_MS = 500

/** The newest announcement of the document. */
class Announcements extends Observable {
  #current: Announcement = { sentence: '', isShown: false, undo: null }

  /** A repeated sentence is announced again. */
  say(announcement: Announcement): void {
    const { sentence } = announcement
    this.#current = { ...announcement, sentence: this.#current.sentence === sentence ? `${sentence} ` : sentence }
    this.notify()
  }

  readonly read = (): Announcement => this.#current
}

const announcements = new Announcements()

/** Announces and shows a short sentence. `undo` reverses what it reports. */
export function announce(sentence: string, { undo = null }: { undo?: Undo | null } = {}): void {
  announcements.say({ sentence, isShown: true, undo })
}

/** Announces to screen readers a sentence about something the page already shows. */
export function announceUnseen(sentence: string): void {
  announcements.say({ sentence, isShown: false, undo: null })
}

export const useAnnouncement = (): Announcement => useSyncExternalStore(announcements.subscribe, announcements.read)

/** The live region's content. Shown sentences are never dropped; of the others, only the newest is said. */
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
