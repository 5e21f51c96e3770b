import { PHASE_COUNT, SCALE_STEPS_PER_UNIT, TABLE_COUNT } from '../../kernels/assembly/frame/constants.ts'
import { catmullRom } from './catmull-rom.ts'

// The weights of the 4-tap sampling kernels. For every local scale and sub-texel position they are the four
// numbers whose frequency response is nearest (least squares over a picture's typical spectrum) to that of
// the mean over the output pixel's footprint. docs/decisions/sampling-and-light.md has the reasons.

/** Weights across are whole numbers that sum to exactly this, so that a constant stays that constant. */
const ACROSS_ONE = 16384

/** Weights down sum to this: four weighted bytes fit 16 bits, of which SIMD adds twice as many at once. */
const DOWN_ONE = 128

const TABLE_LENGTH = PHASE_COUNT * 4

/** Where artwork is enlarged: the mean of Catmull-Rom's curve over the footprint (less than one texel). */
function averageCatmullRom(x: number, footprint: number): number {
  const points = 16
  let sum = 0
  for (let i = 0; i < points; i++) sum += catmullRom(x + ((i + 0.5) / points - 0.5) * footprint)
  return sum / points
}

/**
 * At a scale of 1 the weights are Catmull-Rom's, a copy without ringing. So far from 1 nothing is left of
 * them; in between they fade, so that no step shows where the scale varies.
 */
const COPY_RANGE = 0.25

/** Cycles per texel at which responses are compared: midpoints up to the highest that texels hold. */
const frequencies = Float64Array.from({ length: 48 }, (_, k) => (k + 0.5) / 96)

/** Pictures hold amplitudes of about 1/f; the offset keeps the lowest frequency from deciding everything. */
function weighFrequency(frequency: number): number {
  return 1 / (frequency + 0.02)
}

/** Response of the mean over a footprint. */
function respondToFootprint(frequency: number, footprint: number): number {
  const x = Math.PI * frequency * footprint
  return x === 0 ? 1 : Math.sin(x) / x
}

/** Response of the filter that halves levels (1 3 3 1), in cycles per texel of the halved level. */
function respondToHalving(frequency: number): number {
  return 0.75 * Math.cos((Math.PI * frequency) / 2) + 0.25 * Math.cos((3 * Math.PI * frequency) / 2)
}

/** Inverse of the normal equations' matrix, a_ij = sum over f of weight(f) cos(2 pi f (i - j)). */
const inverse: readonly (readonly number[])[] = (() => {
  const taps = [0, 1, 2, 3]
  const rows = taps.map(i => [
    ...taps.map(j => frequencies.reduce((sum, f) => sum + weighFrequency(f) * Math.cos(2 * Math.PI * f * (i - j)), 0)),
    ...taps.map(j => (i === j ? 1 : 0)),
  ])
  // Gauss-Jordan; the matrix is positive definite, so no pivoting.
  taps.forEach(i => {
    const pivot = rows[i]?.[i] ?? 1
    rows[i] = (rows[i] ?? []).map(value => value / pivot)
    taps.forEach(j => {
      const factor = rows[j]?.[i] ?? 0
      if (i !== j) rows[j] = (rows[j] ?? []).map((value, k) => value - factor * (rows[i]?.[k] ?? 0))
    })
  })
  return rows.map(row => row.slice(4))
})()

/** How strongly each frequency counts of the mean over a footprint: the same for every position. */
function responsesOf(footprint: number, isHalved: boolean): Float64Array {
  return frequencies.map(f => {
    // The kernel gives back what halving has taken.
    const halving = isHalved ? respondToHalving(f) : 1
    return (weighFrequency(f) * respondToFootprint(f, footprint)) / halving
  })
}

