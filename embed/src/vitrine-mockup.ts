/**
 * `<vitrine-mockup>`: a template's product with the shopper's own picture, drawn in the page. docs/embed.md
 * lists attributes, properties, events and the required content security policy.
 */
import {
  attachPointer,
  type Client,
  describePlacement,
  NewestOnly,
  type PlacementChange,
  type PointerTarget,
} from '@vitrine/live'
import { buildControls, type Controls } from './controls.ts'
import { DrawnScene } from './drawn-scene.ts'
import { attachDrops } from './drops.ts'
import type { ArtworkSource, Colors, MockupMembers, MockupValue, PlacementFields } from './element-types.ts'
import { FrameArtworks } from './frame-artworks.ts'
import { choicesOf, type FrameChoices, keysOf } from './frame-choices.ts'
import { MockupChoices } from './mockup-choices.ts'
import { MockupView } from './mockup-view.ts'
import { type EmbeddedTemplate, EmbedError, knownColors, loadTemplate } from './preview-service.ts'
import { type Texts, texts } from './texts.ts'
import { filesOf, parseArtworks, parseColors, parsePlacement, parsePlacements } from './value.ts'

/** Previews this close to the window start loading. */
const LOADING_MARGIN = '300px'

/** Changing one of these loads another template. */
const loadingAttributes: ReadonlySet<string> = new Set(['template', 'publishable-key', 'service'])

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
  readonly #view = new MockupView(this.attachShadow({ mode: 'open' }))
  readonly #drawn = new DrawnScene()
  /** Whether the attributes have been read. */
  #hasRead = false
  #texts: Texts = texts
  #controls: Controls | null = null
  #nearness: IntersectionObserver | null = null
  /** In the document, and it has come near the window: its preview is loaded. */
  #isNear = false
  #isDisabled = false
  /** Aborts loading a template that is no longer wanted. */
  #loading = new AbortController()
  readonly #frameArtworks = new FrameArtworks((frames, artwork) => this.#drawn.show(frames, artwork))
  readonly #choices = new MockupChoices(this.#frameArtworks)
  /** Settles when the pictures chosen last have been read. */
  #changing = Promise.resolve()
  readonly #newest = new NewestOnly()
  /** Settles when the newest state is drawn, or a newer one has replaced it. */
  #drawing: Promise<unknown> = Promise.resolve()
  #isReady = false

  constructor() {
    super()
    const { scene, surface } = this.#view
    attachPointer(surface, {
      target: at => this.#pointerTarget(at),
      takesFinger: () => false,
      takesWheel: () => surface.matches(':focus'),
      takesKeys: true,
      onPlace: change => this.#place(change),
      onRest: () => this.#changed(),
    })
    attachDrops(scene, {
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
        const { all, byKey } = this.#choices.sources
        const named = this.#choices.readArtworks(this)
        this.#choices.sources = { all: all ?? this.getAttribute('artwork'), byKey: { ...named, ...byKey } }
      })
    }
    this.#describe()
    if (this.getAttribute('loading') === 'eager') return this.#startLoading()
    this.#nearness = new IntersectionObserver(
      entries => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) this.#startLoading()
      },
      { rootMargin: LOADING_MARGIN },
    )
    this.#nearness.observe(this)
  }

  disconnectedCallback(): void {
    this.#nearness?.disconnect()
    this.#loading.abort()
    this.#frameArtworks.stop()
    if (this.#isNear) this.#close()
    this.#isNear = false
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    // Attributes are first read when the element is connected. Changes while it is disconnected count, too.
    if (before === now || !this.#hasRead) return
    if (name === 'placement' || name === 'placements') this.#apply(() => this.#choices.readPlacements(this))
    else if (name === 'colors') this.#apply(() => this.#choices.readColors(this))
    else if (name === 'artwork') this.artwork = now
    else if (name === 'artworks')
      this.#apply(() => this.#setSources({ ...this.#choices.sources, byKey: this.#choices.readArtworks(this) }))
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
    if (typeof state === 'string') this.#apply(() => this.#choices.restore(state))
  }

  /**
   * The picture for frames that `artworks` does not name: a file, bytes, or an address that this page may
   * read; null removes it.
   */
  get artwork(): ArtworkSource | null {
    return this.#choices.sources.all
  }

  set artwork(source: ArtworkSource | null) {
    this.#setSources({ ...this.#choices.sources, all: source === '' ? null : source })
  }

  /** Pictures by frame, from "0", or by slot. */
  get artworks(): Readonly<Record<string, ArtworkSource>> {
    return parseArtworks(this.#choices.sources.byKey)
  }

  set artworks(artworks: Readonly<Record<string, ArtworkSource | null>>) {
    this.#setSources({ ...this.#choices.sources, byKey: parseArtworks(artworks) })
  }

  /** The placement of the picture, as in a request. Fields that are not set have their defaults. */
  get placement(): PlacementFields {
    return describePlacement(this.#choices.placements.all)
  }

  set placement(placement: PlacementFields) {
    this.#choices.chosenPlacements = { ...this.#choices.chosenPlacements, all: parsePlacement(placement) }
    this.#changed()
  }

  /** The placements in some frames, by frame or slot, as in a request. */
  get placements(): Readonly<Record<string, PlacementFields>> {
    const entries = Object.entries(this.#choices.placements.byKey)
    return Object.fromEntries(entries.map(([key, placement]) => [key, describePlacement(placement)]))
  }

  set placements(placements: Readonly<Record<string, PlacementFields>>) {
    this.#choices.chosenPlacements = { ...this.#choices.chosenPlacements, byKey: parsePlacements(placements) }
    this.#changed()
  }

  /** Colours of the product's areas, as in a request. */
  get colors(): Colors {
    return this.#choices.colors
  }

  set colors(colors: Colors) {
    this.#choices.colors = parseColors(colors)
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
    return this.#choices.valueFor(this.getAttribute('template') ?? '')
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
      this.#view.canvas.toBlob(
        blob => (blob === null ? reject(new Error('No picture.')) : resolve(blob)),
        type,
        quality,
      )
    })
  }

  #readChoices(): void {
    this.#choices.readPlacements(this)
    this.#choices.readColors(this)
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

  #startLoading(): void {
    this.#nearness?.disconnect()
    if (this.#isNear) return
    this.#isNear = true
    void this.#load()
  }

  #close(): void {
    this.#isReady = false
    this.#choices.template = null
    this.#drawn.close()
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
      this.#view.hideError()
      this.#view.announcer.say(this.#texts.loading)
      const service = this.getAttribute('service') ?? new URL(import.meta.url).origin
      const found = await loadTemplate(service.replace(/\/$/, ''), { template, key }, signal)
      if (found.ratio !== undefined) this.#view.canvas.style.aspectRatio = String(found.ratio)
      const { url: pack, width: widthPx } = found.bundle
      if (signal.aborted) return
      const planes = await this.#drawn.open(pack, widthPx)
      if (signal.aborted) return
      this.#controls = null
      this.#choices.begin(found, planes)
      for (const name of this.#choices.unknown)
        this.#fail(new EmbedError('ATTRIBUTE_INVALID', `${name} names no frame of ${found.id}.`))
      this.#changing = this.#changeArtworks(false)
      await this.#changing
    } catch (error) {
      if (!signal.aborted) this.#fail(error)
    }
  }

  #setSources(sources: FrameChoices<ArtworkSource | null>): void {
    this.#choices.sources = sources
    if (this.#choices.template !== null) this.#changing = this.#changeArtworks(true)
  }

  /** Draws with other pictures. `isChange`: they were chosen by the user or page just now. */
  async #changeArtworks(isChange: boolean): Promise<void> {
    const { sources, frames } = this.#choices
    const before = this.#frameArtworks.artworks
    try {
      if ((await this.#frameArtworks.change(choicesOf(sources, frames))) === 'late') return
      this.#view.hideError()
      const isNew = this.#frameArtworks.artworks.some((artwork, frame) => artwork !== null && artwork !== before[frame])
      if (isNew) this.#view.announcer.say(this.#texts.shown)
    } catch (error) {
      this.#fail(error)
      if (!isChange) this.#show()
      return
    }
    if (isChange) this.#changed()
    else this.#show()
  }

  #place(change: PlacementChange): void {
    if (this.#isDisabled || this.#choices.template === null) return
    this.#choices.place(change)
    this.#show()
    this.#view.announcer.say(this.#choices.placedText(this.#texts))
  }

  /** Notifies the page of a choice, at the end of a gesture. */
  #changed(): void {
    this.#show()
    this.#dispatch('vitrine-change', this.value)
  }

  /** Updates the form value, the accessible description and the canvas. */
  #show(): void {
    this.#describe()
    if (this.#choices.template !== null) this.#drawing = this.#newest.run('draw', () => this.#draw())
  }

  async #draw(): Promise<void> {
    const { template } = this.#choices
    if (template === null) return
    try {
      const colors = knownColors(this.#choices.colors, template.colors)
      const placements = choicesOf(this.#choices.placements, template.frames)
      const bitmap = await this.#drawn.draw(placements, colors)
      // Another template may have been requested meanwhile.
      if (this.#choices.template === template) this.#present(bitmap, template)
      else bitmap.close()
    } catch (error) {
      if (this.#choices.template === template) this.#fail(error)
    }
  }

  #present(bitmap: ImageBitmap, { id, name, frames, colors }: EmbeddedTemplate): void {
    const { width, height } = bitmap
    this.#view.showBitmap(bitmap)
    if (this.#isReady) return
    this.#isReady = true
    this.#describe()
    this.#dispatch('vitrine-ready', { template: { id, name, frames, colors }, width, height })
  }

  #describe(): void {
    const isEditable = this.hasAttribute('editable')
    const { template, chosen, colors, placement } = this.#choices
    const { artworks } = this.#frameArtworks
    const hasArtwork = artworks.some(artwork => artwork !== null)
    const { artwork: named, keys } = this.#texts
    this.#view.showPicture(this.#isReady, this.getAttribute('alt') ?? template?.name ?? '')
    this.#view.showSurface(this.#isReady && isEditable && hasArtwork && !this.#isDisabled, {
      label: [named, this.#frameText(chosen)].filter(Boolean).join(', '),
      keys,
      scale: placement.scale,
      placed: this.#choices.placedText(this.#texts),
    })
    this.#setFormValue()
    if (isEditable && template !== null) this.#controls ??= this.#buildControls(template)
    else this.#controls = null
    this.#view.showControls(this.#controls)
    const isMovable = this.#pointerTarget() !== null
    this.#controls?.update({ colors, chosen, isMovable, isDisabled: this.#isDisabled })
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
    return key === null ? '' : this.#texts.frame.replace('{frame}', this.#choices.frameName(key))
  }

  #buildControls({ colors: areas, frames }: EmbeddedTemplate): Controls {
    const keys = keysOf(frames)
    return buildControls({
      texts: this.#texts,
      areas,
      frames:
        keys.length > 1
          ? keys.map(key => ({ key, label: this.#frameText(key), short: this.#choices.frameName(key) }))
          : [],
      onFrame: key => {
        this.#choices.chosen = key
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
        this.#choices.colors = { ...this.#choices.colors, [area]: value }
        this.#changed()
      },
    })
  }

  #chooseFile(file: File): void {
    this.#setSources(this.#choices.withFile(file))
  }

  /** The frame at a point of the window, if any. If frames are placed separately, selects it. */
  #frameAt(at: Client): number | null {
    const before = this.#choices.chosen
    const index = this.#choices.chooseAt(this.#view.shareAt(at))
    if (this.#choices.chosen !== before) this.#describe()
    return index
  }

  /** The artwork to grab at a point; without a point, that of the selected frames. */
  #pointerTarget(at?: Client): PointerTarget | null {
    if (this.#isDisabled || this.#choices.template === null) return null
    return this.#choices.pointerTarget(at === undefined ? null : this.#frameAt(at))
  }

  #fail(thrown: unknown): void {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    const code = thrown instanceof EmbedError ? thrown.code : 'PREVIEW_FAILED'
    // Shows only errors that a shopper can correct; the others are for the shop.
    this.#view.showError(message, code.startsWith('ARTWORK_'))
    this.#dispatch('vitrine-error', { code, message })
  }

  #dispatch(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }
}

// A page may load the program twice.
if (customElements.get('vitrine-mockup') === undefined) customElements.define('vitrine-mockup', VitrineMockup)
