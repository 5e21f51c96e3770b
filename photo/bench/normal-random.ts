import { createRandom } from '../src/numerics/random.ts'

/** 2π to the digits with which the published measurements were made. */
const TWO_PI = 6.283185307

/** Seeded random numbers with mean 0 and standard deviation 1 (Box-Muller). */
export function createNormalRandom(seed: number): () => number {
  const uniform = createRandom(seed)
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(TWO_PI * uniform())
}
