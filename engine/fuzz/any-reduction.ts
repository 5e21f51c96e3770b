import type { Random } from './random.ts'
import type { Reduction, Share } from './watched-reducing-decoder.ts'

/** Full size as often as not, otherwise any reduction per axis. */
export function anyReduction(random: Random): Reduction {
  if (random.below(2) === 0) return { x: 1, y: 1 }
  const share = (): number => (random.below(5) === 0 ? 1 : random.next())
  return { x: share(), y: share() }
}

export function anyShare(random: Random): Share {
  const [left, top] = [random.next(), random.next()]
  return { left, top, right: left + random.next() * (1 - left), bottom: top + random.next() * (1 - top) }
}
