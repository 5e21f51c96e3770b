import { reducePicture } from '../test/reference/reduce-reference.ts'
import { costlyPngs } from './costly-pngs.ts'
import { fuzzedReduction } from './fuzzed-reduction.ts'
import { mutatePng } from './mutate-png.ts'
import { seedPngs } from './seed-pngs.ts'
import { WatchedPngDecoder } from './watched-png-decoder.ts'

export const fuzzedPng = fuzzedReduction({
  extension: 'png',
  library: 'libpng',
  load: () => WatchedPngDecoder.load(),
  seeds: async () => [...seedPngs(), ...costlyPngs(48)],
  mutate: mutatePng,
  // Only a palette can be opaque and still count as having alpha.
  reduce: ({ hasAlpha, bytesToDecode }, whole, { widthPx, heightPx }) =>
    reducePicture(whole, widthPx, heightPx, !hasAlpha || (whole.isOpaque && isIndexed(bytesToDecode))),
})

function isIndexed(bytes: Uint8Array): boolean {
  return bytes[25] === 3
}
