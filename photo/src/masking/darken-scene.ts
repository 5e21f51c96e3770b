import { applyTone, invertTone, type Tone } from '@vitrine/engine'

/** RGB bytes of a picture without the light of pixels that show artwork. `taken`: how far each does. */
export function darkenScene(data: Uint8Array, taken: Uint8Array, tone: Tone): Uint8Array {
  const scene = new Uint8Array(data)
  const light = Float64Array.from({ length: 256 }, (_, byte) => invertTone(tone, byte / 255))
  const dark = Math.round(255 * applyTone(tone, 0))
  for (let i = 0, at = 0; i < taken.length; i++, at += 3) {
    const share = taken[i] ?? 0
    if (share === 0) continue
    for (let k = at; k < at + 3; k++) {
      const left = (light[data[k] ?? 0] ?? 0) * (1 - share / 255)
      scene[k] = share === 255 ? dark : Math.round(255 * applyTone(tone, left))
    }
  }
  return scene
}
