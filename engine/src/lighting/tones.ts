/**
 * Tone curves T of lit templates: linear light (0 = black, 1 = white) -> sRGB-encoded 0..1. `srgb` is the
 * transfer function of IEC 61966-2-1; `shoulder0.7` first rolls off light above 0.7: no clipping.
 */
export type Tone = 'srgb' | 'shoulder0.7'

/** All names, for schemas, checks and tests. */
export const toneNames: readonly Tone[] = ['srgb', 'shoulder0.7']

const KNEE = 0.7

/** IEC 61966-2-1: linear 0..1 -> encoded 0..1; light above 1 is clipped. */
export function encodeSrgb(linear: number): number {
  if (linear >= 1) return 1
  if (linear <= 0.0031308) return linear <= 0 ? 0 : 12.92 * linear
  return 1.055 * linear ** (1 / 2.4) - 0.055
}

/** IEC 61966-2-1: encoded 0..1 -> linear 0..1. */
export function decodeSrgb(encoded: number): number {
  return encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4
}

/** x up to the knee k, then k + (1 - k)(1 - exp(-(x - k) / (1 - k))): smooth, and below 1 for any light. */
function shoulder(x: number): number {
  return x <= KNEE ? x : KNEE + (1 - KNEE) * (1 - Math.exp(-(x - KNEE) / (1 - KNEE)))
}

function unshoulder(y: number): number {
  return y <= KNEE ? y : KNEE - (1 - KNEE) * Math.log(1 - (y - KNEE) / (1 - KNEE))
}

/** T: linear light -> encoded 0..1. */
export function applyTone(tone: Tone, light: number): number {
  return encodeSrgb(tone === 'srgb' ? light : shoulder(light))
}

/** T's inverse: encoded 0..1 -> linear light. Clamped at 254.5/255: the shoulder never reaches 1. */
export function invertTone(tone: Tone, encoded: number): number {
  const linear = decodeSrgb(Math.min(254.5 / 255, Math.max(0, encoded)))
  return tone === 'srgb' ? linear : unshoulder(linear)
}
