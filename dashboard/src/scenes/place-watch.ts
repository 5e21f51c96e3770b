/** Tells elements when they come near the window and when they leave: one observer for hundreds of them. */
export class PlaceWatch {
  readonly #margin: string
  readonly #listeners = new Map<Element, (entry: IntersectionObserverEntry) => void>()
  #observer: IntersectionObserver | null = null

  /** @param margin how far outside of the window is near, as CSS has it */
  constructor(margin: string) {
    this.#margin = margin
  }

  /** Calls the one listener of the element now and at each change, until the returned function is called. */
  watch(element: Element, listener: (entry: IntersectionObserverEntry) => void): () => void {
    this.#observer ??= new IntersectionObserver(
      entries => {
        for (const entry of entries) this.#listeners.get(entry.target)?.(entry)
      },
      { rootMargin: this.#margin, scrollMargin: this.#margin },
    )
    this.#listeners.set(element, listener)
    this.#observer.observe(element)
    return () => {
      this.#listeners.delete(element)
      this.#observer?.unobserve(element)
    }
  }
}
