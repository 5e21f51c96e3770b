/** Tells listeners when their elements approach or leave the window. One observer serves hundreds of them. */
export class PlaceWatch {
  readonly #margin: string
  readonly #listeners = new Map<Element, (entry: IntersectionObserverEntry) => void>()
  #observer: IntersectionObserver | null = null

  /** @param margin how far outside the window counts as near, as a CSS length */
  constructor(margin: string) {
    this.#margin = margin
  }

  /** Calls the element's only listener now and at every change, until the returned function is called. */
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
