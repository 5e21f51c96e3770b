/** A step scrolls by this share of a strip's width, so that some of it stays visible. */
const STEP = 0.8

/** Elements that scroll horizontally together. One that is added later starts at the same position. */
export class Strips {
  readonly #elements = new Set<HTMLElement>()
  #leftPx = 0

  /** For React's `ref`. */
  readonly add = (element: HTMLElement | null): (() => void) | undefined => {
    if (element === null) return
    this.#elements.add(element)
    element.scrollLeft = this.#leftPx
    const follow = () => this.#follow(element)
    element.addEventListener('scroll', follow, { passive: true })
    return () => {
      element.removeEventListener('scroll', follow)
      this.#elements.delete(element)
    }
  }

  readonly step = (direction: -1 | 1): void => {
    const [first] = this.#elements
    if (first === undefined) return
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    first.scrollBy({ left: direction * STEP * first.clientWidth, behavior: isStill ? 'auto' : 'smooth' })
  }

  #follow(from: HTMLElement): void {
    // Browsers round scroll positions: followers report changes of less than a pixel.
    if (Math.abs(from.scrollLeft - this.#leftPx) < 1) return
    this.#leftPx = from.scrollLeft
    for (const each of this.#elements) if (each !== from) each.scrollLeft = this.#leftPx
  }
}
