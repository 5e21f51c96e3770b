import { type BlendMode, intersectRects, type Rect, uniteRects } from '@vitrine/engine'
import type { Layer } from 'ag-psd'
import { adjustmentFormula, readAdjustment } from '../adjusting/adjustment.ts'
import type { ColorFormula } from '../adjusting/color-adjustments.ts'
import type { advice, ImportNotes } from '../notes.ts'
import type { PsdDocument } from '../reading/open-document.ts'
import { isEmpty, spread } from '../rects.ts'
import { blendColors, hasOwnFill, readBlendMode } from './blend-formulas.ts'
import { limitOwn, readBlendIf, weightsBelow } from './blend-if.ts'
import { blendOver } from './blend-over.ts'
import { type ClippingSet, clippingSets } from './clipping-sets.ts'
import { EffectMasks, type Matte } from './effect-masks.ts'
import {
  type EffectPicture,
  effectMargin,
  hasEffects,
  type LayerEffect,
  limitedEffects,
  MAX_SIZE_PX,
  planEffects,
  readEffects,
  shapedOf,
  undrawnEffects,
} from './effects.ts'
import {
  anyAlpha,
  copyPicture,
  createPicture,
  cutPlane,
  type FloatPicture,
  mixPictures,
  multiplyPlane,
} from './float-picture.ts'
import { isSoftShape, readMask } from './layer-mask.ts'
import { hasSource, isDrawnByFill, layerRect } from './layer-source.ts'
import { mixesBoth, passesThrough } from './pass-through.ts'
import { readShown } from './shown-source.ts'

/** What drawing needs in addition to the layers. */
export type Drawing = {
  readonly document: PsdDocument
  readonly canvas: Rect
  readonly notes: ImportNotes
  /** Retains masks of effects, which a drawing with other pixels may not share. */
  readonly masks: EffectMasks
  /** A picture to use instead of a layer's own pixels; null: the layer's own. */
  readonly replace?: (layer: Layer, rect: Rect) => FloatPicture | null
}

/** A drawing of the layers' own pixels. */
export function drawingOf(document: PsdDocument, notes: ImportNotes): Drawing {
  const { widthPx, heightPx, layers } = document
  const canvas = { left: 0, top: 0, widthPx, heightPx }
  return { document, canvas, notes, masks: new EffectMasks(countEffects(layers)) }
}