/** For each phase up to the half, each frequency and tap: the frequency's wave at the tap. */
const waves: readonly Float64Array[] = Array.from({ length: PHASE_COUNT / 2 + 1 }, (_, phase) =>
  Float64Array.from({ length: frequencies.length * 4 }, (_, at) =>
    Math.cos(2 * Math.PI * (frequencies[at >> 2] ?? 0) * ((at & 3) - 1 - phase / PHASE_COUNT)),
  ),
)

/** The four weights for a position `phase / PHASE_COUNT` of a texel after the second tap. */
function fitWeights(responses: Float64Array, phase: number): readonly number[] {
  const target = [0, 0, 0, 0]
  const wave = waves[phase] ?? new Float64Array()
  for (let k = 0; k < responses.length; k++) {
    const response = responses[k] ?? 0
    for (let tap = 0; tap < 4; tap++) target[tap] = (target[tap] ?? 0) + response * (wave[k * 4 + tap] ?? 0)
  }
  const weights = inverse.map(row => row.reduce((sum, value, k) => sum + value * (target[k] ?? 0), 0))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map(weight => weight / sum)
}

/** The weights of a scale and position, summing to 1. */
function buildWeights(scale: number, responses: Float64Array, phase: number): readonly number[] {
  const fraction = phase / PHASE_COUNT
  const taps = [-1, 0, 1, 2].map(tap => tap - fraction)
  const averaged = scale < 1 ? taps.map(x => averageCatmullRom(x, scale)) : fitWeights(responses, phase)
  const sum = averaged.reduce((total, weight) => total + weight, 0)
  const share = Math.min(1, Math.abs(scale - 1) / COPY_RANGE)
  return taps.map((x, tap) => ((averaged[tap] ?? 0) / sum) * share + catmullRom(x) * (1 - share))
}

/** Weights as whole numbers that sum to `one`: what rounding leaves goes to the nearest tap. */
function roundWeights(weights: readonly number[], one: number, fraction: number): readonly number[] {
  const whole = weights.map(weight => Math.round(one * weight))
  const rest = one - whole.reduce((total, weight) => total + weight, 0)
  const nearest = fraction < 0.5 ? 1 : 2
  return whole.map((weight, tap) => (tap === nearest ? weight + rest : weight))
}

const tables = (() => {
  const across = new Int16Array(2 * TABLE_COUNT * TABLE_LENGTH)
  const down = new Int16Array(across.length)
  for (let index = 0; index < 2 * TABLE_COUNT; index++) {
    const scale = (index % TABLE_COUNT) / SCALE_STEPS_PER_UNIT
    const responses = responsesOf(scale, index >= TABLE_COUNT)
    for (let phase = 0; phase <= PHASE_COUNT / 2; phase++) {
      const fraction = phase / PHASE_COUNT
      const weights = buildWeights(scale, responses, phase)
      // A position in the second half is the mirror of one in the first, to the last bit.
      const mirror = (PHASE_COUNT - phase) % PHASE_COUNT
      for (const [table, one] of [
        [across, ACROSS_ONE],
        [down, DOWN_ONE],
      ] as const) {
        const rounded = roundWeights(weights, one, fraction)
        if (mirror > phase) table.set(rounded.toReversed(), index * TABLE_LENGTH + mirror * 4)
        table.set(rounded, index * TABLE_LENGTH + phase * 4)
      }
    }
  }
  return { across, down }
})()

/** Weights across: phase p, tap k of a table at its start + p * 4 + k. First the tables for whole levels. */
export const ACROSS_TABLES: Int16Array = tables.across

/** Weights down, in the same order. */
export const DOWN_TABLES: Int16Array = tables.down

/** Where the table of a scale (texels of the level per output pixel) begins; the last is for 3.25 and up. */
export function findKernelTable(scale: number, isHalved: boolean): number {
  const step = Math.round(scale * SCALE_STEPS_PER_UNIT)
  const index = Math.max(0, Math.min(TABLE_COUNT - 1, step)) + (isHalved ? TABLE_COUNT : 0)
  return index * TABLE_LENGTH
}
