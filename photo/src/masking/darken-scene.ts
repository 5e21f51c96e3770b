import { applyTone, invertTone, type Tone } from '@vitrine/engine'

/**
 * RGB bytes of a picture without the light of what shows artwork. `taken`: how much of each pixel does.
 * Writes into `scene`, which has as many bytes.
 */
export function darkenScene(
  data: Uint8Array,
  taken: Uint8Array,
  tone: Tone,
  scene: Uint8Array = new Uint8Array(data.length),
): Uint8Array {
  scene.set(data)
  const light = Float64Array.from({ length: 256 }, (_, byte) => invertTone(tone, byte / 255))
  const dark = Math.round(255 * applyTone(tone, 0))
  for (let i = 0, at = 0; i < taken.length; i++, at += 3) {
    const share = taken[i] ?? 0
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
  return scene
}
