/** Announces the newest text to screen readers, at most twice a second. */
const PAUSE_MS = 500

export class Announcer {
  readonly #region: HTMLElement
  #waiting: string | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(region: HTMLElement) {
    this.#region = region
  }

  say(text: string): void {
    this.#waiting = text
    if (this.#timer === undefined) this.#next()
  }

  #next(): void {
    this.#timer = undefined
    if (this.#waiting === null) return
    this.#region.textContent = this.#waiting
    this.#waiting = null
    this.#timer = setTimeout(() => this.#next(), PAUSE_MS)
  }
}
