import { distanceToSet, type Rect } from '@vitrine/engine'
import type { LayerEffectShadow, LayerEffectStroke, LayerEffectsInfo, LayerEffectsOuterGlow, UnitsValue } from 'ag-psd'
import { type PsdBlendMode, readBlendMode } from './blend-formulas.ts'
import { filterPlane, tentKernel } from './blur.ts'
import { type FloatPicture, fillPicture } from './float-picture.ts'
import { drawGradient } from './gradient.ts'
import { readColor } from './read-color.ts'

// Geometry as the Patchy project (MIT) measured it on Photoshop: shadows and glows are one soft mask (spread
// grows the matte by whole pixels, the rest of the size blurs with a separable tent), strokes are bands.

/** One picture of an effect, and how it meets what is below it. */
export type EffectPicture = {
  readonly picture: FloatPicture
  readonly mode: PsdBlendMode
  readonly opacity: number
  readonly name: string
}

export type DrawnEffects = {
  /** under the layer */
  readonly below: readonly EffectPicture[]
  /** on the layer's own colour, inside its alpha */
  readonly inside: readonly EffectPicture[]
  /** over the layer */
  readonly above: readonly EffectPicture[]
}

/** Names of effects that are not drawn, by ag-psd's fields. */
const undrawnNames: Readonly<Record<string, string>> = {
  bevel: 'bevel',
  satin: 'satin',
  patternOverlay: 'pattern overlay',
}

/** Sizes beyond what Photoshop's dialogs allow. */
const MAX_SIZE_PX = 250
const MAX_DISTANCE_PX = 30_000

function sizeOf(value: UnitsValue | undefined): number {
  return Math.min(MAX_SIZE_PX, Math.max(0, value?.value ?? 0))
}

function distanceOf(value: UnitsValue | undefined): number {
  return Math.min(MAX_DISTANCE_PX, Math.max(0, value?.value ?? 0))
}

/** 0..1; files hold percents. */
function chokeOf(value: UnitsValue | undefined): number {
  return Math.min(1, Math.max(0, (value?.value ?? 0) / 100))
}

type Switchable = { readonly enabled?: boolean; readonly present?: boolean }

function enabled<Effect extends Switchable>(effects: Effect | Effect[] | undefined): Effect[] {
  if (effects === undefined) return []
  const all = Array.isArray(effects) ? effects : [effects]
  return all.filter(effect => effect.enabled && effect.present !== false)
}

/** Whether a layer has any effect that is switched on. */
export function hasEffects(effects: LayerEffectsInfo | undefined): effects is LayerEffectsInfo {
  if (!effects || effects.disabled) return false
  return Object.values(effects).some(value => {
    const list: unknown[] = Array.isArray(value) ? value : [value]
    return list.some(each => typeof each === 'object' && each !== null && 'enabled' in each && each.enabled === true)
  })
}

/** How far effects reach beyond the layer, in pixels. */
export function effectMargin(effects: LayerEffectsInfo): number {
  const shadows = [...enabled(effects.dropShadow), ...enabled(effects.innerShadow)]
  const reaches = [
    ...shadows.map(shadow => distanceOf(shadow.distance) + sizeOf(shadow.size)),
    ...[...enabled(effects.outerGlow), ...enabled(effects.innerGlow)].map(glow => sizeOf(glow.size)),
    ...enabled(effects.stroke).map(stroke => sizeOf(stroke.size)),
  ]
  return reaches.length === 0 ? 0 : Math.ceil(Math.max(...reaches)) + 3
}

