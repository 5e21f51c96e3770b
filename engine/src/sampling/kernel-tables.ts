import { PHASE_COUNT, SCALE_STEPS_PER_UNIT, TABLE_COUNT } from '../../kernels/assembly/frame/constants.ts'
import { OnDemand } from '../on-demand.ts'
import { catmullRom } from './catmull-rom.ts'

// The weights of the 4-tap sampling kernels. For every local scale and subtexel position, they are the four
// numbers whose frequency response best approximates (least squares over a picture's typical spectrum) that
// of the mean over the output pixel's footprint. Reasons: docs/decisions/sampling-and-light.md.

/** Horizontal weights are integers that sum to exactly this, so that constants are preserved. */
const ACROSS_ONE = 16384

/** Vertical weights sum to this: four weighted bytes fit 16 bits, of which SIMD adds twice as many. */
const DOWN_ONE = 128

const TABLE_LENGTH = PHASE_COUNT * 4

/** For enlarged artwork: the mean of Catmull-Rom's curve over the footprint (less than one texel). */
function averageCatmullRom(x: number, footprint: number): number {
  const points = 16
  let sum = 0
  for (let i = 0; i < points; i++) sum += catmullRom(x + ((i + 0.5) / points - 0.5) * footprint)
  return sum / points
}

/**
 * At a scale of 1 the weights are Catmull-Rom's, a copy without ringing. They fade out over this range around
 * 1, so that varying scales show no step.
 */
const COPY_RANGE = 0.25

/** Cycles per texel at which responses are compared: midpoints up to the Nyquist frequency. */
const frequencies = Float64Array.from({ length: 48 }, (_, k) => (k + 0.5) / 96)

/** Pictures have amplitudes of about 1/f; the offset keeps the lowest frequency from dominating. */
function weighFrequency(frequency: number): number {
  return 1 / (frequency + 0.02)
}

/** Frequency response of the mean over a footprint. */
function respondToFootprint(frequency: number, footprint: number): number {
  const x = Math.PI * frequency * footprint
  return x === 0 ? 1 : Math.sin(x) / x
}

/** Frequency response of the mip filter (1 3 3 1), in cycles per texel of the smaller level. */
function respondToHalving(frequency: number): number {
  return 0.75 * Math.cos((Math.PI * frequency) / 2) + 0.25 * Math.cos((3 * Math.PI * frequency) / 2)
}

/** Inverse of the matrix of the normal equations, a_ij = sum over f of weight(f) cos(2 pi f (i - j)). */
function buildInverse(): readonly (readonly number[])[] {
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
}

/** The weighted response of the mean over a footprint at each frequency, the same for every position. */
function responsesOf(footprint: number, isHalved: boolean): Float64Array {
  return frequencies.map(f => {
    // The kernel compensates for what mip filtering has attenuated.
    const halving = isHalved ? respondToHalving(f) : 1
    return (weighFrequency(f) * respondToFootprint(f, footprint)) / halving
  })
}

/** Positions in the second half mirror those in the first exactly. */
const LAST_PHASE = PHASE_COUNT / 2

/** For each phase: the wave of each frequency at each tap. */
function buildWaves(): readonly Float64Array[] {
  return Array.from({ length: LAST_PHASE + 1 }, (_, phase) =>
    new Float64Array(frequencies.length * 4).map((_, at) =>
      Math.cos(2 * Math.PI * (frequencies[at >> 2] ?? 0) * ((at & 3) - 1 - phase / PHASE_COUNT)),
    ),
  )
}

type Fit = {
  readonly inverse: readonly (readonly number[])[]
  readonly waves: readonly Float64Array[]
  readonly targets: Float64Array
}

// Every render process builds the tables when it starts; the code below writes into arrays to avoid garbage.

