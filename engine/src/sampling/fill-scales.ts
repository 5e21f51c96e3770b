import type { SamplingPlan } from './sampling-plan.ts'

/**
 * Replaces missing chunk scales by those of neighbouring chunks: at the right rim of a map, the point where a
 * chunk's scale is read may lie outside the map, and the scale is 0.
 */
export function fillScales(plan: SamplingPlan): SamplingPlan {
  const chunkScaleU = fillZeros(plan.chunkScaleU)
  const chunkScaleV = fillZeros(plan.chunkScaleV)
  return { ...plan, chunkScaleU, chunkScaleV }
}

/** Every 0 takes the value before it; leading ones the value after them. */
function fillZeros(values: Float32Array): Float32Array {
  let last = values.find(value => value > 0) ?? 0
  return values.map(value => {
    if (value > 0) last = value
    return last
  })
}
