import { applyTone, invertTone, type Tone } from '@vitrine/engine'
import type { PhotoPixels } from '../photo-pixels.ts'
import type { TakenPixels } from './place-frames.ts'

/** RGB bytes of a picture without the light of what shows artwork. Writes into `scene`, of the same size. */
export function darkenScene(
  { data, widthPx }: PhotoPixels,
  { rect, shares }: TakenPixels,
  tone: Tone,
  scene: Uint8Array = new Uint8Array(data.length),
): Uint8Array {
  scene.set(data)
  const light = Float64Array.from({ length: 256 }, (_, byte) => invertTone(tone, byte / 255))
  const dark = Math.round(255 * applyTone(tone, 0))
  for (let y = rect.top; y < rect.top + rect.heightPx; y++) {
    const end = y * widthPx + rect.left + rect.widthPx
    for (let i = end - rect.widthPx, at = 3 * i; i < end; i++, at += 3) {
      const share = shares[i] ?? 0
      if (share === 0) continue
      if (share === 255) {
        scene[at] = dark
        scene[at + 1] = dark
        scene[at + 2] = dark
        continue
      }
      for (let k = at; k < at + 3; k++) {
        const left = (light[data[k] ?? 0] ?? 0) * (1 - share / 255)
        scene[k] = Math.round(255 * applyTone(tone, left))
      }
    }
  }
  return scene
}
