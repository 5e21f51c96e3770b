import type { Rect } from '@vitrine/engine'
import type { ColorStop, EffectNoiseGradient, EffectSolidGradient, OpacityStop } from 'ag-psd'
import type { Rgb } from './blend-formulas.ts'
import { createPicture, type FloatPicture } from './float-picture.ts'
import { type GradientMethod, mixIn } from './gradient-methods.ts'
import { readColor } from './read-color.ts'

/** A gradient of an overlay or a fill. Angles in degrees, scale 1 = the whole box. */
export type GradientSettings = {
  readonly type?: string | undefined
  readonly angle?: number | undefined
  readonly scale?: number | undefined
  readonly reverse?: boolean | undefined
  /** if false, it spans the document instead of the layer */
  readonly align?: boolean | undefined
  /** of its middle, in shares of the box */
  readonly offset?: { readonly x: number; readonly y: number } | undefined
  readonly interpolationMethod?: string | undefined
  readonly gradient?: EffectSolidGradient | EffectNoiseGradient | undefined
}

/**
 * Draws a gradient that spans a layer's box, or the canvas if it is not aligned with the layer. Null for
 * noise gradients, which are not drawn.
 */
export function drawGradient(settings: GradientSettings, rect: Rect, layer: Rect, canvas: Rect): FloatPicture | null {
  const { gradient } = settings
  if (gradient?.type !== 'solid' || gradient.colorStops.length === 0) return null
  const box = settings.align === false ? canvas : layer
  const picture = createPicture(rect)
  const smoothness = gradient.smoothness ?? 1
  const colors = tabulate(
    gradient.colorStops.map(stop => ({ ...spanOf(stop, smoothness), value: readColor(stop.color) })),
    readMethod(settings.interpolationMethod),
    smoothness,
  )
  const opacities = tabulate(
    gradient.opacityStops.map(({ opacity, ...stop }) => ({
      ...spanOf(stop, smoothness),
      value: [opacity, opacity, opacity],
    })),
    'classic',
    smoothness,
  )
  const angle = ((settings.angle ?? 90) * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const { x: offsetX, y: offsetY } = settings.offset ?? { x: 0, y: 0 }
  const centreX = Math.floor(box.left + box.widthPx / 2) + offsetX * box.widthPx
  const centreY = Math.floor(box.top + box.heightPx / 2) + offsetY * box.heightPx
  const half =
    Math.floor(((Math.abs(box.widthPx * cos) + Math.abs(box.heightPx * sin)) * (settings.scale ?? 1)) / 2) || 1
  for (let y = 0, k = 0; y < rect.heightPx; y++) {
    for (let x = 0; x < rect.widthPx; x++, k++) {
      const [dx, dy] = [rect.left + x + 0.5 - centreX, rect.top + y + 0.5 - centreY]
      const along = positionOf(settings.type, dx * cos - dy * sin, dx * sin + dy * cos, half)
      const at = Math.min(1, Math.max(0, settings.reverse ? 1 - along : along))
      picture.color.set(lookUp(colors, at), 3 * k)
      picture.alpha[k] = gradient.opacityStops.length === 0 ? 1 : (lookUp(opacities, at)[0] ?? 1)
    }
  }
  return picture
}

/** The colours of stops along a gradient, 0..1. `location`: of a stop, 0..1. */
export function colorsAlong(
  stops: readonly Pick<ColorStop, 'location' | 'midpoint' | 'color'>[],
  method: string | undefined,
  smoothness: number,
): (at: number) => Rgb {
  const sorted = stops
    .map(stop => ({ ...spanOf(stop, 1), value: readColor(stop.color) }))
    .toSorted((a, b) => a.at - b.at)
  const table = tabulate(sorted, readMethod(method), smoothness)
  return at => {
    const [r = 0, g = 0, b = 0] = lookUp(table, at)
    return [r, g, b]
  }
}

function readMethod(name: string | undefined): GradientMethod {
  if (name === 'linear') return 'linear'
  return name === 'perceptual' || name === 'smooth' ? 'perceptual' : 'classic'
}

function positionOf(type: string | undefined, u: number, v: number, half: number): number {
  switch (type) {
    case 'radial':
      return Math.hypot(u, v) / half
    case 'reflected':
      return Math.abs(u) / half
    case 'diamond':
      return (Math.abs(u) + Math.abs(v)) / half
    case 'angle':
      return (((Math.atan2(-v, u) / (2 * Math.PI)) % 1) + 1) % 1
    default:
      return 0.5 + u / (2 * half)
  }
}

/** `middle`: the position between the previous stop and this one at which both have the same share. */
type Stop = { readonly at: number; readonly middle: number; readonly value: Rgb }

/** ag-psd divides locations by the smoothness if there is any; otherwise it leaves them in 4096ths. */
function spanOf({ location, midpoint }: Pick<ColorStop | OpacityStop, 'location' | 'midpoint'>, smoothness: number) {
  const share = location * (smoothness || 1)
  return { at: share > 1 ? location / 4096 : share, middle: Math.min(0.99, Math.max(0.01, midpoint || 0.5)) }
}

/** As many entries as Photoshop's own ramps have. */
const ENTRIES = 4096

/** The values of a gradient from 0 to 1, RGB each. */
function tabulate(stops: readonly Stop[], method: GradientMethod, smoothness: number): Float32Array {
  const table = new Float32Array(3 * (ENTRIES + 1))
  for (let i = 0; i <= ENTRIES; i++) table.set(valueAt(stops, i / ENTRIES, method, smoothness), 3 * i)
  return table
}

function lookUp(table: Float32Array, at: number): Float32Array {
  const entry = 3 * Math.round(at * ENTRIES)
  return table.subarray(entry, entry + 3)
}

function valueAt(stops: readonly Stop[], at: number, method: GradientMethod, smoothness: number): Rgb {
  const index = stops.findIndex(stop => at <= stop.at)
  const [before, next] = [stops[index - 1], stops[index]]
  if (!next) return stops.at(-1)?.value ?? [0, 0, 0]
  if (!before) return next.value
  const t = (at - before.at) / (next.at - before.at || 1)
  const { middle } = next
  const share = t < middle ? (0.5 * t) / middle : 0.5 + (0.5 * (t - middle)) / (1 - middle)
  if (method !== 'classic') return mixIn(method, before.value, next.value, share)
  const [first, last] = [stops[index - 2] ?? before, stops[index + 1] ?? next]
  const channel = (c: 0 | 1 | 2): number => {
    const straight = before.value[c] + share * (next.value[c] - before.value[c])
    const curved = catmullRom(first.value[c], before.value[c], next.value[c], last.value[c], share)
    return Math.min(1, Math.max(0, straight + smoothness * (curved - straight)))
  }
  return [channel(0), channel(1), channel(2)]
}

/** The curve through four values, between the second and the third. */
function catmullRom(a: number, b: number, c: number, d: number, t: number): number {
  const [slopeB, slopeC] = [(c - a) / 2, (d - b) / 2]
  const [squared, cubed] = [t * t, t * t * t]
  return (
    (2 * cubed - 3 * squared + 1) * b +
    (cubed - 2 * squared + t) * slopeB +
    (3 * squared - 2 * cubed) * c +
    (cubed - squared) * slopeC
  )
}
