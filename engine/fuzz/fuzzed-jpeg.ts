import type { DecodedJpeg } from '../src/decoding/jpeg/jpeg-decoder.ts'
import type { Eighths } from '../src/decoding/jpeg/jpeg-layout.ts'
import type { FuzzedFormat, FuzzedScales } from './fuzzed-format.ts'
import { judgeBySharp } from './judge-by-sharp.ts'
import { mutateJpeg } from './mutate-jpeg.ts'
import { seedJpegs } from './seed-jpegs.ts'
import { WatchedJpegDecoder } from './watched-jpeg-decoder.ts'

const scales: FuzzedScales<Eighths> = {
  any: random => {
    if (random.below(2) === 0) return { x: 8, y: 8 }
    const x = 1 + random.below(8)
    return { x, y: random.below(2) === 0 ? x : 1 + random.below(8) }
  },
  isReduced: ({ x, y }) => x < 8 || y < 8,
  ofSeeds: ([1, 2, 3, 4, 5, 6, 7, 8] as const).flatMap(x => [
    { x, y: x },
    { x, y: 9 - x },
  ]),
  write: ({ x, y }) => `${x}${y}`,
  read: name => ({ x: Number(name[0]), y: Number(name[1]) }),
  // often outside the picture, or empty
  anyShare: random => {
    const range = (): readonly [number, number] => {
      const from = random.next() * 1.2 - 0.1
      return [from, from + random.next() ** 2 - 0.02]
    }
    const [left, right] = range()
    const [top, bottom] = range()
    return { left, top, right, bottom }
  },
}

/** Judged by libjpeg-turbo at full size. */
export const fuzzedJpeg: FuzzedFormat<Eighths, DecodedJpeg> = {
  extension: 'jpg',
  load: () => WatchedJpegDecoder.load(),
  seeds: seedJpegs,
  mutate: mutateJpeg,
  scales,
  // Coefficients outside the part are not checked.
  judgesWhole: false,
  judge: async (_, bytes, scale, { data }) => {
    if (scales.isReduced(scale)) return null
    const judgement = await judgeBySharp(bytes, data)
    return judgement === 'equal' ? null : `libjpeg-turbo: ${judgement}`
  },
}
