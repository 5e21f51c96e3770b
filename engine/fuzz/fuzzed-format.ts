import type { Seed } from './costly-jpegs.ts'
import type { Random } from './random.ts'
import type { DecodedPart, Run, Share } from './watched-run.ts'

/** A decoder that is watched (watched-decoder.ts), at any of its scales. */
export type FuzzedDecoder<Scale, Picture extends DecodedPart> = {
  readonly outcomes: number
  readonly hits: Uint8Array
  decode(bytes: Uint8Array, scale: Scale, garbage?: number, share?: Share | null): Run<Picture>
  novelties(): number
  limitInstructions(instructions: number): void
}

/** The scales of a decoder. */
export type FuzzedScales<Scale> = {
  /** Full size as often as not, otherwise any. */
  readonly any: (random: Random) => Scale
  readonly isReduced: (scale: Scale) => boolean
  /** those that seeds are tried at */
  readonly ofSeeds: readonly Scale[]
  /** Digits that the names of kept files begin with. */
  readonly write: (scale: Scale) => string
  readonly read: (name: string) => Scale
  readonly anyShare: (random: Random) => Share
}

/** A format of pictures whose decoder is tried with damaged files. */
export type FuzzedFormat<Scale, Picture extends DecodedPart> = {
  readonly extension: string
  readonly load: () => Promise<FuzzedDecoder<Scale, Picture>>
  /** Valid files to mutate. */
  readonly seeds: () => Promise<readonly Seed[]>
  readonly mutate: (bytes: Buffer, other: Buffer, random: Random, count: number) => { bytes: Buffer; name: string }
  readonly scales: FuzzedScales<Scale>
  /** Whether a part is judged as the whole, or may be accepted of a picture that is not. */
  readonly judgesWhole: boolean
  /** What is wrong with an accepted picture; null where nothing is. */
  readonly judge: (
    decoder: FuzzedDecoder<Scale, Picture>,
    bytes: Buffer,
    scale: Scale,
    decoded: Picture,
  ) => Promise<string | null>
}
