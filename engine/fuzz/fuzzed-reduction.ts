import type { ArtworkFacts } from '../src/artwork/artwork-facts.ts'
import { inspectArtwork } from '../src/artwork/inspect-artwork.ts'
import type { Size } from '../src/decoding/reduction/result-layout.ts'
import type { FuzzedFormat, FuzzedScales } from './fuzzed-format.ts'
import { judgeBySharp } from './judge-by-sharp.ts'
import type { DecodedPicture, Reduction } from './watched-reducing-decoder.ts'

type Format = FuzzedFormat<Reduction, DecodedPicture>

/** A format whose decoder reduces. */
type FuzzedReduction = Pick<Format, 'extension' | 'load' | 'seeds' | 'mutate'> & {
  /** which judges what is accepted */
  readonly library: string
  /** The plain definition of a smaller size. */
  readonly reduce: (facts: ArtworkFacts, whole: DecodedPicture, size: Size) => Uint8Array
}

/** More pixels than this are not compared with the plain definition, which is slow. */
const COMPARED_PX = 20_000

const whole: Reduction = { x: 1, y: 1 }

const scales: FuzzedScales<Reduction> = {
  any: random => {
    if (random.below(2) === 0) return whole
    const share = (): number => (random.below(5) === 0 ? 1 : random.next())
    return { x: share(), y: share() }
  },
  isReduced: ({ x, y }) => x < 1 || y < 1,
  ofSeeds: [1, 0.9, 0.5, 0.3, 0.03].map(x => ({ x, y: x })),
  // in thousandths
  write: ({ x, y }) => [x, y].map(share => String(Math.round(share * 1000)).padStart(4, '0')).join(''),
  read: name => ({ x: Number(name.slice(0, 4)) / 1000, y: Number(name.slice(4, 8)) / 1000 }),
  anyShare: random => {
    const [left, top] = [random.next(), random.next()]
    return { left, top, right: left + random.next() * (1 - left), bottom: top + random.next() * (1 - top) }
  },
}

/** Judged by a library at full size, and by the plain definition of the reduction. */
export function fuzzedReduction({ library, reduce, ...format }: FuzzedReduction): Format {
  return {
    ...format,
    scales,
    judgesWhole: true,
    judge: async (decoder, bytes, _, decoded) => {
      const full = decoder.decode(bytes, whole).verdict
      if (!('data' in full)) return 'declined at full size'
      const facts = inspectArtwork(bytes)
      const judgement = await judgeBySharp(facts.bytesToDecode, full.data, facts.bitsPerChannel === 16)
      if (judgement !== 'equal') return `${library}: ${judgement}`
      const { widthPx, heightPx } = decoded
      const isWhole = widthPx === full.widthPx && heightPx === full.heightPx
      if (isWhole || full.widthPx * full.heightPx > COMPARED_PX) return null
      const expected = reduce(facts, full, { widthPx, heightPx })
      return Buffer.from(decoded.data).equals(expected) ? null : 'differs from the plain definition'
    },
  }
}
