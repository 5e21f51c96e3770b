/**
 * `<vitrine-mockup>`: a template's product with the shopper's own picture, drawn in the page. docs/embed.md
 * lists attributes, properties, events and the required content security policy.
 */
import { centredCover, type Placement } from '@vitrine/engine'
import {
  attachPointer,
  type Client,
  describePlacement,
  type FramePlane,
  movedBy,
  NewestOnly,
  type PlacementChange,
  type PointerTarget,
  showBitmap,
  startPlacement,
  toFrame,
} from '@vitrine/live'
import { Announcer } from './announcer.ts'
import { buildControls, type Controls, make } from './controls.ts'
import { drawingClient } from './drawing-client.ts'
import { attachDrops } from './drops.ts'
import type { ArtworkSource, Colors, Frame, MockupMembers, MockupValue, PlacementFields } from './element-types.ts'
import { FrameArtworks } from './frame-artworks.ts'
import {
  begun,
  choicesOf,
  choose,
  type FrameChoices,
  firstNamed,
  keyOf,
  keysOf,
  knownChoices,
} from './frame-choices.ts'
import type { AnswerOf, DrawingAnswer, RequestOf } from './messages.ts'
import { type EmbeddedTemplate, EmbedError, isRecord, knownColors, loadTemplate } from './preview-service.ts'
import { styles } from './styles.ts'
import { type Texts, texts } from './texts.ts'
import { filesOf, parseArtworks, parseColors, parseJson, parsePlacement, parsePlacements, valueOf } from './value.ts'

/** Previews this close to the window start loading. */
const NEAR = '300px'

/** Changing one of these loads another template. */
const loadingAttributes: ReadonlySet<string> = new Set(['template', 'publishable-key', 'service'])

let sceneCount = 0

