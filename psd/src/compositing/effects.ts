import { type BlendMode, partsOfEffect, type Rect, type ShapedEffect } from '@vitrine/engine'
import type {
  LayerEffectInnerGlow,
  LayerEffectShadow,
  LayerEffectStroke,
  LayerEffectsInfo,
  LayerEffectsOuterGlow,
  UnitsValue,
} from 'ag-psd'
import { type Rgb, readBlendMode } from './blend-formulas.ts'
import { type EffectMasks, type Matte, reachOfEffect } from './effect-masks.ts'
import { type FloatPicture, fillPicture } from './float-picture.ts'
import { drawGradient, type GradientSettings } from './gradient.ts'
import { readColor } from './read-color.ts'

// Geometry as the Patchy project (MIT) measured it on Photoshop: shadows and glows are one soft mask (spread
// grows the matte by whole pixels, the rest of the size blurs with a separable tent), strokes are bands.

/** An effect of a layer, and its name in Photoshop. */
export type LayerEffect = { readonly name: string; readonly mode: BlendMode; readonly opacity: number } & (
  | (ShapedEffect & { readonly color: Rgb })
  | GradientOverlay
)

export type GradientOverlay = { readonly kind: 'gradient'; readonly settings: GradientSettings }

type Soft = Pick<Extract<ShapedEffect, { readonly kind: 'shadow' }>, 'offset' | 'spread' | 'blur' | 'gain'> & {
  readonly color: Rgb
}

/** One picture of an effect, and how it blends with what is below. */
export type EffectPicture = {
  readonly draw: (rect: Rect) => FloatPicture
  readonly mode: BlendMode
  readonly opacity: number
  /** whether it hides all of the layer's own colours */
  readonly isWhole: boolean
}

export type PlannedEffects = {
  /** under the layer */
  readonly below: readonly EffectPicture[]
  /** on the layer's own colour, inside its alpha */
  readonly inside: readonly EffectPicture[]
}

/** Names of effects that are not drawn, by ag-psd's fields. */
const undrawnNames: Readonly<Record<string, string>> = {
  bevel: 'bevel',
  satin: 'satin',
  patternOverlay: 'pattern overlay',
}

/** The greatest of Photoshop's dialogs. */
export const MAX_SIZE_PX = 250
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
export function effectMargin(effects: readonly LayerEffect[]): number {
  return Math.max(0, ...shapedOf(effects).map(effect => reachOfEffect(effect)))
}

/** Those that are drawn from the layer's shape. */
export function shapedOf(effects: readonly LayerEffect[]): readonly Exclude<LayerEffect, GradientOverlay>[] {
  return effects.filter(effect => effect.kind !== 'gradient')
}

/** How far effects that are not drawn reach beyond the layer, in pixels. */
export function undrawnMargin(effects: LayerEffectsInfo | undefined): number {
  if (!hasEffects(effects)) return 0
  const bevels = enabled(effects.bevel).map(({ size, soften }) => sizeOf(size) + sizeOf(soften) + 1)
  const strokes = enabled(effects.stroke).flatMap(stroke => (isPlainStroke(stroke) ? [] : [sizeOf(stroke.size)]))
  return Math.ceil(Math.max(0, ...[...bevels, ...strokes].filter(Number.isFinite)))
}

/** Names of a layer's effects that are not drawn. */
export function undrawnEffects(effects: LayerEffectsInfo): string[] {
  const names = Object.entries(undrawnNames).flatMap(([key, name]) => {
    const value = key === 'bevel' ? effects.bevel : key === 'satin' ? effects.satin : effects.patternOverlay
    return enabled(value).length > 0 ? [name] : []
  })
  const strokes = !enabled(effects.stroke).every(isPlainStroke)
  const noise = enabled(effects.gradientOverlay).some(overlay => overlay.gradient?.type !== 'solid')
  const damaged = listEffects(effects, 0).flatMap(effect => (isSound(effect) ? [] : [`damaged ${effect.name}`]))
  const others = [...(strokes ? ['stroke with a gradient or pattern'] : []), ...(noise ? ['noise gradient'] : [])]
  return [...names, ...others, ...damaged]
}

