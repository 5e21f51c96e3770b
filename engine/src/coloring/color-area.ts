import type { BlendMode } from '../blending/blend-modes.ts'
import type { Rect } from '../geometry/rect.ts'
import { linearOf, type RgbColor } from '../hex-color.ts'
import type { LightLayers } from '../lighting/light-chunk.ts'
import type { ToneTables } from '../lighting/light-tables.ts'

/** A colour area prepared for one output size; all its layers cover `region`. */
export type PreparedColorArea = {
  readonly region: Rect
  /** how much of each pixel of the scene shows the area, 0..255 */
  readonly coverage: Uint8Array
  /** how much of each pixel lit frames cover, 0..255; the scene does not contain the area's light there */
  readonly framed: Uint8Array
  /** on the scene's colour, and on the chosen one; null: the scene itself is the light */
  readonly light: { readonly from: LightLayers; readonly to: LightLayers } | null
  readonly tone: ToneTables
  /** used without light */
  readonly blendMode: BlendMode
  /** the colour in the scene */
  readonly from: RgbColor
  /** the chosen colour */
  readonly to: RgbColor
}

/** Linear light of the chosen colour divided by that of the default one, per channel. */
export function dyeRatio(from: RgbColor, to: RgbColor): readonly [red: number, green: number, blue: number] {
  const [fromR, fromG, fromB] = linearOf(from)
  const [toR, toG, toB] = linearOf(to)
  return [ratio(toR, fromR), ratio(toG, fromG), ratio(toB, fromB)]
}

/** Black cannot be divided out: it counts as the darkest non-zero byte. */
function ratio(to: number, from: number): number {
  return to / Math.max(from, DARKEST_LIGHT)
}

/** Linear light of byte 1. */
const DARKEST_LIGHT = 1 / 255 / 12.92
