import type { Tone } from '@vitrine/engine'
import type { Drawing } from '../drawing/drawing.ts'
import type { TakenPixels } from '../masking/place-frames.ts'
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
export function chooseTone(photo: PhotoPixels, taken: TakenPixels, named: Drawing['tone']): ChosenTone {
  if (named !== 'auto') return { tone: named, isKnown: true }
  const { data, widthPx, heightPx } = photo
  const everywhere = { rect: { left: 0, top: 0, widthPx, heightPx }, shares: null }
  for (const { rect, shares } of [taken, everywhere]) {
    let [count, bright, clipped] = [0, 0, 0]
    for (let y = rect.top; y < rect.top + rect.heightPx; y++) {
      const end = y * widthPx + rect.left + rect.widthPx
      for (let i = end - rect.widthPx; i < end; i++) {
        if (shares !== null && shares[i] === 0) continue
        const value = data[3 * i + 1] ?? 0
        count++
        if (value >= CLIPPED_BYTE) clipped++
        else if (value >= BRIGHT_BYTE) bright++
      }
    }
    if (bright + clipped < count * LEAST_SHARE) continue
    const isClipped = clipped > CLIPPED_SHARE * (bright + clipped)
    return { tone: isClipped ? 'srgb' : 'shoulder0.7', isKnown: true }
  }
  return { tone: 'shoulder0.7', isKnown: false }
}
