import type { Rect } from '@vitrine/engine'
import type { Layer } from 'ag-psd'
import { readBlendIf } from '../compositing/blend-if.ts'
import { type ClippingSet, clippingSets } from '../compositing/clipping-sets.ts'
import {
  composeSet,
  type Drawing,
  drawingOf,
  isApart,
  keepsFill,
  modeOf,
  nameOf,
  noteEffects,
  noteUndrawnBlending,
  reachOf,
  shapeOf,
  totalOpacityOf,
} from '../compositing/compose-layers.ts'
import { hasEffects, undrawnMargin } from '../compositing/effects.ts'
import { createPicture, type FloatPicture, multiplyPlane } from '../compositing/float-picture.ts'
import { type Weight, weightOf } from '../compositing/layer-mask.ts'
import { hasSource } from '../compositing/layer-source.ts'
import { passesThrough } from '../compositing/pass-through.ts'
import type { ImportNotes } from '../notes.ts'
import { readFilterMask } from '../reading/filter-mask.ts'
import type { PsdDocument } from '../reading/open-document.ts'
import { baseEffects, coversFrames } from './base-effects.ts'
import type { ChosenColor } from './choose-colors.ts'
import type { FrameCandidate } from './choose-frames.ts'
import { foldNormal } from './fold.ts'
import { frameEffects } from './frame-effects.ts'
import { readFrameFilters } from './frame-filters.ts'
import { buildFrameGeometry, frameGeometryOf } from './frame-geometry.ts'
import { conversionInto, operationsInSrgb } from './in-srgb.ts'
import { adjustmentOf, groundOf, picturesOf, pixelWeight } from './layer-operations.ts'
import type { LayerOutcome } from './layer-outcome.ts'
import { mergeFrame } from './merge-frame.ts'
import { isOpen } from './open-groups.ts'
import { type FrameOperation, type Operation } from './operation.ts'
import { placeCard } from './placed-file.ts'
import { smartFilters, weightOfFilters } from './smart-filters.ts'

/** Turns layers into operations; what lies below the first frame is baked. */
export class Converter {
  readonly baked: ClippingSet[] = []
  readonly operations: Operation[] = []
  readonly outcomes: LayerOutcome[] = []
  readonly #document: PsdDocument
  readonly #drawing: Drawing
  readonly #chosen: ReadonlyMap<Layer, FrameCandidate>
  /** smart objects with frames in their files */
  readonly #cards: ReadonlyMap<Layer, readonly FrameCandidate[]>
  /** how many smart objects the document lies in */
  readonly #depth: number
  readonly #colors: ReadonlyMap<Layer, ChosenColor>
  /** frames and changeable colours, and every group around one */
  readonly #moving = new Set<Layer>()
  #isBaking = true

  constructor(
    document: PsdDocument,
    chosen: readonly FrameCandidate[],
    colors: readonly ChosenColor[],
    drawing: Drawing,
    depth = 0,
  ) {
    this.#document = document
    this.#drawing = drawing
    this.#depth = depth
    const own = chosen.filter(({ cards }) => cards.length === depth)
    this.#chosen = new Map(own.map(candidate => [candidate.layer, candidate]))
    this.#cards = Map.groupBy(
      chosen.filter(({ cards }) => cards.length > depth),
      ({ layer, cards }) => cards[depth]?.layer ?? layer,
    )
    this.#colors = new Map(colors.map(color => [color.layer, color]))
    for (const layer of [...this.#chosen.keys(), ...this.#cards.keys(), ...this.#colors.keys()]) {
      for (let each: Layer | undefined = layer; each; each = document.parentOf.get(each)) this.#moving.add(each)
    }
  }

  run(): void {
    this.#walkScene(this.#document.layers)
  }

  /** Bakes until the first frame. Pass-through groups are entered: what lies below it in them is baked. */
  #walkScene(layers: readonly Layer[]): void {
    for (const set of clippingSets(layers)) {
      const { base, clipped } = set
      if (!this.#isBaking) {
        this.#addSet(set, this.operations)
        continue
      }
      if (!this.#moves(set)) {
        this.baked.push(set)
        for (const layer of [base, ...clipped]) this.outcomes.push({ layer: nameOf(layer), outcome: 'baked' })
        continue
      }
      if (base.children && isOpen(base) && clipped.length === 0) {
        noteUndrawnBlending(set, this.#drawing.notes)
        this.#walkScene(base.children)
        continue
      }
      this.#isBaking = false
      this.#addSet(set, this.operations)
    }
  }

