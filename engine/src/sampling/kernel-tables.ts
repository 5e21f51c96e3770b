/**
 * The weights of the 4-tap sampling kernels: Catmull-Rom (Keys 1981, a = -1/2) stretched by 0.9 x the local scale, so that one
 * kernel sharpens where the artwork is enlarged and filters where it is reduced. Beyond a scale of about two 4 taps no longer reach
 * far enough; from there on the sampler reads a reduced level instead.
 */

/** Sub-texel positions of a kernel: sample positions are rounded to 1/128 of a texel. */
export const PHASE_COUNT = 128
export const PHASE_BITS = 7

/** Weights are whole numbers that sum to exactly this, so that a constant stays that constant. */
export const WEIGHT_ONE = 16384

/** One table per 1/16 of scale, from 1 to 2. */
const SCALE_STEPS_PER_UNIT = 16
const TABLE_COUNT = SCALE_STEPS_PER_UNIT + 1

/** The stretch of the kernel per unit of local scale: a little under 1 keeps text crisp, measured best against supersampling. */
const STRETCH_PER_SCALE = 0.9

function catmullRom(x: number): number {
  const t = Math.abs(x)
  if (t < 1) return 1.5 * t * t * t - 2.5 * t * t + 1
  if (t < 2) return -0.5 * t * t * t + 2.5 * t * t - 4 * t + 2
  return 0
}

/** Weights of 4 neighbouring texels for every phase, 4 numbers each: the second texel is the one at or before the position. */
function buildTable(scale: number): Int16Array {
  const table = new Int16Array(PHASE_COUNT * 4)
  const stretch = Math.max(1, scale * STRETCH_PER_SCALE)
  for (let phase = 0; phase < PHASE_COUNT; phase++) {
    const fraction = phase / PHASE_COUNT
    const weights = [
      catmullRom((1 + fraction) / stretch),
      catmullRom(fraction / stretch),
      catmullRom((1 - fraction) / stretch),
      catmullRom((2 - fraction) / stretch),
    ]
    const sum = weights.reduce((total, weight) => total + weight, 0)
    const whole = weights.map(weight => Math.round((weight / sum) * WEIGHT_ONE))
    const rest = WEIGHT_ONE - whole.reduce((total, weight) => total + weight, 0)
    for (let tap = 0; tap < 4; tap++) {
      const nearest = tap === (fraction < 0.5 ? 1 : 2)
      table[phase * 4 + tap] = (whole[tap] ?? 0) + (nearest ? rest : 0)
    }
  }
  return table
}

/** All tables in one array: table t, phase p, tap k at (t * PHASE_COUNT + p) * 4 + k. */
export const KERNEL_TABLES: Int16Array = (() => {
  const all = new Int16Array(TABLE_COUNT * PHASE_COUNT * 4)
  for (let index = 0; index < TABLE_COUNT; index++) {
    all.set(buildTable(1 + index / SCALE_STEPS_PER_UNIT), index * PHASE_COUNT * 4)
  }
  return all
})()

/** The first weight of the table for a local scale (texels per output pixel); scales outside 1..2 take the nearest table. */
export function findKernelTable(scale: number): number {
  const step = Math.round((scale - 1) * SCALE_STEPS_PER_UNIT)
  return Math.max(0, Math.min(TABLE_COUNT - 1, step)) * PHASE_COUNT * 4
}