/** Writes the four weights for a position `phase / PHASE_COUNT` of a texel after the second tap. */
function fitWeights(
  { inverse, waves, targets }: Fit,
  responses: Float64Array,
  phase: number,
  weights: Float64Array,
): void {
  const wave = waves[phase] ?? new Float64Array(frequencies.length * 4)
  let [first, second, third, fourth] = [0, 0, 0, 0]
  for (let k = 0, at = 0; k < responses.length; k++) {
    const response = responses[k] ?? 0
    first += response * (wave[at++] ?? 0)
    second += response * (wave[at++] ?? 0)
    third += response * (wave[at++] ?? 0)
    fourth += response * (wave[at++] ?? 0)
  }
  targets[0] = first
  targets[1] = second
  targets[2] = third
  targets[3] = fourth
  for (let tap = 0; tap < 4; tap++) {
    let weight = 0
    for (let k = 0; k < 4; k++) weight += (inverse[tap]?.[k] ?? 0) * (targets[k] ?? 0)
    weights[tap] = weight
  }
  divideBySum(weights)
}

function divideBySum(weights: Float64Array): void {
  let sum = 0
  for (let tap = 0; tap < 4; tap++) sum += weights[tap] ?? 0
  for (let tap = 0; tap < 4; tap++) weights[tap] = (weights[tap] ?? 0) / sum
}

/** Writes the weights of a scale and position, with a sum of 1. `responses`: null below a scale of 1. */
function buildWeights(
  fit: Fit,
  scale: number,
  responses: Float64Array | null,
  phase: number,
  weights: Float64Array,
): void {
  const first = -1 - phase / PHASE_COUNT
  if (responses === null) for (let tap = 0; tap < 4; tap++) weights[tap] = averageCatmullRom(first + tap, scale)
  else fitWeights(fit, responses, phase, weights)
  divideBySum(weights)
  const share = Math.min(1, Math.abs(scale - 1) / COPY_RANGE)
  for (let tap = 0; tap < 4; tap++) weights[tap] = (weights[tap] ?? 0) * share + catmullRom(first + tap) * (1 - share)
}

/** Writes weights rounded to integers that sum to `one`, and their mirror; the nearest tap takes the rest. */
function setRounded(weights: Float64Array, one: number, phase: number, table: Int16Array, start: number): void {
  const mirror = (PHASE_COUNT - phase) % PHASE_COUNT
  const nearest = phase < LAST_PHASE ? 1 : 2
  let rest = one
  for (let tap = 0; tap < 4; tap++) rest -= Math.round(one * (weights[tap] ?? 0))
  for (let tap = 0; tap < 4; tap++) {
    const whole = Math.round(one * (weights[tap] ?? 0)) + (tap === nearest ? rest : 0)
    if (mirror > phase) table[start + mirror * 4 + 3 - tap] = whole
    table[start + phase * 4 + tap] = whole
  }
}

/** Phase p, tap k of a table at its start + p * 4 + k. Tables for base levels first. */
type KernelTables = {
  /** Horizontal weights. */
  readonly across: Int16Array
  /** Vertical weights, in the same order. */
  readonly down: Int16Array
}

function buildTables(): KernelTables {
  const across = new Int16Array(2 * TABLE_COUNT * TABLE_LENGTH)
  const down = new Int16Array(across.length)
  const weights = new Float64Array(4)
  const fit = { inverse: buildInverse(), waves: buildWaves(), targets: new Float64Array(4) }
  for (let index = 0; index < 2 * TABLE_COUNT; index++) {
    const scale = (index % TABLE_COUNT) / SCALE_STEPS_PER_UNIT
    const responses = scale < 1 ? null : responsesOf(scale, index >= TABLE_COUNT)
    for (let phase = 0; phase <= LAST_PHASE; phase++) {
      buildWeights(fit, scale, responses, phase, weights)
      setRounded(weights, ACROSS_ONE, phase, across, index * TABLE_LENGTH)
      setRounded(weights, DOWN_ONE, phase, down, index * TABLE_LENGTH)
    }
  }
  return { across, down }
}

const tables = new OnDemand(buildTables)

/** Built on the first call: many processes and pages load the engine and draw nothing. */
export const kernelTables = (): KernelTables => tables.get()

/** The start of a scale's table (texels of the level per output pixel); the last is for 3.25 and more. */
export function findKernelTable(scale: number, isHalved: boolean): number {
  const step = Math.round(scale * SCALE_STEPS_PER_UNIT)
  const index = Math.max(0, Math.min(TABLE_COUNT - 1, step)) + (isHalved ? TABLE_COUNT : 0)
  return index * TABLE_LENGTH
}