export function countEffects(layers: readonly Layer[]): number {
  const counts = layers.map(({ effects, children }) => readEffects(effects, 0).length + countEffects(children ?? []))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Draws layers over a picture, in place. */
export function composeLayers(layers: readonly Layer[], out: FloatPicture, drawing: Drawing): void {
  for (const set of clippingSets(layers)) composeSet(set, out, drawing)
}

/** Draws a layer and the layers clipped to it over a picture, in place. */
export function composeSet(set: ClippingSet, out: FloatPicture, drawing: Drawing): void {
  if (isEmpty(intersectRects(reachOf(set.base, drawing.canvas), out.rect))) return
  noteUndrawnBlending(set, drawing.notes)
  const { below } = readBlendIf(set.base)
  if (!below) return composeWhole(set, out, drawing)
  const before = copyPicture(out)
  composeWhole(set, out, drawing)
  mixPictures(before, out, 1, weightsBelow(before, below))
}

/** Regardless of the colours below it. */
function composeWhole(set: ClippingSet, out: FloatPicture, drawing: Drawing): void {
  const { base, clipped } = set
  if (isApart(set)) return composeApart(set, out, drawing)
  if (base.adjustment) return composeAdjustment(base, clipped, out, drawing)
  if (base.children && passesThrough(set)) return composePassThrough(base, base.children, out, drawing)
  for (const { draw, mode, opacity, fill } of planSet(set, drawing)) blendOver(out, draw(out.rect), mode, opacity, fill)
}

/** *Blend Clipped Layers as Group* is off, or a group passes through: what is clipped meets what is below. */
export function isApart(set: ClippingSet): boolean {
  const { base, clipped } = set
  if (clipped.length === 0 || base.adjustment) return false
  return base.blendClippendElements === false || passesThrough(set)
}

/** Draws the base, and on it each clipped layer within the base's shape, which fill does not weaken. */
function composeApart({ base, clipped }: ClippingSet, out: FloatPicture, drawing: Drawing): void {
  composeWhole({ base, clipped: [] }, out, drawing)
  const before = copyPicture(out)
  for (const layer of clipped) composeSet({ base: layer, clipped: [] }, out, drawing)
  mixPictures(before, out, base.opacity ?? 1, shapeOf({ base, clipped: [] }, out.rect, drawing))
}

/** The alpha of a layer or a group with its masks, over a rectangle. */
export function shapeOf(set: ClippingSet, rect: Rect, drawing: Drawing): Float32Array {
  const own = drawOwn(set, rect, drawing)
  return own ? cutPlane(own.alpha, own.rect, rect) : new Float32Array(rect.widthPx * rect.heightPx)
}

/** One picture of a layer, and how it blends with what is below. */
export type PlannedPicture = {
  readonly draw: (rect: Rect) => FloatPicture
  readonly mode: BlendMode
  readonly opacity: number
  readonly fill: number
}

/**
 * The pictures of a layer or an isolated group and the layers clipped to it, each drawn when it is needed:
 * effects below, then the layer with inner effects. Their alpha includes masks.
 */
export function planSet({ base, clipped }: ClippingSet, drawing: Drawing): readonly PlannedPicture[] {
  const { document, canvas, masks, notes } = drawing
  const mode = modeOf(base, drawing)
  const opacity = base.opacity ?? 1
  const fill = base.fillOpacity ?? 1
  const read = readEffects(base.effects, document.globalAngle)
  noteEffects(base, 'rasterizeEffects', notes)
  const draw = (rect: Rect): FloatPicture =>
    drawOwn({ base, clipped }, rect, drawing) ?? createPicture({ ...rect, widthPx: 0, heightPx: 0 })
  const own: PlannedPicture = { draw, mode, opacity, fill }
  if (read.length === 0) return [own]
  const reach = reachOf(base, everywhere)
  const matte = matteOf({ base, clipped }, read, fill * opacity, drawing)
  const effects = planEffects(read, matte, masks, boxOf(base, canvas), canvas)
  const below = effects.below.map(
    (each: EffectPicture): PlannedPicture => ({ ...each, opacity: each.opacity * opacity, fill: 1 }),
  )
  const pictures = [...below, ...paintInside(own, effects.inside, rect => masks.shape(matte, rect))]
  return pictures.map(each => ({ ...each, draw: rect => each.draw(intersectRects(rect, reach)) }))
}

/** Farther than any layer: its reach is not limited. */
const everywhere: Rect = { left: -1e6, top: -1e6, widthPx: 2e6, heightPx: 2e6 }

/** What the effects of a layer or a group are drawn from. `opacity`: the layer's, including fill. */
export function matteOf(
  { base, clipped }: ClippingSet,
  effects: readonly LayerEffect[],
  opacity: number,
  drawing: Drawing,
): Matte {
  // Clipped layers change the shape only if it depends on colours.
  const set = { base, clipped: readBlendIf(base).own ? clipped : [] }
  return {
    sources: [base, ...set.clipped],
    shapeIn: rect => shapeOf(set, rect, drawing),
    opacity,
    bounds: reachOf(base, drawing.canvas),
    effects: shapedOf(effects),
  }
}

/** What gradients of a layer's effects span: its pixels, or where those of a group reach. */
export function boxOf(layer: Layer, canvas: Rect): Rect {
  const own = layerRect(layer)
  return isEmpty(own) ? reachOf(layer, canvas) : own
}

/**
 * A layer's own picture with the effects on it. More than one if an effect also blends with what is below
 * the layer, because the layer's fill or mode shows that. Fill does not apply to effects.
 */
function paintInside(
  own: PlannedPicture,
  inside: readonly EffectPicture[],
  shapeIn: (rect: Rect) => Float32Array,
): readonly PlannedPicture[] {
  if (inside.length === 0) return [own]
  const { mode, fill, opacity } = own
  if (mode === 'normal' && fill === 1) {
    const draw = (rect: Rect): FloatPicture => {
      const picture = own.draw(rect)
      const opaque: FloatPicture = { ...picture, alpha: anyAlpha(picture.alpha) }
      for (const each of inside) blendOver(opaque, each.draw(picture.rect), each.mode, each.opacity, 1)
      return picture
    }
    return [{ ...own, draw }]
  }
  const layers: PlannedPicture[] = [own]
  for (const each of inside) {
    if (each.isWhole) layers.length = 0
    const draw = (rect: Rect): FloatPicture => {
      const picture = each.draw(rect)
      multiplyPlane(picture.alpha, shapeIn(rect))
      return picture
    }
    layers.push({ draw, mode: each.mode, opacity: each.opacity * opacity, fill: 1 })
  }
  return layers
}

/** A layer's own colour with the layers clipped to it; alpha includes masks. Null if nothing can be drawn. */
function drawOwn({ base, clipped }: ClippingSet, rect: Rect, drawing: Drawing): FloatPicture | null {
  const source = drawSource(base, rect, drawing)
  if (!source) {
    if (!hasSource(base) && !base.children) noteUndrawn(base, drawing)
    return null
  }
  const mask = readMask(drawing.document.file, base, source.rect)
  if (mask) multiplyPlane(source.alpha, mask)
  const blendIf = readBlendIf(base)
  if (clipped.length === 0) {
    limitOwn(source, blendIf)
    return source
  }
  // Clipped layers blend with the base's colour as if it were opaque; the base's alpha is the shape of all.
  const inside: FloatPicture = { rect: source.rect, color: source.color, alpha: anyAlpha(source.alpha) }
  for (const layer of clipped) composeSet({ base: layer, clipped: [] }, inside, drawing)
  limitOwn(source, blendIf)
  return source
}

/** A layer's own picture in its part of a rectangle; a group's layers are drawn on a transparent backdrop. */
function drawSource(layer: Layer, rect: Rect, drawing: Drawing): FloatPicture | null {
  const replaced = drawing.replace?.(layer, rect)
  if (replaced) return replaced
  if (!layer.children) return readShown(layer, rect, drawing)
  const group = createPicture(rect)
  composeLayers(layer.children, group, drawing)
  return group
}

function noteUndrawn(layer: Layer, { notes }: Drawing): void {
  if (layer.vectorFill)
    notes.leaveOut(nameOf(layer), `a fill of the kind "${layer.vectorFill.type}" without pixels`, 'rasterize')
  else if (layer.placedLayer) notes.leaveOut(nameOf(layer), 'a smart object without pixels', 'rasterize')
}

/** Draws an adjustment and what is clipped to it on what is below, in place; alpha stays. */
function composeAdjustment(layer: Layer, clipped: readonly Layer[], out: FloatPicture, drawing: Drawing): void {
  const weight = readMask(drawing.document.file, layer, out.rect)
  const amount = totalOpacityOf(layer)
  if (clipped.length === 0) return adjust(layer, out, amount, weight, drawing)
  const before = copyPicture(out)
  adjust(layer, out, 1, null, drawing)
  const inside: FloatPicture = { ...out, alpha: anyAlpha(out.alpha) }
  for (const each of clipped) composeSet({ base: each, clipped: [] }, inside, drawing)
  mixPictures(before, out, amount, weight)
}

function adjust(layer: Layer, out: FloatPicture, amount: number, weight: Float32Array | null, drawing: Drawing): void {
  const adjustment = layer.adjustment && readAdjustment(layer.adjustment)
  if (!adjustment) {
    drawing.notes.leaveOut(nameOf(layer), `an adjustment of the kind "${layer.adjustment?.type}"`, 'otherAdjustment')
    return
  }
  applyAdjustment(out, adjustmentFormula(adjustment), modeOf(layer, drawing), amount, weight)
}

/** Changes the colours of a picture, in place; alpha stays. `weight`: 0..1 per pixel, null for all. */
export function applyAdjustment(
  out: FloatPicture,
  formula: ColorFormula,
  mode: BlendMode,
  amount: number,
  weight: Float32Array | null,
): void {
  const { color, alpha } = out
  for (let k = 0; k < alpha.length; k++) {
    const share = amount * (weight ? (weight[k] ?? 0) : 1)
    if (share === 0 || (alpha[k] ?? 0) === 0) continue
    const b = [color[3 * k] ?? 0, color[3 * k + 1] ?? 0, color[3 * k + 2] ?? 0] as const
    const adjusted = formula(b)
    const result = mode === 'normal' ? adjusted : blendColors(mode, b, adjusted)
    for (const c of [0, 1, 2] as const) color[3 * k + c] = b[c] + share * (result[c] - b[c])
  }
}

/** Effects do not isolate a group: its layers blend with what is below it. */
function composePassThrough(layer: Layer, children: readonly Layer[], out: FloatPicture, drawing: Drawing): void {
  const read = readEffects(layer.effects, drawing.document.globalAngle)
  noteEffects(layer, 'rasterizeEffects', drawing.notes)
  if (read.length === 0) return composeChildren(layer, children, out, drawing)
  const opacity = layer.opacity ?? 1
  const { canvas, masks } = drawing
  const matte = matteOf({ base: layer, clipped: [] }, read, opacity * (layer.fillOpacity ?? 1), drawing)
  const { below, inside } = planEffects(read, matte, masks, boxOf(layer, canvas), canvas)
  const rect = intersectRects(out.rect, reachOf(layer, everywhere))
  for (const { draw, mode, opacity: own } of below) blendOver(out, draw(rect), mode, own * opacity, 1)
  composeChildren(layer, children, out, drawing)
  for (const { draw, mode, opacity: own } of inside) {
    const picture = draw(rect)
    multiplyPlane(picture.alpha, masks.shape(matte, rect))
    blendOver(out, picture, mode, own * opacity, 1)
  }
}

function composeChildren(layer: Layer, children: readonly Layer[], out: FloatPicture, drawing: Drawing): void {
  const opacity = totalOpacityOf(layer)
  const mask = readMask(drawing.document.file, layer, out.rect)
  if (!mask && opacity >= 1) return composeLayers(children, out, drawing)
  const before = copyPicture(out)
  composeLayers(children, out, drawing)
  mixPictures(before, out, opacity, mask)
}

/** Notes effects of a layer that are not drawn, or not as the file says. */
export function noteEffects(layer: Layer, toDo: keyof typeof advice, notes: ImportNotes): void {
  const { effects } = layer
  if (!hasEffects(effects)) return
  for (const name of undrawnEffects(effects)) notes.leaveOut(nameOf(layer), `its ${name} is not drawn`, toDo)
  if (layer.transparencyShapesLayer === false) {
    const text = 'its effects are drawn along its shape, though "Transparency Shapes Layer" is off'
    notes.add('approximated', nameOf(layer), text)
  }
  for (const name of limitedEffects(effects)) {
    const text = `its ${name} is drawn with a Size of ${MAX_SIZE_PX} px, the greatest in Photoshop's Layer Style`
    notes.add('approximated', nameOf(layer), text)
  }
}

/** Notes blending options of a layer that are not drawn. */
export function noteUndrawnBlending(set: ClippingSet, notes: ImportNotes): void {
  const { base: layer, clipped } = set
  if (mixesBoth(set)) {
    const because = clipped.length > 0 ? 'layers are clipped to the group' : 'the Fill of the group is below 100 %'
    const text = `layers in it do not blend with what is below the group, for ${because} and it has adjustment layers`
    notes.add('approximated', nameOf(layer), text)
  }
  if (layer.adjustment && clipped.length > 0 && modeOf(layer, { notes }) !== 'normal') {
    notes.add('approximated', nameOf(layer), 'what is clipped to it is drawn without its blending mode')
  }
  if (isSoftShape(layer) && !isDrawnByFill(layer)) {
    notes.leaveOut(nameOf(layer), 'the density or feather of its vector mask is not drawn', 'rasterize')
  }
  if (layer.knockout) notes.leaveOut(nameOf(layer), 'its knockout is not drawn', 'mask')
  const hasOwnColors = !layer.adjustment && layer.blendMode !== 'pass through'
  if (!hasOwnColors && readBlendIf(layer).own) {
    notes.leaveOut(nameOf(layer), 'the "Blend If" range of its own colours is not drawn', 'mask')
  }
}

/** The bundle's name for a layer's mode. A group that something is clipped to is isolated. */
export function modeOf(layer: Layer, { notes }: Pick<Drawing, 'notes'>): BlendMode {
  if (layer.blendMode === 'pass through') return 'normal'
  const mode = readBlendMode(layer.blendMode)
  if (mode) return mode
  notes.add('approximated', nameOf(layer), `its blending mode "${layer.blendMode}" is drawn as "normal"`)
  return 'normal'
}

export function nameOf(layer: Layer): string {
  return layer.name ?? 'layer'
}

/** The part of the canvas that a layer can change, effects included. */
export function reachOf(layer: Layer, canvas: Rect): Rect {
  // Light from the left moves shadows by their whole distance.
  const margin = effectMargin(readEffects(layer.effects, 0))
  if (layer.children) {
    const inside = layer.children.filter(({ hidden }) => !hidden).map(child => reachOf(child, canvas))
    return intersectRects(spread(uniteRects(inside), margin), canvas)
  }
  if (layer.adjustment || isEmpty(layerRect(layer)) || isDrawnByFill(layer)) return canvas
  return intersectRects(spread(layerRect(layer), margin), canvas)
}

/** Opacity and fill opacity together, where fill does not act on its own. */
export function totalOpacityOf({ opacity = 1, fillOpacity = 1 }: Layer): number {
  return opacity * fillOpacity
}

/** Whether the fill opacity of a layer must be stored separately from its opacity. */
export function keepsFill(mode: BlendMode, fill: number): boolean {
  return fill < 1 && hasOwnFill(mode)
}