/** Names of a layer's effects that are drawn smaller than the file says. */
export function limitedEffects(effects: LayerEffectsInfo): readonly string[] {
  const { dropShadow, outerGlow, innerGlow, innerShadow, stroke } = effects
  const sized = {
    'drop shadow': dropShadow,
    'outer glow': outerGlow,
    'inner glow': innerGlow,
    'inner shadow': innerShadow,
    stroke: enabled(stroke).filter(isPlainStroke),
  }
  return Object.entries(sized).flatMap(([name, value]) =>
    enabled<Switchable & { readonly size?: UnitsValue }>(value).some(({ size }) => (size?.value ?? 0) > MAX_SIZE_PX)
      ? [name]
      : [],
  )
}

/** The effects of a layer that are drawn, in their order from the bottom to the top. */
export function readEffects(effects: LayerEffectsInfo | undefined, globalAngle: number): readonly LayerEffect[] {
  return hasEffects(effects) ? listEffects(effects, globalAngle).filter(isSound) : []
}

/** Whether all numbers in it are numbers. */
function isSound(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isSound)
}

function listEffects(effects: LayerEffectsInfo, globalAngle: number): readonly LayerEffect[] {
  return [
    ...enabled(effects.dropShadow).map(shadow => ({
      kind: 'shadow' as const,
      showsThrough: shadow.layerConceals === false,
      ...shadowOf(shadow, globalAngle),
      ...meetingOf('drop shadow', shadow, 'multiply'),
    })),
    ...enabled(effects.outerGlow).map(glow => ({
      kind: 'shadow' as const,
      showsThrough: false,
      ...glowOf(glow),
      ...meetingOf('outer glow', glow, 'screen'),
    })),
    ...enabled(effects.gradientOverlay)
      .filter(({ gradient }) => gradient?.type === 'solid')
      .map(settings => ({
        kind: 'gradient' as const,
        settings,
        ...meetingOf('gradient overlay', settings, 'normal'),
      })),
    ...enabled(effects.solidFill).map(fill => ({
      kind: 'overlay' as const,
      color: readColor(fill.color),
      ...meetingOf('colour overlay', fill, 'normal'),
    })),
    ...enabled(effects.innerGlow).map(glow => ({
      kind: 'inner-shadow' as const,
      fromCenter: glow.source === 'center',
      ...glowOf(glow),
      ...meetingOf('inner glow', glow, 'screen'),
    })),
    ...enabled(effects.innerShadow).map(shadow => ({
      kind: 'inner-shadow' as const,
      fromCenter: false,
      ...shadowOf(shadow, globalAngle),
      ...meetingOf('inner shadow', shadow, 'multiply'),
    })),
    ...enabled(effects.stroke)
      .filter(isPlainStroke)
      .map(stroke => ({
        kind: 'stroke' as const,
        color: readColor(stroke.color),
        ...bandOf(stroke),
        ...meetingOf('stroke', stroke, 'normal'),
      })),
  ]
}

function isPlainStroke({ fillType }: LayerEffectStroke): boolean {
  return (fillType ?? 'color') === 'color'
}

function bandOf({ size, position }: LayerEffectStroke): { readonly outerPx: number; readonly innerPx: number } {
  const width = sizeOf(size)
  const outerPx = { inside: 0, center: 0.5, outside: 1 }[position ?? 'outside'] * width
  return { outerPx, innerPx: width - outerPx }
}

function meetingOf(
  name: string,
  { blendMode, opacity }: { readonly blendMode?: string; readonly opacity?: number },
  otherwise: BlendMode,
): { readonly name: string; readonly mode: BlendMode; readonly opacity: number } {
  const mode = blendMode === undefined ? otherwise : (readBlendMode(blendMode) ?? 'normal')
  return { name, mode, opacity: opacity ?? 1 }
}