export class VitrineMockup extends HTMLElement implements MockupMembers {
  static readonly formAssociated = true
  static readonly observedAttributes = [
    'template',
    'publishable-key',
    'service',
    'artwork',
    'artworks',
    'artwork-name',
    'placement',
    'placements',
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
  /** A new one for each template, so that answers for an older one are ignored. */
  #id = 0
  #hasRead = false
  #texts: Texts = texts
  #controls: Controls | null = null
  #near: IntersectionObserver | null = null
  #isNear = false
  #isDisabled = false
  /** Aborts loading a template that is no longer wanted. */
  #loading = new AbortController()
  #template: EmbeddedTemplate | null = null
  #planes: readonly FramePlane[] = []
  #sources: FrameChoices<ArtworkSource | null> = { all: null, byKey: {} }
  readonly #frameArtworks = new FrameArtworks((frames, artwork) =>
    this.#expect('shown', { kind: 'show', frames, artwork }),
  )
  /** `all`: null until the page or the shopper has chosen a placement. */
  #chosenPlacements: FrameChoices<Placement | null> = { all: null, byKey: {} }
  /** The key that pointer, buttons and picture choice apply to; null: all frames. */
  #chosen: string | null = null
  #colors: Colors = {}
  /** Settles when the pictures chosen last have been read. */
  #changing = Promise.resolve()
  readonly #newest = new NewestOnly()
  /** Settles when the newest state is drawn, or a newer one has replaced it. */
  #drawing: Promise<unknown> = Promise.resolve()
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
    attachPointer(this.#surface, {
      target: at => this.#pointerTarget(at),
      takesFinger: () => false,
      takesWheel: () => this.#surface.matches(':focus'),
      takesKeys: true,
      onPlace: change => this.#place(change),
      onRest: () => this.#changed(),
    })
    attachDrops(this.#scene, {
      isWanted: () => this.hasAttribute('editable') && !this.#isDisabled,
      onFile: (file, at) => {
        this.#frameAt(at)
        this.#chooseFile(file)
      },
    })
  }

  connectedCallback(): void {
    // An element that is only moved in the document retains its choices.
    if (!this.#hasRead) {
      this.#hasRead = true
      this.#apply(() => {
        this.#readChoices()
        const { all, byKey } = this.#sources
        this.#sources = { all: all ?? this.getAttribute('artwork'), byKey: { ...this.#readArtworks(), ...byKey } }
      })
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
    this.#frameArtworks.stop()
    if (this.#isNear) this.#close()
    this.#isNear = false
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now || !this.isConnected) return
    if (name === 'placement' || name === 'placements') this.#apply(() => this.#readPlacements())
    else if (name === 'colors') this.#apply(() => this.#readColors())
    else if (name === 'artwork') this.artwork = now
    else if (name === 'artworks') this.#apply(() => this.#take({ ...this.#sources, byKey: this.#readArtworks() }))
    else if (!loadingAttributes.has(name)) this.#describe()
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
      this.#chosenPlacements = {
        all: value['placement'] === undefined ? null : parsePlacement(value['placement']),
        byKey: parsePlacements(value['placements'] ?? {}),
      }
      this.#colors = parseColors(value['colors'] ?? {})
    })
  }

  /**
   * The picture for frames that `artworks` does not name: a file, bytes, or an address that this page may
   * read; null removes it.
   */
  get artwork(): ArtworkSource | null {
    return this.#sources.all
  }

  set artwork(source: ArtworkSource | null) {
    this.#take({ ...this.#sources, all: source === '' ? null : source })
  }

  /** Pictures by frame, from "0", or by slot. */
  get artworks(): Readonly<Record<string, ArtworkSource>> {
    return parseArtworks(this.#sources.byKey)
  }

  set artworks(artworks: Readonly<Record<string, ArtworkSource | null>>) {
    this.#take({ ...this.#sources, byKey: parseArtworks(artworks) })
  }

  /** The placement of the picture, as in a request. Fields that are not set have their defaults. */
  get placement(): PlacementFields {
    return describePlacement(this.#placements.all)
  }

  set placement(placement: PlacementFields) {
    this.#chosenPlacements = { ...this.#chosenPlacements, all: parsePlacement(placement) }
    this.#changed()
  }

  /** The placements in some frames, by frame or slot, as in a request. */
  get placements(): Readonly<Record<string, PlacementFields>> {
    const entries = Object.entries(this.#placements.byKey)
    return Object.fromEntries(entries.map(([key, placement]) => [key, describePlacement(placement)]))
  }

  set placements(placements: Readonly<Record<string, PlacementFields>>) {
    this.#chosenPlacements = { ...this.#chosenPlacements, byKey: parsePlacements(placements) }
    this.#changed()
  }

  /** Colours of the product's areas, as in a request. */
  get colors(): Colors {
    return this.#colors
  }

  set colors(colors: Colors) {
    this.#colors = parseColors(colors)
    this.#changed()
  }

  /** The element's texts in another language; those left out stay English. */
  set texts(changed: Partial<Texts>) {
    this.#texts = { ...texts, ...changed }
    this.#controls = null
    this.#describe()
  }

  /** What a form with this element submits, as an object. */
  get value(): MockupValue {
    const { artworks } = this.#frameArtworks
    const chosen = { placements: this.#placements, colors: this.#colors, artworks }
    if (this.#template === null) return valueOf({ ...chosen, template: this.getAttribute('template') ?? '' })
    const { id, colors, frames } = this.#template
    return valueOf({
      template: id,
      placements: knownChoices(this.#placements, frames).choices,
      colors: knownColors(this.#colors, colors),
      artworks,
    })
  }

  get form(): HTMLFormElement | null {
    return this.#internals.form
  }

  /** Resets to the attributes. */
  reset(): void {
    this.#apply(() => this.#readChoices())
    this.#changed()
  }

  /** The preview with all choices, once they are read and drawn. @throws if there is no preview yet */
  async toBlob(type = 'image/png', quality?: number): Promise<Blob> {
    for (let changing: Promise<void> | null = null; changing !== this.#changing; ) {
      changing = this.#changing
      await changing
      for (let drawing: Promise<unknown> | null = null; drawing !== this.#drawing; await drawing)
        drawing = this.#drawing
    }
    if (!this.#isReady) throw new Error('The preview is not drawn yet.')
    return new Promise((resolve, reject) => {
      this.#canvas.toBlob(blob => (blob === null ? reject(new Error('No picture.')) : resolve(blob)), type, quality)
    })
  }

  #readChoices(): void {
    this.#readPlacements()
    this.#readColors()
  }

  #readPlacements(): void {
    const all = this.getAttribute('placement')
    this.#chosenPlacements = {
      all: all === null ? null : parsePlacement(parseJson('placement', all)),
      byKey: parsePlacements(parseJson('placements', this.getAttribute('placements'))),
    }
  }

  #readArtworks() {
    return parseArtworks(parseJson('artworks', this.getAttribute('artworks')))
  }

  #readColors(): void {
    this.#colors = parseColors(parseJson('colors', this.getAttribute('colors')))
  }

  /** Reads what the page has set. Errors are reported, and the previous value stays. */
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
    if (this.#id > 0) void drawingClient.ask({ kind: 'close', element: this.#id })
    this.#id = 0
  }

  async #load(): Promise<void> {
    this.#loading.abort()
    this.#frameArtworks.stop()
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
      this.#frameArtworks.begin(found.frames.length)
      this.#chosen = firstNamed(found.frames, [this.#sources, this.#chosenPlacements])
      this.#tellUnknown(found)
      this.#changing = this.#changeArtworks(false)
      await this.#changing
    } catch (error) {
      if (!signal.aborted) this.#fail(error)
    }
  }

  #tellUnknown({ id, frames }: EmbeddedTemplate): void {
    for (const [name, choices] of Object.entries({ artworks: this.#sources, placements: this.#chosenPlacements }))
      for (const key of knownChoices<unknown>(choices, frames).unknown)
        this.#fail(new EmbedError('ATTRIBUTE_INVALID', `${name}.${key} names no frame of ${id}.`))
  }

  #take(sources: FrameChoices<ArtworkSource | null>): void {
    this.#sources = sources
    if (this.#template !== null) this.#changing = this.#changeArtworks(true)
  }

  /** Draws with other pictures. `isChange`: they were chosen by the user or page just now. */
  async #changeArtworks(isChange: boolean): Promise<void> {
    const { frames = [] } = this.#template ?? {}
    const before = this.#frameArtworks.artworks
    try {
      if ((await this.#frameArtworks.change(choicesOf(this.#sources, frames))) === 'late') return
      this.#error.hidden = true
      const isNew = this.#frameArtworks.artworks.some((artwork, frame) => artwork !== null && artwork !== before[frame])
      if (isNew) this.#announcer.say(this.#texts.shown)
    } catch (error) {
      this.#fail(error)
      if (!isChange) this.#show()
      return
    }
    if (isChange) this.#changed()
    else this.#show()
  }

  /** By default, pictures with transparent parts are shown whole, with a margin, on products. */
  get #placements(): FrameChoices<Placement> {
    const { frames = [], type } = this.#template ?? {}
    const { artworks } = this.#frameArtworks
    const starts = artworks.map(artwork => startPlacement(type === 'product', artwork?.isClear === true))
    return begun(this.#chosenPlacements, frames, starts, centredCover)
  }

  /** The placement that pointer, buttons and texts refer to. */
  get #placement(): Placement {
    const { frames = [] } = this.#template ?? {}
    const index = frames.findIndex(frame => keyOf(frame) === this.#chosen)
    return choicesOf(this.#placements, frames)[index] ?? this.#placements.all
  }

  #place(change: PlacementChange): void {
    if (this.#isDisabled || this.#template === null) return
    const { frames } = this.#template
    this.#chosenPlacements = choose(this.#chosenPlacements, this.#chosen, { ...this.#placement, ...change }, frames)
    this.#show()
    this.#announcer.say(this.#placedText())
  }

  /** A choice has come to rest: notifies the page. */
  #changed(): void {
    this.#show()
    this.#tell('vitrine-change', this.value)
  }

  /** Updates the form value, the accessible description and the canvas. */
  #show(): void {
    this.#describe()
    if (this.#template !== null) this.#drawing = this.#newest.run('draw', () => this.#draw())
  }

  async #draw(): Promise<void> {
    const template = this.#template
    if (template === null) return
    try {
      const colors = knownColors(this.#colors, template.colors)
      const placements = choicesOf(this.#placements, template.frames)
      const { bitmap } = await this.#expect('drawn', { kind: 'draw', placements, colors })
      // Another template may have been requested meanwhile.
      if (this.#template === template) this.#present(bitmap, template)
      else bitmap.close()
    } catch (error) {
      if (this.#template === template) this.#fail(error)
    }
  }

  #present(bitmap: ImageBitmap, { id, name, frames, colors }: EmbeddedTemplate): void {
    const { width, height } = bitmap
    this.#canvas.style.aspectRatio = `${width} / ${height}`
    showBitmap(this.#canvas, bitmap)
    if (this.#isReady) return
    this.#isReady = true
    this.#describe()
    this.#tell('vitrine-ready', { template: { id, name, frames, colors }, width, height })
  }

  #describe(): void {
    const isEditable = this.hasAttribute('editable')
    const { artworks } = this.#frameArtworks
    const hasArtwork = artworks.some(artwork => artwork !== null)
    const slot = this.#scene.querySelector('slot')
    if (slot !== null) slot.hidden = this.#isReady
    this.#canvas.hidden = !this.#isReady
    this.#canvas.setAttribute('aria-label', this.getAttribute('alt') ?? this.#template?.name ?? '')
    this.#surface.hidden = !(this.#isReady && isEditable && hasArtwork && !this.#isDisabled)
    const { artwork: named } = this.#texts
    this.#surface.setAttribute('aria-label', [named, this.#frameText(this.#chosen)].filter(Boolean).join(', '))
    this.#surface.setAttribute('aria-description', this.#texts.keys)
    this.#surface.setAttribute('aria-valuenow', String(this.#placement.scale))
    this.#surface.setAttribute('aria-valuetext', this.#placedText())
    this.#setFormValue()
    if (isEditable && this.#template !== null) this.#controls ??= this.#buildControls(this.#template)
    else this.#controls = null
    // Reinserting the controls would lose the focus.
    const controls = this.#controls?.root ?? null
    if (this.#controlsPlace.firstElementChild !== controls)
      this.#controlsPlace.replaceChildren(...(controls === null ? [] : [controls]))
    const isMovable = this.#pointerTarget() !== null
    this.#controls?.update({ colors: this.#colors, chosen: this.#chosen, isMovable, isDisabled: this.#isDisabled })
    const isMissing = this.hasAttribute('required') && !(hasArtwork && artworks.every(artwork => artwork !== null))
    const anchor = this.#controls?.file
    this.#internals.setValidity(isMissing ? { valueMissing: true } : {}, isMissing ? this.#texts.missing : '', anchor)
  }

  /** As JSON, with the files if the form accepts them. */
  #setFormValue(): void {
    const [name, artworkName] = [this.getAttribute('name'), this.getAttribute('artwork-name')]
    const value = JSON.stringify(this.value)
    const data = new FormData()
    if (name) data.append(name, value)
    if (artworkName)
      for (const [part, file] of filesOf(artworkName, this.#frameArtworks.artworks)) data.append(part, file)
    this.#internals.setFormValue(data, value)
  }

  #frameText(key: string | null): string {
    return key === null ? '' : this.#texts.frame.replace('{frame}', this.#frameName(key))
  }

  #frameName(key: string): string {
    const index = this.#template?.frames.findIndex(frame => String(frame.index) === key) ?? -1
    return index < 0 ? key : String(index + 1)
  }

  #buildControls({ colors: areas, frames }: EmbeddedTemplate): Controls {
    const keys = keysOf(frames)
    return buildControls({
      texts: this.#texts,
      areas,
      frames:
        keys.length > 1 ? keys.map(key => ({ key, label: this.#frameText(key), short: this.#frameName(key) })) : [],
      onFrame: key => {
        this.#chosen = key
        this.#describe()
      },
      onMove: move => {
        const target = this.#pointerTarget()
        if (target === null) return
        this.#place(move(target))
        this.#changed()
      },
      onReset: () => this.reset(),
      onFile: file => this.#chooseFile(file),
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

  #chooseFile(file: File): void {
    this.#take(choose(this.#sources, this.#chosen, file, this.#template?.frames ?? []))
  }

  /** The frame at a point of the window, if any. If frames are placed separately, selects it. */
  #frameAt({ clientX, clientY }: Client): number | null {
    const { left, top, width, height } = this.#surface.hidden
      ? this.#canvas.getBoundingClientRect()
      : this.#surface.getBoundingClientRect()
    const isInside = (plane: FramePlane): boolean =>
      toFrame(plane, [(clientX - left) / width, (clientY - top) / height]).every(share => share >= 0 && share <= 1)
    const index = this.#planes.findLastIndex(isInside)
    const frame = this.#template?.frames[index]
    if (frame === undefined) return null
    if (this.#chosen !== null && this.#chosen !== keyOf(frame)) {
      this.#chosen = keyOf(frame)
      this.#describe()
    }
    return index
  }

  /** The artwork to grab at a point; without a point, that of the selected frames. */
  #pointerTarget(at?: Client): PointerTarget | null {
    if (this.#isDisabled || this.#template === null) return null
    const pressed = at === undefined ? null : this.#frameAt(at)
    const { artworks } = this.#frameArtworks
    const isChosen = (frame: Frame): boolean => this.#chosen === null || keyOf(frame) === this.#chosen
    const first = this.#template.frames.findIndex(
      (frame, index) => isChosen(frame) && (artworks[index] ?? null) !== null,
    )
    const index = pressed !== null && (artworks[pressed] ?? null) !== null ? pressed : first
    const [plane, artwork] = [this.#planes[index], artworks[index]]
    if (plane === undefined || artwork === undefined || artwork === null) return null
    const { widthPx: width, heightPx: height } = artwork
    const placement = this.#placement
    const placed = { width, height, aspectRatio: plane.aspectRatio }
    return { placement, plane, move: (by, reach) => movedBy(placement, placed, by, reach) }
  }

  /** @throws EmbedError if it fails */
  #expect<K extends DrawingAnswer['kind']>(kind: K, request: RequestOf): Promise<AnswerOf<K>> {
    return drawingClient.expect(kind, { ...request, element: this.#id })
  }

  #fail(thrown: unknown): void {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    const code = thrown instanceof EmbedError ? thrown.code : 'PREVIEW_FAILED'
    // Shows only errors that a shopper can correct; the others are for the shop.
    this.#error.hidden = !code.startsWith('ARTWORK_')
    this.#error.textContent = message
    this.#tell('vitrine-error', { code, message })
  }

  #tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }
}

// A page may load the program twice.
if (customElements.get('vitrine-mockup') === undefined) customElements.define('vitrine-mockup', VitrineMockup)
