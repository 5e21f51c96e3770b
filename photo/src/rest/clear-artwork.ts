import {
  buildLightTable,
  buildToneTables,
  type Light,
  lightChunk,
  linearOf,
  type Raster,
  type Rect,
  type RgbColor,
  type Tone,
} from '@vitrine/engine'
import type { EncodedLight } from '../light/encode-light.ts'
import type { PhotoPixels } from '../photo-pixels.ts'

/** A frame as it is stored. */
export type LitFrame = {
  readonly rect: Rect
  readonly mask: Uint8Array
  readonly light: EncodedLight
  readonly color: RgbColor
}

/** The mockup of clear artwork at the photo's size, by the engine's own arithmetic: RGB bytes. */
export function composeClear(scene: Uint8Array, widthPx: number, tone: Tone, frames: readonly LitFrame[]): Uint8Array {
  const drawn = scene.slice()
  const tables = buildToneTables(tone)
  for (const { rect, mask, light, color } of frames) {
    const lit: Light = {
      tone: tables,
      surface: linearOf(color),
      layerTable: buildLightTable(light.scale),
      shade: light.shade,
      highlights: light.highlights,
    }
    const clear = new Uint8Array(rect.widthPx * 4)
    for (let y = 0; y < rect.heightPx; y++) {
      const sceneByte = ((rect.top + y) * widthPx + rect.left) * 3
      lightChunk(lit, 1, rect.widthPx, clear, mask, y * rect.widthPx, drawn, sceneByte)
    }
  }
  return drawn
}

/** The value that the linear-light mode leaves unchanged; a byte more or less changes the picture by two. */
const NEUTRAL = 128

/**
 * The differences of more than 1/255 between the photo and the mockup of clear artwork, as a picture above it
 * in the mode linear-light: the noise that was removed from light. Null if there are none. Adds them to
 * `clear`.
 */
export function buildRest(clear: Uint8Array, photo: PhotoPixels, rect: Rect, mask: Uint8Array): Raster | null {
  const samples = new Uint8Array(rect.widthPx * rect.heightPx * 4).fill(NEUTRAL)
  let isNeeded = false
  for (let y = 0, i = 0; y < rect.heightPx; y++) {
    let at = ((rect.top + y) * photo.widthPx + rect.left) * 3
    for (let x = 0; x < rect.widthPx; x++, i++, at += 3) {
      samples[4 * i + 3] = 255
      if ((mask[i] ?? 0) === 0) continue
      for (let c = 0; c < 3; c++) {
        const shown = clear[at + c] ?? 0
        // The nearest even number towards 0: at most 1/255 is left, and artwork gets little noise.
        const half = Math.trunc(((photo.data[at + c] ?? 0) - shown) / 2)
        if (half === 0) continue
        const stored = Math.min(255, NEUTRAL + half)
        samples[4 * i + c] = stored
        clear[at + c] = shown + 2 * (stored - NEUTRAL)
        isNeeded = true
      }
    }
  }
  return isNeeded ? { ...rect, channels: 4, samples } : null
}

/** The greatest difference from a photo within a part of it, in 255ths. */
export function greatestDifference(clear: Uint8Array, { data, widthPx }: PhotoPixels, rect: Rect): number {
  let greatest = 0
  for (let y = rect.top; y < rect.top + rect.heightPx; y++) {
    const end = (y * widthPx + rect.left + rect.widthPx) * 3
    for (let i = end - 3 * rect.widthPx; i < end; i++) {
      const difference = Math.abs((clear[i] ?? 0) - (data[i] ?? 0))
      if (difference > greatest) greatest = difference
    }
  }
  return greatest
}
