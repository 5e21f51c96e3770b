// Annex K.1 of ITU-T T.81, natural order.
const lumaBase = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51,
  87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101,
  72, 92, 95, 98, 112, 100, 103, 99,
] as const
const chromaBase = [
  17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99,
  99, 99, 99,
] as const

/** Natural position (row * 8 + column) of each zigzag index. */
export const zigzag = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47,
  55, 62, 63,
] as const

export type QuantisationTables = { readonly luma: Uint8Array; readonly chroma: Uint8Array }

/**
 * The tables of a quality from 1 to 100 in natural order, scaled as libjpeg does (jpeg_quality_scaling with
 * force_baseline). Throws RangeError for other qualities.
 */
export function quantisationTables(quality: number): QuantisationTables {
  if (!Number.isInteger(quality) || quality < 1 || quality > 100) {
    throw new RangeError(`Expected a whole number from 1 to 100 for quality but received ${quality}`)
  }
  const scale = quality < 50 ? Math.floor(5000 / quality) : 200 - 2 * quality
  const stepOf = (base: number): number => Math.max(1, Math.min(255, Math.floor((base * scale + 50) / 100)))
  return {
    luma: Uint8Array.from(lumaBase, stepOf),
    chroma: Uint8Array.from({ length: 64 }, (_, i) => stepOf(chromaBase[i] ?? 99)),
  }
}

/** Greatest magnitude of a transform's result, which has three bits more than a coefficient. */
export const MAX_TRANSFORMED = 8192

/** Constants for dividing by 8 * step with SIMD. */
export type StepDivisor = { readonly reciprocal: number; readonly scale: number }

/** 16-bit fixed-point product, rounded: WebAssembly's q15mulr_sat_s for factors that do not saturate. */
function roundedProduct(a: number, b: number): number {
  return (a * b + 0x4000) >> 15
}

/** As in the kernel: value / (8 * step) to nearest, halves away from zero, in two rounded products. */
export function divideByStep(value: number, divisor: StepDivisor): number {
  const quotient = roundedProduct(roundedProduct(Math.abs(value), divisor.reciprocal), divisor.scale)
  return value < 0 ? -quotient : quotient
}

function isExact(divisor: StepDivisor, step: number): boolean {
  for (let value = 0; value <= MAX_TRANSFORMED; value++) {
    if (divideByStep(value, divisor) !== Math.floor((value + 4 * step) / (8 * step))) return false
  }
  return true
}

/**
 * The divisor of a step from 1 to 255. The two products round once with a bias of 2^-(1 + k), so the
 * reciprocal may be one off the nearest; the first that is exact for every reachable value is used.
 */
export function stepDivisor(step: number): StepDivisor {
  let shift = 0
  while (2 ** (shift + 1) < 8 * step) shift++
  const scale = 2 ** (15 - shift)
  for (const nudge of [0, -1, 1]) {
    const divisor = { reciprocal: Math.round(2 ** (15 + shift) / (8 * step)) + nudge, scale }
    if (divisor.reciprocal < 0x8000 && isExact(divisor, step)) return divisor
  }
  throw new RangeError(`Expected a whole number from 1 to 255 for a quantisation step but received ${step}`)
}
