import type { ArtworkFacts } from '../src/artwork/artwork-facts.ts'
import type { Seed } from './costly-jpegs.ts'
import type { Random } from './random.ts'
import type { DecodedPicture, WatchedReducingDecoder } from './watched-reducing-decoder.ts'

export type FuzzedDecoder = Pick<
  WatchedReducingDecoder<never, never>,
  'decode' | 'outcomes' | 'novelties' | 'limitInstructions' | 'hits'
>

/** A format of pictures whose decoder is tried with damaged files. */
export type FuzzedFormat = {
  readonly extension: string
  /** which judges what is accepted */
  readonly library: string
  readonly load: () => Promise<FuzzedDecoder>
  /** Valid files to mutate. */
  readonly seeds: () => Promise<readonly Seed[]>
  readonly mutate: (bytes: Buffer, other: Buffer, random: Random, count: number) => { bytes: Buffer; name: string }
  /** Whether the picture is reduced as one without alpha. */
  readonly isOpaque: (facts: ArtworkFacts, whole: DecodedPicture) => boolean
}
