/** Something that changes, for `useSyncExternalStore`. */
export class Observable {
  readonly #listeners = new Set<() => void>()

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls the listeners after a change. */
  protected notify(): void {
    for (const listener of this.#listeners) listener()
  }
}
