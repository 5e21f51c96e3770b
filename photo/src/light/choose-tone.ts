import type { Tone } from '@vitrine/engine'
import type { Drawing } from '../drawing/drawing.ts'
import type { PhotoPixels } from '../photo-pixels.ts'

/** Encoded bytes from which a shoulder would show, and those that are clipped. */
const BRIGHT_BYTE = 230
const CLIPPED_BYTE = 254

/** With a smaller share of bright pixels, the curve cannot be told. */
const LEAST_SHARE = 0.002

/** A camera without a shoulder clips most of what is bright. */
const CLIPPED_SHARE = 0.7

export type ChosenTone = { readonly tone: Tone; readonly isKnown: boolean }

/**
 * The tone curve that a drawing names, or that is found from the photo's bright pixels: under the frames, or
 * else anywhere. By default a camera's shoulder is assumed: without bright pixels, the curves differ only
 * on prints lighter than the surface.
 */
export function chooseTone(photo: PhotoPixels, isFramed: Uint8Array, named: Drawing['tone']): ChosenTone {
  if (named !== 'auto') return { tone: named, isKnown: true }
  const { data } = photo
  for (const where of [isFramed, null]) {
    let [count, bright, clipped] = [0, 0, 0]
    for (let i = 0, at = 1; at < data.length; i++, at += 3) {
      if (where !== null && where[i] === 0) continue
      const value = data[at] ?? 0
      count++
      if (value >= CLIPPED_BYTE) clipped++
      else if (value >= BRIGHT_BYTE) bright++
    }
    if (bright + clipped < count * LEAST_SHARE) continue
    const isClipped = clipped > CLIPPED_SHARE * (bright + clipped)
    return { tone: isClipped ? 'srgb' : 'shoulder0.7', isKnown: true }
  }
  return { tone: 'shoulder0.7', isKnown: false }
}
