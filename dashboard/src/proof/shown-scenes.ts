/** Tracks which scenes of a proof show what is being answered, drawn or as the still that was sent. */
import { useSyncExternalStore } from 'react'

export type ShownBy = 'drawing' | 'still'

/** Outside React's state: moving artwork redraws all scenes of a kind many times a second. */
export class ShownScenes {
  readonly #shown: Readonly<Record<ShownBy, Set<string>>> = { drawing: new Set(), still: new Set() }
  readonly #listeners = new Set<() => void>()

  note(id: string, by: ShownBy, isShown: boolean): void {
    if (this.#shown[by].has(id) === isShown) return
    if (isShown) this.#shown[by].add(id)
    else this.#shown[by].delete(id)
    for (const listener of this.#listeners) listener()
  }

  isShown(id: string): boolean {
    return this.#shown.drawing.has(id) || this.#shown.still.has(id)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/** How many of these scenes are not shown yet. */
export const useNotShown = (scenes: ShownScenes, ids: readonly string[]): number =>
  useSyncExternalStore(scenes.subscribe, () => ids.filter(id => !scenes.isShown(id)).length)
