/** The shadow DOM: the picture, the surface that pointer and keys act on, the controls and messages. */
import { type Client, type Point, showBitmap } from '@vitrine/live'
import { Announcer } from './announcer.ts'
import { type Controls, make } from './controls.ts'
import { styles } from './styles.ts'

type SurfaceTexts = {
  readonly label: string
  /** What the keys do. */
  readonly keys: string
  readonly scale: number
  /** The placement in words. */
  readonly placed: string
}

export class MockupView {
  readonly scene = make('div', { className: 'scene' })
  readonly canvas = make('canvas', { hidden: true })
  readonly surface = make('div', { className: 'surface', hidden: true, tabIndex: 0 })
  readonly announcer: Announcer
  readonly #controlsPlace = make('div', {})
  readonly #error = make('p', { className: 'error', hidden: true })

  constructor(root: ShadowRoot) {
    root.adoptedStyleSheets = [styles]
    const status = make('div', { className: 'unseen' })
    status.setAttribute('role', 'status')
    this.announcer = new Announcer(status)
    this.canvas.setAttribute('role', 'img')
    this.canvas.setAttribute('part', 'picture')
    this.surface.setAttribute('role', 'slider')
    this.surface.setAttribute('part', 'surface')
    this.#error.setAttribute('role', 'alert')
    this.#error.setAttribute('part', 'error')
    this.scene.setAttribute('part', 'scene')
    this.scene.append(make('slot', {}), this.canvas, this.surface)
    root.append(this.scene, this.#controlsPlace, this.#error, status)
  }

  /** Shows the picture if `isReady`, otherwise what the page has put into the element. */
  showPicture(isReady: boolean, label: string): void {
    const slot = this.scene.querySelector('slot')
    if (slot !== null) slot.hidden = isReady
    this.canvas.hidden = !isReady
    this.canvas.setAttribute('aria-label', label)
  }

  showSurface(isShown: boolean, { label, keys, scale, placed }: SurfaceTexts): void {
    this.surface.hidden = !isShown
    this.surface.setAttribute('aria-label', label)
    this.surface.setAttribute('aria-description', keys)
    this.surface.setAttribute('aria-valuenow', String(scale))
    this.surface.setAttribute('aria-valuetext', placed)
  }

  showControls(controls: Controls | null): void {
    const root = controls?.root ?? null
    // Reinserting the controls would lose the focus.
    if (this.#controlsPlace.firstElementChild !== root)
      this.#controlsPlace.replaceChildren(...(root === null ? [] : [root]))
  }

  showBitmap(bitmap: ImageBitmap): void {
    this.canvas.style.aspectRatio = `${bitmap.width} / ${bitmap.height}`
    showBitmap(this.canvas, bitmap)
  }

  showError(message: string, isForShopper: boolean): void {
    this.#error.hidden = !isForShopper
    this.#error.textContent = message
  }

  hideError(): void {
    this.#error.hidden = true
  }

  /** A point of the window in shares of the picture. */
  shareAt({ clientX, clientY }: Client): Point {
    const { left, top, width, height } = this.surface.hidden
      ? this.canvas.getBoundingClientRect()
      : this.surface.getBoundingClientRect()
    return [(clientX - left) / width, (clientY - top) / height]
  }
}
