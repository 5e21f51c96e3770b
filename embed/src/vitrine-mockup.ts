/**
 * `<vitrine-mockup>`: a product of a template with the shopper's own picture on it, drawn in this page.
 * docs/embed.md lists attributes, properties, events and the policy that a page needs.
 */
import { centredCover, type Placement } from '@vitrine/engine'
import { describePlacement, type FramePlane, type HandTarget, type PlacementChange } from '@vitrine/live'
import { Announcer } from './announcer.ts'
import { type ArtworkSource, loadArtwork } from './artwork.ts'
import { buildControls, type Controls, make } from './controls.ts'
import { drawingClient } from './drawing-client.ts'
import { attachHand } from './hand.ts'
import type { Colors, DrawingAnswer, DrawingRequest } from './messages.ts'
import { type EmbeddedTemplate, EmbedError, isRecord, knownColors, loadTemplate } from './preview-service.ts'
import { styles } from './styles.ts'
import { type Texts, texts } from './texts.ts'
import { type MockupValue, parseColors, parseJson, parsePlacement, valueOf } from './value.ts'

/** Previews this far outside of the window are loaded already. */
const NEAR = '300px'

let sceneCount = 0

type Artwork = { readonly sha256: string; readonly widthPx: number; readonly heightPx: number }

export class VitrineMockup extends HTMLElement {
  static readonly formAssociated = true
  static readonly observedAttributes = [
    'template',
    'publishable-key',
    'service',
    'artwork',
    'placement',
    'colors',
    'alt',
    'editable',
    'required',
  ]

  readonly #internals = this.attachInternals()
  readonly #scene = make('div', { className: 'scene' })
  readonly #canvas = make('canvas', { hidden: true })
  readonly #surface = make('div', { className: 'surface', hidden: true, tabIndex: 0 })
  readonly #controlsPlace = make('div', {})
  readonly #error = make('p', { className: 'error', hidden: true })
  readonly #announcer: Announcer
  /** Another for each template: what an older one answers is nobody's. */
  #id = 0
  #hasRead = false
  #texts: Texts = texts
  #controls: Controls | null = null
  #near: IntersectionObserver | null = null
  #isNear = false
  #isDisabled = false
  /** Ends what is loaded for a template or an artwork that is not wanted any more. */
  #loading = new AbortController()
  #wearing = new AbortController()
  #template: EmbeddedTemplate | null = null
  #planes: readonly FramePlane[] = []
  #source: ArtworkSource | null = null
  #artwork: Artwork | null = null
  #placement: Placement = centredCover
  #colors: Colors = {}
  #isDrawing = false
  #isWanted = false
  #isReady = false

  constructor() {
    super()
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [styles]
    const status = make('div', { className: 'unseen' })
    status.setAttribute('role', 'status')
    this.#announcer = new Announcer(status)
    this.#canvas.setAttribute('role', 'img')
    this.#canvas.setAttribute('part', 'picture')
    this.#surface.setAttribute('role', 'slider')
    this.#surface.setAttribute('part', 'surface')
    this.#error.setAttribute('role', 'alert')
    this.#error.setAttribute('part', 'error')
    this.#scene.setAttribute('part', 'scene')
    this.#scene.append(make('slot', {}), this.#canvas, this.#surface)
    root.append(this.#scene, this.#controlsPlace, this.#error, status)
    attachHand(this.#surface, {
      target: () => this.#handTarget(),
      onPlace: change => this.#place(change),
      onRest: () => this.#changed(),
    })
    this.#takeDrops()
  }

