/** Tracks which scenes of a proof show what is being answered, drawn or as the still that was sent. */
import { useSyncExternalStore } from 'react'
import { Observable } from '../components/observable.ts'

export type ShownBy = 'drawing' | 'still'

/** Outside React's state: moving artwork redraws all scenes of a kind many times a second. */
export class ShownScenes extends Observable {
  readonly #shown: Readonly<Record<ShownBy, Set<string>>> = { drawing: new Set(), still: new Set() }

  note(id: string, by: ShownBy, isShown: boolean): void {
    if (this.#shown[by].has(id) === isShown) return
    if (isShown) this.#shown[by].add(id)
    else this.#shown[by].delete(id)
    this.notify()
  }

  isShown(id: string): boolean {
    return this.#shown.drawing.has(id) || this.#shown.still.has(id)
  }
}

/** How many of these scenes are not shown yet. */
export const useNotShown = (scenes: ShownScenes, ids: readonly string[]): number =>
  useSyncExternalStore(scenes.subscribe, () => ids.filter(id => !scenes.isShown(id)).length)