function shadowOf(shadow: LayerEffectShadow, globalAngle: number): Soft {
  const angle = ((shadow.useGlobalLight ? globalAngle : (shadow.angle ?? 120)) * Math.PI) / 180
  const distance = distanceOf(shadow.distance)
  const offset = [Math.round(-Math.cos(angle) * distance), Math.round(Math.sin(angle) * distance)] as const
  return { color: readColor(shadow.color), offset, ...softnessOf(shadow), gain: 1 }
}

function glowOf(glow: LayerEffectsOuterGlow | LayerEffectInnerGlow): Soft {
  return { color: readColor(glow.color), offset: [0, 0], ...softnessOf(glow), gain: glowGain(glow.range) }
}

/** Part of the size grows the matte, and the rest blurs it. */
function softnessOf(effect: Pick<LayerEffectShadow, 'size' | 'choke'>): Pick<Soft, 'spread' | 'blur'> {
  const size = sizeOf(effect.size)
  const spread = Math.round(chokeOf(effect.choke) * size)
  const blur = size <= 0 ? 0 : Math.max(2, Math.round(size)) - spread
  return { spread, blur: blur <= 1 ? 0 : blur }
}

/** Photoshop's range of a glow, in percent or as a fraction, makes it steeper. */
function glowGain(range: number | undefined): number {
  if (range === undefined) return 1
  return 1 / Math.max(0.01, range > 1 ? range / 100 : range)
}

/** The effects of a layer, none of them drawn yet. `box`: what gradients span. */
export function planEffects(
  effects: readonly LayerEffect[],
  matte: Matte,
  masks: EffectMasks,
  box: Rect,
  canvas: Rect,
): PlannedEffects {
  const planned: Record<keyof PlannedEffects, EffectPicture[]> = { below: [], inside: [] }
  const shaped = shapedOf(effects)
  for (const effect of effects) {
    const { mode, opacity } = effect
    if (effect.kind === 'gradient') {
      const draw = (rect: Rect): FloatPicture => drawGradientOverlay(effect, rect, box, canvas)
      planned.inside.push({ draw, mode, opacity, isWhole: false })
      continue
    }
    const isWhole = effect.kind === 'overlay' && mode === 'normal' && opacity >= 1
    const index = shaped.indexOf(effect)
    for (const place of placesOf(effect)) {
      const draw = (rect: Rect): FloatPicture => {
        const found = masks.read(matte, index, rect).find(each => each.place === place)
        if (!found) throw new Error('Expected a mask for each part of an effect.')
        return fillPicture(rect, effect.color, found.mask)
      }
      planned[place].push({ draw, mode, opacity, isWhole })
    }
  }
  return planned
}

/** Where the parts of an effect are: those of a pixel. */
function placesOf(effect: ShapedEffect): readonly (keyof PlannedEffects)[] {
  const pixel = { widthPx: 1, heightPx: 1, alpha: new Float32Array(1) }
  return partsOfEffect(effect, pixel, 1).map(({ place }) => place)
}

/** Without its opacity. */
export function drawGradientOverlay({ settings }: GradientOverlay, rect: Rect, box: Rect, canvas: Rect): FloatPicture {
  const picture = drawGradient(settings, rect, box, canvas)
  if (!picture) throw new Error('Expected a gradient that is drawn.')
  return picture
}

/** Where effects outside a layer's own pixels show, 0..1: shadows, glows and strokes. */
export function coverOfEffects(matte: Matte, masks: EffectMasks, rect: Rect): Float32Array {
  const cover = new Float32Array(rect.widthPx * rect.heightPx)
  for (const [index, { kind }] of matte.effects.entries()) {
    if (kind !== 'shadow' && kind !== 'stroke') continue
    for (const { mask } of masks.read(matte, index, rect))
      for (let k = 0; k < cover.length; k++) cover[k] = Math.max(cover[k] ?? 0, mask[k] ?? 0)
  }
  return cover
}
