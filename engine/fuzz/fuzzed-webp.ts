import { fuzzedReduction } from './fuzzed-reduction.ts'
import { mutateWebp } from './mutate-webp.ts'
import { seedWebps } from './seed-webps.ts'
import { WatchedWebpDecoder } from './watched-webp-decoder.ts'

export const fuzzedWebp = fuzzedReduction({
  extension: 'webp',
  library: 'libwebp',
  load: () => WatchedWebpDecoder.load(),
  seeds: seedWebps,
  mutate: mutateWebp,
  isOpaque: ({ hasAlpha }) => !hasAlpha,
})