  #moves({ base, clipped }: ClippingSet): boolean {
    return this.#moving.has(base) || clipped.some(layer => this.#moving.has(layer))
  }

  #addAll(layers: readonly Layer[], list: Operation[]): void {
    for (const set of clippingSets(layers)) this.#addSet(set, list)
  }

  #addSet(set: ClippingSet, list: Operation[]): void {
    noteUndrawnBlending(set, this.#drawing.notes)
    const { below } = readBlendIf(set.base)
    if (!below) return this.#addWhole(set, list)
    const operations: Operation[] = []
    this.#addWhole(set, operations)
    list.push({ kind: 'mix', names: [nameOf(set.base)], operations, opacity: 1, weight: null, where: below })
  }

  /** Draws a set regardless of the colours below it. */
  #addWhole(set: ClippingSet, list: Operation[]): void {
    const { base, clipped } = set
    const frame = this.#chosen.get(base)
    const color = this.#colors.get(base)
    const inCard = this.#cards.get(base)
    if (frame) this.#addFrame(frame, clipped, list)
    else if (inCard) this.#addCard(base, inCard, clipped, list)
    else if (color) this.#addColor(color, clipped, list)
    else if (base.adjustment) this.#addAdjustment(base, clipped, list)
    else if (isApart(set)) this.#addApart(set, list)
    else if (base.children && passesThrough(set)) this.#addPassThrough(base, base.children, list)
    else if (!this.#moves(set)) this.#addStatic(set, list)
    else if (base.children) this.#addGroup(base, base.children, clipped, list)
    else this.#addClippedFrames(base, clipped, list)
  }

  #addFrame(
    { layer, placed, name, displacement, missingMaps }: FrameCandidate,
    clipped: readonly Layer[],
    list: Operation[],
  ): void {
    const { notes, canvas, document } = this.#drawing
    const filterMask = readFilterMask(placed, document.filterMasks, canvas)
    const geometry = frameGeometryOf(document.file, layer, placed, displacement, canvas, filterMask !== null)
    const effects = frameEffects(layer, geometry, this.#drawing)
    noteEffects(layer, 'layerForEffect', notes)
    const drawn = { isFrame: true, isDisplaced: displacement !== null, missingMaps }
    const inner: Operation[] = [...smartFilters(layer, placed, document, filterMask, notes, drawn)]
    for (const each of clipped) this.#addSet({ base: each, clipped: [] }, inner)
    const frame: FrameOperation = {
      kind: 'frame',
      names: [name],
      layer,
      document: this.#document,
      geometry,
      mode: modeOf(layer, this.#drawing),
      opacity: layer.opacity ?? 1,
      fill: layer.fillOpacity ?? 1,
      inner,
      effects,
      filters: readFrameFilters(placed, weightOfFilters(filterMask)),
      undrawnPx: undrawnMargin(layer.effects),
    }
    this.outcomes.push({ layer: name, outcome: 'frame' })
    const where = readBlendIf(layer).own
    // A mask is sharp: it applies after the filters.
    const weight = frame.filters ? geometry.mask : null
    if (!where && !weight) {
      list.push(frame)
      return
    }
    const { mode, opacity, fill, names } = frame
    const inside = weight ? buildFrameGeometry({ ...geometry, mask: null }, canvas) : geometry
    const operations: Operation[] = [{ ...frame, geometry: inside, mode: 'normal', opacity: 1, fill: 1 }]
    list.push({ kind: 'group', names, operations, clip: [], mode, opacity, fill, weight, where })
  }

  /** A smart object with frames in its file: a group of the file's operations, where the file is placed. */
  #addCard(base: Layer, inside: readonly FrameCandidate[], clipped: readonly Layer[], list: Operation[]): void {
    const { notes, canvas } = this.#drawing
    const card = inside[0]?.cards[this.#depth]
    if (!card) throw new Error('Expected the smart object around a frame.')
    const { file, profile, filterMasks } = this.#document
    const inner = convertCard(inside, card.document, notes, this.#depth + 1)
    this.outcomes.push(
      ...inner.outcomes.map(({ layer, outcome }) => ({ layer: `${nameOf(base)} / ${layer}`, outcome })),
    )
    const conversion = conversionInto(card.document.profile, profile)
    if (conversion === 'unknown') {
      notes.add('approximated', nameOf(base), 'its file has another colour profile, and its colours are not converted')
    }
    const folded = foldNormal(inner.operations)
    const inColors = conversion && conversion !== 'unknown' ? operationsInSrgb(folded, conversion) : folded
    const placedFile = placeCard(card, file, canvas)
    const operations = placedFile.operations(inColors)
    const mask = weightOf(file, base)
    const filterMask = readFilterMask(card.placed, filterMasks, canvas)
    const drawn = { isFrame: false, isDisplaced: false, missingMaps: [] }
    const clip: Operation[] = [...smartFilters(base, card.placed, this.#document, filterMask, notes, drawn)]
    for (const each of clipped) this.#addSet({ base: each, clipped: [] }, clip)
    const masked = (rect: Rect): Float32Array => {
      const coverage = placedFile.coverage(rect)
      const plane = mask?.(rect)
      if (plane) multiplyPlane(coverage, plane)
      return coverage
    }
    const [only, ...others] = operations
    // If artwork fills the file, its edges are the file's.
    const isStill = only?.kind === 'frame' && only.geometry.displacement === null
    const isFilled = isStill && placedFile.isFilledBy(only.geometry.placement)
    const weight = isFilled && others.length === 0 ? mask : masked
    if (!this.#mergeFrame(base, operations, clip, weight, list)) this.#addShaped(base, operations, clip, masked, list)
  }

  /** Adds a group as the only frame in it. Returns whether that is possible. */
  #mergeFrame(
    base: Layer,
    operations: readonly Operation[],
    clip: readonly Operation[],
    weight: Weight,
    list: Operation[],
  ): boolean {
    const merged = mergeFrame(base, operations, clip, weight, this.#drawing)
    if (!merged) return false
    list.push(merged)
    noteEffects(base, 'layerForEffect', this.#drawing.notes)
    return true
  }

  /** Clipped layers that blend with what is there, within their base's shape. */
  #addApart({ base, clipped }: ClippingSet, list: Operation[]): void {
    const { canvas, notes } = this.#drawing
    const own: Operation[] = []
    this.#addSet({ base, clipped: [] }, own)
    if (this.#moving.has(base) && !coversFrames(own, null, canvas)) {
      const text = 'what is clipped to it is drawn within the shape that is saved, not within that of the artwork'
      notes.add('approximated', nameOf(base), text)
    }
    list.push(...own)
    const operations: Operation[] = []
    for (const each of clipped) this.#addSet({ base: each, clipped: [] }, operations)
    const weight = (rect: Rect): Float32Array => shapeOf({ base, clipped: [] }, rect, this.#drawing)
    const opacity = base.opacity ?? 1
    list.push({ kind: 'mix', names: [nameOf(base)], operations, opacity, weight, where: null })
  }

  /** What is clipped to a colour is drawn on it, within its shape. */
  #addColor({ name, layer, color }: ChosenColor, clipped: readonly Layer[], list: Operation[]): void {
    const bounds = reachOf(layer, this.#drawing.canvas)
    const weight = pixelWeight(layer, this.#drawing)
    const names = [nameOf(layer)]
    const mode = modeOf(layer, this.#drawing)
    const opacity = totalOpacityOf(layer)
    this.outcomes.push({ layer: nameOf(layer), outcome: 'above' })
    if (clipped.length === 0) {
      list.push({ kind: 'color', names, area: name, color, mode, opacity, bounds, weight })
      return
    }
    const whole: Operation = {
      kind: 'color',
      names,
      area: name,
      color,
      mode: 'normal',
      opacity: 1,
      bounds,
      weight: null,
    }
    const operations: Operation[] = [whole]
    for (const each of clipped) this.#addSet({ base: each, clipped: [] }, operations)
    list.push({ kind: 'group', names, operations, clip: [], mode, opacity, fill: 1, weight, where: null })
  }

  #addAdjustment(layer: Layer, clipped: readonly Layer[], list: Operation[]): void {
    const operation = adjustmentOf(layer, this.#drawing)
    if (operation) this.#note(layer)
    if (clipped.length === 0) {
      if (operation) list.push(operation)
      return
    }
    const operations: Operation[] = operation ? [{ ...operation, opacity: 1, weight: null }] : []
    for (const each of clipped) this.#addSet({ base: each, clipped: [] }, operations)
    const opacity = totalOpacityOf(layer)
    const weight = weightOf(this.#document.file, layer)
    list.push({ kind: 'mix', names: [nameOf(layer)], operations, opacity, weight, where: null })
  }

  #addPassThrough(layer: Layer, children: readonly Layer[], list: Operation[]): void {
    const opacity = totalOpacityOf(layer)
    const weight = weightOf(this.#document.file, layer)
    const operations: Operation[] = []
    this.#addAll(children, operations)
    if (hasEffects(layer.effects) && this.#mergeFrame(layer, operations, [], weight, list)) return
    const effects = this.#effectsOf(layer, false, operations, weight)
    list.push(...effects.below)
    if (opacity >= 1 && !weight) list.push(...operations)
    else list.push({ kind: 'mix', names: [nameOf(layer)], operations, opacity, weight, where: null })
    list.push(...effects.inside)
  }

  /** A layer or a group without a frame: its pictures are drawn at import. */
  #addStatic(set: ClippingSet, list: Operation[]): void {
    const { base } = set
    if (!base.children && !hasSource(base)) {
      const hasContent = base.placedLayer || base.text || base.vectorFill
      if (hasContent) this.#drawing.notes.leaveOut(nameOf(base), 'no pixels of it are stored', 'rasterize')
      return
    }
    this.#note(base)
    list.push(...picturesOf(set, this.#drawing))
  }

  #addGroup(layer: Layer, children: readonly Layer[], clipped: readonly Layer[], list: Operation[]): void {
    const operations: Operation[] = []
    this.#addAll(children, operations)
    const clip: Operation[] = []
    for (const each of clipped) this.#addSet({ base: each, clipped: [] }, clip)
    const weight = weightOf(this.#document.file, layer)
    if (hasEffects(layer.effects) && this.#mergeFrame(layer, operations, clip, weight, list)) return
    this.#addShaped(layer, operations, clip, weight, list)
  }

  /** Frames that are clipped to a layer with pixels: a group of the layer's colour, its alpha as weight. */
  #addClippedFrames(base: Layer, clipped: readonly Layer[], list: Operation[]): void {
    if (!hasSource(base)) {
      for (const layer of clipped) this.#addSet({ base: layer, clipped: [] }, list)
      return
    }
    const operations: Operation[] = [groundOf(base, this.#drawing)]
    for (const layer of clipped) this.#addSet({ base: layer, clipped: [] }, operations)
    this.#note(base)
    this.#addShaped(base, operations, [], pixelWeight(base, this.#drawing), list)
  }

  /** A group in the shape of a layer, with the layer's effects around it and over what is clipped. */
  #addShaped(
    base: Layer,
    operations: readonly Operation[],
    clip: readonly Operation[],
    weight: Weight,
    list: Operation[],
  ): void {
    const effects = this.#effectsOf(base, true, operations, weight)
    const mode = modeOf(base, this.#drawing)
    const fill = base.fillOpacity ?? 1
    const isKept = keepsFill(mode, fill)
    list.push(...effects.below, {
      kind: 'group',
      names: [nameOf(base)],
      operations,
      clip: [...clip, ...effects.inside],
      mode,
      opacity: (base.opacity ?? 1) * (isKept ? 1 : fill),
      fill: isKept ? fill : 1,
      weight,
      where: readBlendIf(base).own,
    })
  }

  /** Of a layer or a group with frames in it. */
  #effectsOf(
    base: Layer,
    isClip: boolean,
    operations: readonly Operation[],
    weight: Weight,
  ): ReturnType<typeof baseEffects> {
    const { notes, canvas } = this.#drawing
    noteEffects(base, 'layerForEffect', notes)
    const holdsMore = hasEffects(base.effects) && (base.children || base.placedLayer)
    if (holdsMore && !coversFrames(operations, weight, canvas)) {
      notes.add(
        'approximated',
        nameOf(base),
        'its effects are drawn along the shape that is saved, not the artwork, for it holds more than the design',
      )
    }
    return baseEffects(base, this.#drawing, isClip)
  }

  #note(layer: Layer): void {
    this.outcomes.push({ layer: nameOf(layer), outcome: 'above' })
  }
}

/** All operations of an embedded file, in its own pixels, on a transparent backdrop. */
function convertCard(
  inside: readonly FrameCandidate[],
  document: PsdDocument,
  notes: ImportNotes,
  depth: number,
): { readonly operations: readonly Operation[]; readonly outcomes: readonly LayerOutcome[] } {
  const { widthPx, heightPx } = document
  const bounds: Rect = { left: 0, top: 0, widthPx, heightPx }
  const drawing = drawingOf(document, notes)
  const converter = new Converter(document, inside, [], drawing, depth)
  converter.run()
  const { baked, operations, outcomes } = converter
  if (baked.length === 0) return { operations, outcomes }
  const draw = (rect: Rect): FloatPicture => {
    const picture = createPicture(rect)
    for (const set of baked) composeSet(set, picture, drawing)
    return picture
  }
  const names = baked.map(({ base }) => nameOf(base))
  return { operations: [{ kind: 'picture', names, mode: 'normal', fill: 1, bounds, draw }, ...operations], outcomes }
}
