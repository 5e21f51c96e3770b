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
    for (let i = end - rect.widthPx; i < end; i++) {
      const share = shares[i] ?? 0
      if (share === 0) continue
      if (share === 255) {
        const from = i
        while (i + 1 < end && shares[i + 1] === 255) i++
        scene.fill(dark, 3 * from, 3 * (i + 1))
        continue
      }
      for (let k = 3 * i; k < 3 * i + 3; k++) {
        const left = (light[data[k] ?? 0] ?? 0) * (1 - share / 255)
        scene[k] = Math.round(255 * applyTone(tone, left))
      }
    }
  }
  return scene
}
