import { encodeSrgb, invertTone, linearOf, type Rect, type RgbColor, type Tone } from '@vitrine/engine'
import type { PhotoPixels } from '../photo-pixels.ts'
import { cleanPlanes, cutPlanes, type Planes } from './clean-photo.ts'
import { continueLight } from './continue-light.ts'
import { type EncodedLight, encodeLight } from './encode-light.ts'
import { splitLight } from './split-light.ts'
import { DARK_CLEANING, DARK_LIGHT, type SurfaceName, surfaces } from './surfaces.ts'

/** What a drawing says about a surface. */
export type SurfaceChoice = {
  readonly surface: SurfaceName
  /** null: found in the photo, by the brightness of prints */
  readonly color: RgbColor | null
  readonly sheen: number | null
  readonly gloss: number
  readonly brightness: number
  readonly cleans: boolean
}

export type FoundLight = EncodedLight & {
  readonly color: RgbColor
  /** the photo's light on the surface: red, green, blue */
  readonly mean: readonly [number, number, number]
}

/** The share of light that white fabric reflects in photos: on starters .52 to .78. */
const WHITE_LIGHT = 0.72

/** How far the hue of light on dyed parts is smoothed: over a JPEG's blocks, and the noise of black. */
const HUE_SIGMA_PX = 8
const DARK_HUE_SIGMA_PX = 60

/** Linear light of byte 1. */
const LEAST_COLOR = 1 / (255 * 12.92)

/** The light on a part of a photo, for a surface of one colour. */
export function findSurfaceLight(
  photo: PhotoPixels,
  rect: Rect,
  tone: Tone,
  choice: SurfaceChoice,
  masks: {
    /** where light is wanted: 1, elsewhere 0 */
    readonly weights: Float32Array
    /** how much of each pixel is the surface, 0..1 */
    readonly coverage: Float32Array
    /** where the greatest light is searched for; if absent, where any is wanted */
    readonly scaled?: Float32Array
    /** whether pixels at the surface's edge show what is behind, and take the light of their neighbours */
    readonly isContinued?: boolean
  },
  /** the artwork's coordinates on a cylinder or cone; else null */
  curved: { readonly u: Float32Array; readonly v: Float32Array } | null,
  isDyed: boolean,
): FoundLight {
  const { weights, coverage, scaled, isContinued = false } = masks
  const { floor, cleaning, isGlossy } = surfaces[choice.surface]
  const named = choice.color && linearOf(choice.color)
  // Decided before cleaning, which depends on whether the surface is dark.
  const seen = (): number[] => {
    const encoded = meanOf(cutPlanes(photo, rect, encodedBytes), coverage)
    return encoded.map(value => invertTone(tone, value) / (WHITE_LIGHT * choice.brightness))
  }
  const isDark = isDarkLight(named ?? seen())
  const strength = choice.cleans ? (isDark ? DARK_CLEANING : cleaning) : 0
  const linear = findLinear(photo, rect, tone, coverage, strength, isContinued)
  const mean = meanOf(linear, coverage)
  const color = choice.color ?? colorOf(mean.map(value => value / (WHITE_LIGHT * choice.brightness)))
  const mirrored = choice.sheen ?? (choice.color === null ? 0 : floor * choice.gloss)
  const split = splitLight(linear, {
    widthPx: rect.widthPx,
    heightPx: rect.heightPx,
    weights,
    color: notBlack(linearOf(color)),
    floor: mirrored,
    curved: curved && isGlossy && choice.gloss > 0 ? { ...curved, coverage } : null,
    hueSigmaPx: isDark ? DARK_HUE_SIGMA_PX : isDyed ? HUE_SIGMA_PX : 0,
  })
  const encoded = encodeLight(split, weights, linearOf(color), isDark && strength > 0, scaled)
  return { ...encoded, color, mean }
}

/** Encoded values of bytes. */
const encodedBytes = Float32Array.from({ length: 256 }, (_, byte) => byte / 255)

/** The linear light of a part of a photo, without its noise; `strength`: as in `cleanPlanes`, 0 leaves it. */
function findLinear(
  photo: PhotoPixels,
  rect: Rect,
  tone: Tone,
  coverage: Float32Array,
  strength: number,
  isContinued: boolean,
): Planes {
  const steps = 4096
  const table = Float64Array.from({ length: steps + 1 }, (_, step) => invertTone(tone, step / steps))
  const planes = cutPlanes(photo, rect, strength === 0 ? linearize(encodedBytes.slice(), table) : encodedBytes)
  if (isContinued) continueLight(planes, rect, coverage)
  if (strength === 0) return planes
  const [red, green, blue] = cleanPlanes(planes, rect, coverage, strength)
  return [linearize(red, table), linearize(green, table), linearize(blue, table)]
}

/** Encoded values become linear light, in place, by a table of it. */
function linearize(values: Float32Array, table: Float64Array): Float32Array {
  const steps = table.length - 1
  for (let i = 0; i < values.length; i++) {
    const at = Math.min(1, Math.max(0, values[i] ?? 0)) * steps
    const step = Math.min(steps - 1, Math.floor(at))
    const low = table[step] ?? 0
    values[i] = low + ((table[step + 1] ?? 0) - low) * (at - step)
  }
  return values
}

function meanOf(planes: Planes, coverage: Float32Array): [number, number, number] {
  const mean = (plane: Float32Array): number => {
    let [sum, count] = [0, 0]
    for (let i = 0; i < plane.length; i++) {
      if ((coverage[i] ?? 0) < 0.98) continue
      sum += plane[i] ?? 0
      count++
    }
    return count === 0 ? 0.5 : sum / count
  }
  return [mean(planes[0]), mean(planes[1]), mean(planes[2])]
}

/** Whether a colour, in linear light, is so dark that its light is found as for black cloth. */
export function isDarkLight(linear: readonly number[]): boolean {
  return lightness(linear) < DARK_LIGHT
}

export function lightness([red = 0, green = 0, blue = 0]: readonly number[]): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function colorOf(linear: readonly number[]): RgbColor {
  const [red = 1, green = 1, blue = 1] = linear.map(value => Math.round(255 * encodeSrgb(Math.min(1, value))))
  return { red: Math.max(1, red), green: Math.max(1, green), blue: Math.max(1, blue) }
}

/** Light cannot be divided by black: the darkest colours that a byte distinguishes count as the same. */
function notBlack([red, green, blue]: readonly [number, number, number]): [number, number, number] {
  return [Math.max(LEAST_COLOR, red), Math.max(LEAST_COLOR, green), Math.max(LEAST_COLOR, blue)]
}
