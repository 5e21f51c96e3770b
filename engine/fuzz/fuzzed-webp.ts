import { readFile } from 'node:fs/promises'
import { kernelFile } from '../kernels/build.ts'
import { WebpDecoder } from '../src/decoding/webp/webp-decoder.ts'
import { reducesPlanes } from '../src/decoding/webp/webp-layout.ts'
import { reducePicture, reducePlanes } from '../test/reference/reduce-reference.ts'
import { fuzzedReduction } from './fuzzed-reduction.ts'
import { mutateWebp } from './mutate-webp.ts'
import { seedWebps } from './seed-webps.ts'
import { WatchedWebpDecoder } from './watched-webp-decoder.ts'

const planesDecoder = new WebpDecoder(new WebAssembly.Module(await readFile(kernelFile('webp-planes'))))

export const fuzzedWebp = fuzzedReduction({
  extension: 'webp',
  library: 'libwebp',
  load: () => WatchedWebpDecoder.load(),
  seeds: seedWebps,
  mutate: mutateWebp,
  reduce: ({ bytesToDecode, isLosslessWebp, hasAlpha }, whole, size) =>
    reducesPlanes({ ...whole, isLossless: isLosslessWebp === true, hasAlpha }, size)
      ? reducePlanes(planesDecoder.decode(bytesToDecode), size.widthPx, size.heightPx)
      : reducePicture(whole, size.widthPx, size.heightPx, !hasAlpha),
})
