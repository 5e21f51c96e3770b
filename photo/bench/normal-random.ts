import { createRandom } from '../src/numerics/random.ts'

/** Normal deviates by a seed, as clicks and noise of the scenes are drawn with. */
export type NormalRandom = { readonly even: () => number; readonly normal: () => number }

export function normalRandom(seed: number): NormalRandom {
  const even = createRandom(seed)
  return { even, normal: () => Math.sqrt(-2 * Math.log(1 - even())) * Math.cos(6.283185307 * even()) }
}
