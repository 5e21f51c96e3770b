/** What the page and the shopper have chosen for the frames of a template: pictures, placements, colours. */
import { centredCover, type Placement } from '@vitrine/engine'
import {
  type FramePlane,
  movedBy,
  type PlacementChange,
  type Point,
  type PointerTarget,
  startPlacement,
  toFrame,
} from '@vitrine/live'
import type { ArtworkSource, Colors, Frame, MockupValue } from './element-types.ts'
import type { FrameArtworks } from './frame-artworks.ts'
import { begun, choicesOf, choose, type FrameChoices, firstNamed, keyOf, knownChoices } from './frame-choices.ts'
import { type EmbeddedTemplate, isRecord, knownColors } from './preview-service.ts'
import type { Texts } from './texts.ts'
import { parseArtworks, parseColors, parseJson, parsePlacement, parsePlacements, valueOf } from './value.ts'

export class MockupChoices {
  readonly #frameArtworks: FrameArtworks
  template: EmbeddedTemplate | null = null
  #planes: readonly FramePlane[] = []
  sources: FrameChoices<ArtworkSource | null> = { all: null, byKey: {} }
  /** `all`: null until the page or the shopper has chosen a placement. */
  chosenPlacements: FrameChoices<Placement | null> = { all: null, byKey: {} }
  /** The key that pointer, buttons and picture choice apply to; null: all frames. */
  chosen: string | null = null
  colors: Colors = {}

  constructor(frameArtworks: FrameArtworks) {
    this.#frameArtworks = frameArtworks
  }

  /** Applies the choices to another template. */
  begin(template: EmbeddedTemplate, planes: readonly FramePlane[]): void {
    this.#planes = planes
    this.template = template
    this.#frameArtworks.begin(template.frames.length)
    this.chosen = firstNamed(template.frames, [this.sources, this.chosenPlacements])
  }

  get frames(): readonly Frame[] {
    return this.template?.frames ?? []
  }

  /** Choices for frames that the template does not have, such as `artworks.2`. */
  get unknown(): readonly string[] {
    return Object.entries({ artworks: this.sources, placements: this.chosenPlacements }).flatMap(([name, choices]) =>
      knownChoices<unknown>(choices, this.frames).unknown.map(key => `${name}.${key}`),
    )
  }

  /** @throws EmbedError ATTRIBUTE_INVALID */
  readPlacements(element: Element): void {
    const all = element.getAttribute('placement')
    this.chosenPlacements = {
      all: all === null ? null : parsePlacement(parseJson('placement', all)),
      byKey: parsePlacements(parseJson('placements', element.getAttribute('placements'))),
    }
  }

  /** @throws EmbedError ATTRIBUTE_INVALID */
  readArtworks(element: Element): Readonly<Record<string, ArtworkSource>> {
    return parseArtworks(parseJson('artworks', element.getAttribute('artworks')))
  }

  /** @throws EmbedError ATTRIBUTE_INVALID */
  readColors(element: Element): void {
    this.colors = parseColors(parseJson('colors', element.getAttribute('colors')))
  }

  /** Restores the placements and colours of a form value. @throws EmbedError ATTRIBUTE_INVALID */
  restore(state: string): void {
    const value = parseJson('value', state)
    if (!isRecord(value)) return
    this.chosenPlacements = {
      all: value['placement'] === undefined ? null : parsePlacement(value['placement']),
      byKey: parsePlacements(value['placements'] ?? {}),
    }
    this.colors = parseColors(value['colors'] ?? {})
  }

  /** By default, pictures with transparent parts are shown whole, with a margin, on products. */
  get placements(): FrameChoices<Placement> {
    const isProduct = this.template?.type === 'product'
    const { artworks } = this.#frameArtworks
    const starts = artworks.map(artwork => startPlacement(isProduct, artwork?.isClear === true))
    return begun(this.chosenPlacements, this.frames, starts, centredCover)
  }

  /** The placement that pointer, buttons and texts refer to. */
  get placement(): Placement {
    const { frames, placements } = this
    const index = frames.findIndex(frame => keyOf(frame) === this.chosen)
    return choicesOf(placements, frames)[index] ?? placements.all
  }

  place(change: PlacementChange): void {
    const placement = { ...this.placement, ...change }
    this.chosenPlacements = choose(this.chosenPlacements, this.chosen, placement, this.frames)
  }

  /** The sources after a picture is chosen for the selected frames. */
  withFile(file: File): FrameChoices<ArtworkSource | null> {
    return choose(this.sources, this.chosen, file, this.frames)
  }

  /** What a form submits. `template`: its id, until it has loaded. */
  valueFor(template: string): MockupValue {
    const { artworks } = this.#frameArtworks
    const { placements, colors } = this
    if (this.template === null) return valueOf({ template, placements, colors, artworks })
    const { id, colors: areas, frames } = this.template
    return valueOf({
      template: id,
      placements: knownChoices(placements, frames).choices,
      colors: knownColors(colors, areas),
      artworks,
    })
  }

  frameName(key: string): string {
    const index = this.frames.findIndex(frame => String(frame.index) === key)
    return index < 0 ? key : String(index + 1)
  }

  /** The placement in words. */
  placedText({ placed }: Texts): string {
    const { fit, scale, rotation, focus, x, y } = this.placement
    const [across, down] = fit === 'cover' && scale >= 1 ? focus : [x, y]
    const values = { scale: scale * 100, rotation, x: across * 100, y: down * 100 }
    return Object.entries(values).reduce(
      (text, [name, value]) => text.replace(`{${name}}`, String(Math.round(value))),
      placed,
    )
  }

  /** The frame at a point of the picture, if any. If frames are placed separately, selects it. */
  chooseAt(point: Point): number | null {
    const isInside = (plane: FramePlane): boolean => toFrame(plane, point).every(share => share >= 0 && share <= 1)
    const index = this.#planes.findLastIndex(isInside)
    const frame = this.frames[index]
    if (frame === undefined) return null
    if (this.chosen !== null) this.chosen = keyOf(frame)
    return index
  }

  /** The artwork to grab in a frame; without one, that of the selected frames. */
  pointerTarget(pressed: number | null): PointerTarget | null {
    const { artworks } = this.#frameArtworks
    const isChosen = (frame: Frame): boolean => this.chosen === null || keyOf(frame) === this.chosen
    const first = this.frames.findIndex((frame, index) => isChosen(frame) && (artworks[index] ?? null) !== null)
    const index = pressed !== null && (artworks[pressed] ?? null) !== null ? pressed : first
    const [plane, artwork] = [this.#planes[index], artworks[index]]
    if (plane === undefined || artwork === undefined || artwork === null) return null
    const { widthPx: width, heightPx: height } = artwork
    const placement = this.placement
    const placed = { width, height, aspectRatio: plane.aspectRatio }
    return { placement, plane, move: (by, reach) => movedBy(placement, placed, by, reach) }
  }
}