/** Effects of a layer that are left out, by name. */
export function undrawnEffects(effects: LayerEffectsInfo): string[] {
  const names = Object.entries(undrawnNames).flatMap(([key, name]) => {
    const value = key === 'bevel' ? effects.bevel : key === 'satin' ? effects.satin : effects.patternOverlay
    return enabled(value).length > 0 ? [name] : []
  })
  const strokes = enabled(effects.stroke).some(stroke => (stroke.fillType ?? 'color') !== 'color')
  const noise = enabled(effects.gradientOverlay).some(overlay => overlay.gradient?.type !== 'solid')
  return [...names, ...(strokes ? ['stroke with a gradient or pattern'] : []), ...(noise ? ['noise gradient'] : [])]
}

/**
 * Draws the effects of a layer whose alpha (its masks in it) is `matte`. `box`: what gradients span.
 */
export function drawEffects(
  effects: LayerEffectsInfo,
  matte: Float32Array,
  rect: Rect,
  box: Rect,
  canvas: Rect,
  globalAngle: number,
): DrawnEffects {
  return {
    below: [
      ...enabled(effects.dropShadow).map(shadow => drawShadow(shadow, matte, rect, globalAngle)),
      ...enabled(effects.outerGlow).map(glow => drawOuterGlow(glow, matte, rect)),
    ],
    inside: drawInside(effects, matte, rect, box, canvas, globalAngle),
    above: enabled(effects.stroke).flatMap(stroke => drawStroke(stroke, matte, rect)),
  }
}

function drawShadow(shadow: LayerEffectShadow, matte: Float32Array, rect: Rect, globalAngle: number): EffectPicture {
  const moved = shift(matte, rect, ...offsetOf(shadow, globalAngle), 0)
  const soft = soften(moved, rect, sizeOf(shadow.size), chokeOf(shadow.choke), 0)
  const shown = shadow.layerConceals === false ? soft : soft.map((value, k) => value * (1 - (matte[k] ?? 0)))
  return effectOf('drop shadow', fillPicture(rect, readColor(shadow.color), shown), shadow, 'multiply')
}

function drawOuterGlow(glow: LayerEffectsOuterGlow, matte: Float32Array, rect: Rect): EffectPicture {
  const gain = glowGain(glow.range)
  const soft = soften(matte, rect, sizeOf(glow.size), chokeOf(glow.choke), 0)
  const shown = soft.map((value, k) => Math.min(1, value * gain) * (1 - (matte[k] ?? 0)))
  return effectOf('outer glow', fillPicture(rect, readColor(glow.color), shown), glow, 'screen')
}

function drawInside(
  effects: LayerEffectsInfo,
  matte: Float32Array,
  rect: Rect,
  box: Rect,
  canvas: Rect,
  globalAngle: number,
): EffectPicture[] {
  const all = new Float32Array(matte.length).fill(1)
  const gradients = enabled(effects.gradientOverlay).flatMap(overlay => {
    const picture = drawGradient(overlay, rect, box, canvas)
    const mode = readBlendMode(overlay.blendMode) ?? 'normal'
    return picture ? [{ picture, mode, opacity: overlay.opacity ?? 1, name: 'gradient overlay' }] : []
  })
  const fills = enabled(effects.solidFill).map(fill =>
    effectOf('colour overlay', fillPicture(rect, readColor(fill.color), all), fill, 'normal'),
  )
  const glows = enabled(effects.innerGlow).map(glow => {
    const gain = glowGain(glow.range)
    const outside = matte.map(value => 1 - value)
    const soft = soften(outside, rect, sizeOf(glow.size), chokeOf(glow.choke), 1).map(value =>
      Math.min(1, value * gain),
    )
    const shown = glow.source === 'center' ? soft.map(value => 1 - value) : soft
    return effectOf('inner glow', fillPicture(rect, readColor(glow.color), shown), glow, 'screen')
  })
  const shadows = enabled(effects.innerShadow).map(shadow => {
    const moved = shift(matte, rect, ...offsetOf(shadow, globalAngle), 0).map(value => 1 - value)
    const soft = soften(moved, rect, sizeOf(shadow.size), chokeOf(shadow.choke), 1)
    return effectOf('inner shadow', fillPicture(rect, readColor(shadow.color), soft), shadow, 'multiply')
  })
  return [...gradients, ...fills, ...glows, ...shadows]
}

