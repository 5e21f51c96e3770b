/** Of a strip's width: something that was seen before stays in sight. */
const STEP = 0.8

/** Elements that scroll sideways together: where one goes, all go, and one that comes later begins there. */
export class Strips {
  readonly #elements = new Set<HTMLElement>()
  #leftPx = 0

  /** For `ref`. */
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
    // Browsers round what is set: those that follow tell of less than a pixel.
    if (Math.abs(from.scrollLeft - this.#leftPx) < 1) return
    this.#leftPx = from.scrollLeft
    for (const each of this.#elements) if (each !== from) each.scrollLeft = this.#leftPx
  }
}
