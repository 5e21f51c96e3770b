import type { SamplingPlan } from './sampling-plan.ts'

/**
 * The plan with the scales of each chunk's neighbour where it has none of its own: at the right rim of a map
 * the place where a chunk's scale is looked at may lie beside the map, and it counts as 0.
 */
export function fillScales(plan: SamplingPlan): SamplingPlan {
  const chunkScaleU = fillZeros(plan.chunkScaleU)
  const chunkScaleV = fillZeros(plan.chunkScaleV)
  return { ...plan, chunkScaleU, chunkScaleV }
}

/** Every 0 becomes the value before it; the first ones the value after them. */
function fillZeros(values: Float32Array): Float32Array {
  let last = values.find(value => value > 0) ?? 0
  return values.map(value => {
    if (value > 0) last = value
    return last
  })
}