  connectedCallback(): void {
    // An element that is only put elsewhere keeps what was chosen.
    if (!this.#hasRead) {
      this.#hasRead = true
      this.#apply(() => {
        this.#readPlacement()
        this.#readColors()
      })
      this.#source ??= this.getAttribute('artwork')
    }
    this.#describe()
    if (this.getAttribute('loading') === 'eager') return this.#come()
    this.#near = new IntersectionObserver(
      entries => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) this.#come()
      },
      { rootMargin: NEAR },
    )
    this.#near.observe(this)
  }

  disconnectedCallback(): void {
    this.#near?.disconnect()
    this.#loading.abort()
    this.#wearing.abort()
    if (this.#isNear) this.#close()
    this.#isNear = false
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now || !this.isConnected) return
    if (name === 'placement') this.#apply(() => this.#readPlacement())
    else if (name === 'colors') this.#apply(() => this.#readColors())
    else if (name === 'artwork') this.artwork = now
    else if (name === 'alt' || name === 'editable' || name === 'required') this.#describe()
    else if (this.#isNear) void this.#load()
  }

  formDisabledCallback(isDisabled: boolean): void {
    this.#isDisabled = isDisabled
    this.#describe()
  }

  formResetCallback(): void {
    this.reset()
  }

  formStateRestoreCallback(state: unknown): void {
    if (typeof state !== 'string') return
    this.#apply(() => {
      const value = parseJson('value', state)
      if (!isRecord(value)) return
      this.#placement = parsePlacement(value['placement'] ?? {})
      this.#colors = parseColors(value['colors'] ?? {})
    })
  }

  /** The shopper's picture: a file, bytes, or an address that this page may read; null takes it away. */
  get artwork(): ArtworkSource | null {
    return this.#source
  }

  set artwork(source: ArtworkSource | null) {
    this.#source = source === '' ? null : source
    if (this.#template !== null) void this.#wear(true)
  }

  /** Where the picture lies, as the field of a request. What is set is as if nothing else were. */
  get placement(): PlacementChange {
    return describePlacement(this.#placement)
  }

  set placement(placement: PlacementChange) {
    this.#placement = parsePlacement(placement)
    this.#changed()
  }

  /** Colours of the product by its parts, as the field of a request. */
  get colors(): Colors {
    return this.#colors
  }

  set colors(colors: Colors) {
    this.#colors = parseColors(colors)
    this.#changed()
  }

  /** What the element says, in another language: texts that are left out stay English. */
  set texts(changed: Partial<Texts>) {
    this.#texts = { ...texts, ...changed }
    this.#controls = null
    this.#describe()
  }

  /** What a form with this element submits, as an object. */
  get value(): MockupValue {
    const { id = this.getAttribute('template') ?? '', colors = [] } = this.#template ?? {}
    const known = this.#template === null ? this.#colors : knownColors(this.#colors, colors)
    return valueOf(id, this.#placement, known, this.#artwork?.sha256 ?? null)
  }

  get form(): HTMLFormElement | null {
    return this.#internals.form
  }

  /** Back to what the attributes say. */
  reset(): void {
    this.#apply(() => {
      this.#readPlacement()
      this.#readColors()
    })
    this.#changed()
  }

  /** The preview as it is seen. @throws where nothing is drawn yet */
  toBlob(type = 'image/png', quality?: number): Promise<Blob> {
    return new Promise((resolve, reject) => {
      if (!this.#isReady) throw new Error('The preview is not drawn yet.')
      this.#canvas.toBlob(blob => (blob === null ? reject(new Error('No picture.')) : resolve(blob)), type, quality)
    })
  }

  #readPlacement(): void {
    this.#placement = parsePlacement(parseJson('placement', this.getAttribute('placement')))
  }

  #readColors(): void {
    this.#colors = parseColors(parseJson('colors', this.getAttribute('colors')))
  }

  /** Reads what a page wrote; what is wrong is told, and what was before stays. */
  #apply(read: () => void): void {
    try {
      read()
    } catch (error) {
      this.#fail(error)
    }
    this.#show()
  }

  #come(): void {
    this.#near?.disconnect()
    if (this.#isNear) return
    this.#isNear = true
    void this.#load()
  }

  #close(): void {
    this.#isReady = false
    this.#template = null
    if (this.#id > 0) void this.#ask({ kind: 'close' })
    this.#id = 0
  }

  async #load(): Promise<void> {
    this.#loading.abort()
    this.#wearing.abort()
    this.#close()
    this.#loading = new AbortController()
    const { signal } = this.#loading
    const [template, key] = [this.getAttribute('template'), this.getAttribute('publishable-key')]
    this.#describe()
    try {
      if (template === null || key === null)
        throw new EmbedError('ATTRIBUTE_INVALID', 'Expected the attributes template and publishable-key.')
      this.#error.hidden = true
      this.#announcer.say(this.#texts.loading)
      const service = this.getAttribute('service') ?? new URL(import.meta.url).origin
      const found = await loadTemplate(service.replace(/\/$/, ''), { template, key }, signal)
      if (found.ratio !== undefined) this.#canvas.style.aspectRatio = String(found.ratio)
      const { url: pack, width: widthPx } = found.bundle
      if (signal.aborted) return
      this.#id = ++sceneCount
      const opened = await this.#expect('opened', { kind: 'open', pack, widthPx })
      if (signal.aborted) return
      this.#planes = opened.planes
      this.#template = found
      this.#controls = null
      await this.#wear(false)
    } catch (error) {
      if (!signal.aborted) this.#fail(error)
    }
  }

  /** Draws with another picture. `isChange`: somebody chose it now. */
  async #wear(isChange: boolean): Promise<void> {
    this.#wearing.abort()
    this.#wearing = new AbortController()
    const { signal } = this.#wearing
    const source = this.#source
    try {
      const loaded = source === null ? null : await loadArtwork(source, signal)
      if (signal.aborted) return
      const worn = await this.#expect('worn', { kind: 'wear', artwork: loaded?.bytes ?? null })
      if (signal.aborted) return
      this.#artwork = loaded && { sha256: loaded.sha256, widthPx: worn.widthPx, heightPx: worn.heightPx }
      this.#error.hidden = true
      if (loaded !== null) this.#announcer.say(this.#texts.shown)
    } catch (error) {
      if (signal.aborted) return
      this.#fail(error)
      if (!isChange) this.#show()
      return
    }
    if (isChange) this.#changed()
    else this.#show()
  }

  #place(change: PlacementChange): void {
    if (this.#isDisabled) return
    this.#placement = { ...this.#placement, ...change }
    this.#show()
    this.#announcer.say(this.#placedText())
  }

  /** Something was chosen and rests: the page is told. */
  #changed(): void {
    this.#show()
    this.#tell('vitrine-change', this.value)
  }

  /** What is chosen goes to the form, to who reads with other senses, and to the canvas. */
  #show(): void {
    this.#describe()
    if (this.#template === null) return
    this.#isWanted = true
    void this.#drawWanted()
  }

  async #drawWanted(): Promise<void> {
    if (this.#isDrawing) return
    this.#isDrawing = true
    try {
      while (this.#isWanted && this.#template !== null) {
        this.#isWanted = false
        await this.#draw(this.#template)
      }
    } finally {
      this.#isDrawing = false
    }
  }

  async #draw(template: EmbeddedTemplate): Promise<void> {
    try {
      const colors = knownColors(this.#colors, template.colors)
      const { bitmap } = await this.#expect('drawn', { kind: 'draw', placement: this.#placement, colors })
      // Another template may be wanted meanwhile.
      if (this.#template === template) this.#present(bitmap, template)
      else bitmap.close()
    } catch (error) {
      if (this.#template === template) this.#fail(error)
    }
  }

  #present(bitmap: ImageBitmap, { id, name, frames, colors }: EmbeddedTemplate): void {
    const { width, height } = bitmap
    if (this.#canvas.width !== width) this.#canvas.width = width
    if (this.#canvas.height !== height) this.#canvas.height = height
    this.#canvas.style.aspectRatio = `${width} / ${height}`
    this.#canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap)
    if (this.#isReady) return
    this.#isReady = true
    this.#describe()
    this.#tell('vitrine-ready', { template: { id, name, frames, colors }, width, height })
  }

  #describe(): void {
    const isEditable = this.hasAttribute('editable')
    const hasArtwork = this.#artwork !== null
    const slot = this.#scene.querySelector('slot')
    if (slot !== null) slot.hidden = this.#isReady
    this.#canvas.hidden = !this.#isReady
    this.#canvas.setAttribute('aria-label', this.getAttribute('alt') ?? this.#template?.name ?? '')
    this.#surface.hidden = !(this.#isReady && isEditable && hasArtwork && !this.#isDisabled)
    this.#surface.setAttribute('aria-label', this.#texts.artwork)
    this.#surface.setAttribute('aria-description', this.#texts.keys)
    this.#surface.setAttribute('aria-valuenow', String(this.#placement.scale))
    this.#surface.setAttribute('aria-valuetext', this.#placedText())
    this.#internals.setFormValue(JSON.stringify(this.value))
    if (isEditable && this.#template !== null) this.#controls ??= this.#buildControls(this.#template)
    else this.#controls = null
    // What is put in its place again would lose the focus.
    const controls = this.#controls?.root ?? null
    if (this.#controlsPlace.firstElementChild !== controls)
      this.#controlsPlace.replaceChildren(...(controls === null ? [] : [controls]))
    this.#controls?.update({ colors: this.#colors, hasArtwork, isDisabled: this.#isDisabled })
    const isMissing = this.hasAttribute('required') && !hasArtwork
    const anchor = this.#controls?.file
    this.#internals.setValidity(isMissing ? { valueMissing: true } : {}, isMissing ? this.#texts.missing : '', anchor)
  }

  #buildControls({ colors: areas }: EmbeddedTemplate): Controls {
    return buildControls({
      texts: this.#texts,
      areas,
      onMove: move => {
        const target = this.#handTarget()
        if (target === null) return
        this.#place(move(target.placement, target.artwork))
        this.#changed()
      },
      onReset: () => this.reset(),
      onFile: file => {
        this.artwork = file
      },
      onColor: (area, value) => {
        this.#colors = { ...this.#colors, [area]: value }
        this.#changed()
      },
    })
  }

  #placedText(): string {
    const { fit, scale, rotation, focus, x, y } = this.#placement
    const [across, down] = fit === 'cover' && scale >= 1 ? focus : [x, y]
    const values = { scale: scale * 100, rotation, x: across * 100, y: down * 100 }
    return Object.entries(values).reduce(
      (text, [name, value]) => text.replace(`{${name}}`, String(Math.round(value))),
      this.#texts.placed,
    )
  }

  #handTarget(): HandTarget | null {
    const plane = this.#planes[0]
    if (plane === undefined || this.#artwork === null || this.#isDisabled) return null
    const { widthPx: width, heightPx: height } = this.#artwork
    return { placement: this.#placement, plane, artwork: { width, height, aspectRatio: plane.aspectRatio } }
  }

  #takeDrops(): void {
    const takes = ({ dataTransfer }: DragEvent): boolean =>
      this.hasAttribute('editable') && !this.#isDisabled && dataTransfer?.types.includes('Files') === true
    for (const kind of ['dragenter', 'dragover'] as const)
      this.#scene.addEventListener(kind, event => {
        if (!takes(event)) return
        event.preventDefault()
        this.#scene.classList.add('dropping')
      })
    this.#scene.addEventListener('dragleave', () => this.#scene.classList.remove('dropping'))
    this.#scene.addEventListener('drop', event => {
      this.#scene.classList.remove('dropping')
      const [file] = event.dataTransfer?.files ?? []
      if (!takes(event)) return
      event.preventDefault()
      if (file !== undefined) this.artwork = file
    })
  }

  #ask(request: RequestOf): Promise<DrawingAnswer> {
    return drawingClient.ask({ ...request, element: this.#id })
  }

  /** @throws EmbedError where it fails */
  async #expect<K extends DrawingAnswer['kind']>(kind: K, request: RequestOf): Promise<AnswerOf<K>> {
    const answer = await this.#ask(request)
    if (isOf(answer, kind)) return answer
    if (answer.kind === 'failed') throw new EmbedError(answer.code, answer.message)
    throw new EmbedError('PREVIEW_FAILED', 'The preview could not be drawn.')
  }

  #fail(thrown: unknown): void {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    const code = thrown instanceof EmbedError ? thrown.code : 'PREVIEW_FAILED'
    // What a shopper can put right is shown; the rest is the shop's.
    this.#error.hidden = !code.startsWith('ARTWORK_')
    this.#error.textContent = message
    this.#tell('vitrine-error', { code, message })
  }

  #tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }
}

/** A request without the number of its element. */
type RequestOf = DrawingRequest extends infer Request
  ? Request extends DrawingRequest
    ? Omit<Request, 'element'>
    : never
  : never
type AnswerOf<K extends DrawingAnswer['kind']> = Extract<DrawingAnswer, { kind: K }>

const isOf = <K extends DrawingAnswer['kind']>(answer: DrawingAnswer, kind: K): answer is AnswerOf<K> =>
  answer.kind === kind

// A page may load the program twice.
if (customElements.get('vitrine-mockup') === undefined) customElements.define('vitrine-mockup', VitrineMockup)
