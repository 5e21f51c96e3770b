import type { Rect } from '@vitrine/engine'
import type { ColorStop, EffectNoiseGradient, EffectSolidGradient, OpacityStop } from 'ag-psd'
import type { Rgb } from './blend-formulas.ts'
import { createPicture, type FloatPicture } from './float-picture.ts'
import { readColor } from './read-color.ts'

/** A gradient as an overlay or a fill has it. Angles in degrees, scale 1 = the whole box. */
export type GradientSettings = {
  readonly type?: string | undefined
  readonly angle?: number | undefined
  readonly scale?: number | undefined
  readonly reverse?: boolean | undefined
  readonly gradient?: EffectSolidGradient | EffectNoiseGradient | undefined
}

/** Draws a gradient that spans a box. Null for noise gradients, which are not drawn. */
export function drawGradient(settings: GradientSettings, rect: Rect, box: Rect): FloatPicture | null {
  const { gradient } = settings
  if (gradient?.type !== 'solid' || gradient.colorStops.length === 0) return null
  const picture = createPicture(rect)
  const colors = gradient.colorStops.map(stop => ({ ...spanOf(stop), color: readColor(stop.color) }))
  const opacities = gradient.opacityStops.map(stop => ({ ...spanOf(stop), color: [stop.opacity, 0, 0] as const }))
  const angle = ((settings.angle ?? 90) * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const centreX = Math.floor(box.left + box.widthPx / 2)
  const centreY = Math.floor(box.top + box.heightPx / 2)
  const half =
    Math.floor(((Math.abs(box.widthPx * cos) + Math.abs(box.heightPx * sin)) * (settings.scale ?? 1)) / 2) || 1
  for (let y = 0, k = 0; y < rect.heightPx; y++) {
    for (let x = 0; x < rect.widthPx; x++, k++) {
      const [dx, dy] = [rect.left + x + 0.5 - centreX, rect.top + y + 0.5 - centreY]
      const along = positionOf(settings.type, dx * cos - dy * sin, dx * sin + dy * cos, half)
      const at = Math.min(1, Math.max(0, settings.reverse ? 1 - along : along))
      picture.color.set(colorAt(colors, at), 3 * k)
      picture.alpha[k] = opacities.length === 0 ? 1 : colorAt(opacities, at)[0]
    }
  }
  return picture
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

type Stop = { readonly at: number; readonly middle: number; readonly color: Rgb }

function spanOf({ location, midpoint }: ColorStop | OpacityStop): { at: number; middle: number } {
  return { at: location > 1 ? location / 4096 : location, middle: Math.min(0.99, Math.max(0.01, midpoint || 0.5)) }
}

function colorAt(stops: readonly Stop[], at: number): Rgb {
  const [first] = stops
  if (!first) return [0, 0, 0]
  if (at <= first.at) return first.color
  for (const [i, stop] of stops.entries()) {
    const next = stops[i + 1]
    if (!next) return stop.color
    if (at > next.at) continue
    const t = (at - stop.at) / (next.at - stop.at || 1)
    const k = t < next.middle ? (0.5 * t) / next.middle : 0.5 + (0.5 * (t - next.middle)) / (1 - next.middle)
    const mix = (c: 0 | 1 | 2): number => stop.color[c] + k * (next.color[c] - stop.color[c])
    return [mix(0), mix(1), mix(2)]
  }
  return first.color
}