function drawStroke(stroke: LayerEffectStroke, matte: Float32Array, rect: Rect): EffectPicture[] {
  if ((stroke.fillType ?? 'color') !== 'color') return []
  const size = sizeOf(stroke.size)
  const toInside = distanceToSet(k => (matte[k] ?? 0) > 0, rect.widthPx, rect.heightPx)
  const toOutside = distanceToSet(k => (matte[k] ?? 0) <= 0, rect.widthPx, rect.heightPx)
  const outerShare = { inside: 0, center: 0.5, outside: 1 }[stroke.position ?? 'outside']
  const [outer, inner] = [size * outerShare, size * (1 - outerShare)]
  const band = (distance: number, width: number): number => Math.min(1, Math.max(0, width + 1 - distance))
  const alpha = matte.map((value, k) => {
    const [outD, inD] = [toInside[k] ?? 0, toOutside[k] ?? 0]
    let sum = 0
    if (outer > 0) sum += outD > 0 ? band(outD, outer) : 1 - value
    if (inner > 0 && inD > 0) sum += band(inD, inner)
    return Math.min(1, sum)
  })
  return [effectOf('stroke', fillPicture(rect, readColor(stroke.color), alpha), stroke, 'normal')]
}

function effectOf(
  name: string,
  picture: FloatPicture,
  { blendMode, opacity }: { readonly blendMode?: string; readonly opacity?: number },
  otherwise: PsdBlendMode,
): EffectPicture {
  const mode = blendMode === undefined ? otherwise : (readBlendMode(blendMode) ?? 'normal')
  return { name, picture, mode, opacity: opacity ?? 1 }
}

/** Photoshop's range of a glow, in percent or as a fraction, makes it steeper. */
function glowGain(range: number | undefined): number {
  const fraction = range === undefined ? 0.5 : range > 1 ? range / 100 : range
  return 1 / Math.max(0.01, fraction)
}

function offsetOf(shadow: LayerEffectShadow, globalAngle: number): readonly [number, number] {
  const angle = ((shadow.useGlobalLight ? globalAngle : (shadow.angle ?? 120)) * Math.PI) / 180
  const distance = distanceOf(shadow.distance)
  return [Math.round(-Math.cos(angle) * distance), Math.round(Math.sin(angle) * distance)]
}

function shift(
  plane: Float32Array,
  { widthPx, heightPx }: Rect,
  dx: number,
  dy: number,
  outside: number,
): Float32Array {
  const out = new Float32Array(plane.length).fill(outside)
  const from = Math.max(0, -dx)
  const count = widthPx - Math.abs(dx)
  if (count <= 0) return out
  for (let y = Math.max(0, dy); y < Math.min(heightPx, heightPx + dy); y++) {
    const at = (y - dy) * widthPx + from
    out.set(plane.subarray(at, at + count), y * widthPx + from + dx)
  }
  return out
}

/** Grows a matte by a part of the size and blurs it by the rest. */
function soften(matte: Float32Array, rect: Rect, size: number, choke: number, outside: number): Float32Array {
  const grow = Math.round(choke * size)
  const grown = dilate(matte, rect, grow)
  const tent = Math.max(2, Math.round(size)) - grow
  if (size <= 0 || tent <= 1) return grown
  return filterPlane(grown, rect.widthPx, rect.heightPx, tentKernel(tent), outside)
}

function dilate(matte: Float32Array, { widthPx, heightPx }: Rect, radius: number): Float32Array {
  if (radius <= 0) return matte
  const distance = distanceToSet(k => (matte[k] ?? 0) > 0.5, widthPx, heightPx)
  return matte.map((value, k) => Math.max(value, Math.min(1, Math.max(0, radius + 0.5 - (distance[k] ?? Infinity)))))
}
