/** Artwork that is decoded once and then drawn at any size: a mip chain, made before anything moves. */
import type { DecodedArtwork, DecodeTarget, ImageCodec } from '../codec.ts'
import { halvePixels } from './halve.ts'

/** The least size of the largest level: enough for small pictures that enlarge the artwork several times. */
const SIDE_PX = 2000

/** No side is halved below this. */
const LEAST_SIDE_PX = 32

export class LiveArtwork {
  /** Each half as large as the previous one. */
  readonly #sizes: readonly DecodedArtwork[]
  readonly #largest: DecodedArtwork

  /** @param sizes those of another instance: its pixels, in another worker */
  constructor(sizes: readonly DecodedArtwork[]) {
    const [largest] = sizes
    if (largest === undefined) throw new RangeError('Expected an artwork of one size at least.')
    this.#sizes = sizes
    this.#largest = largest
  }

  /** @param sidePx the least length of each side, if the artwork has as many pixels */
  static async decode(bytes: Uint8Array, codec: ImageCodec, sidePx = SIDE_PX): Promise<LiveArtwork> {
    const sides = { minWidthPx: sidePx, minHeightPx: sidePx }
    let size = await codec.decodeArtwork(bytes, { ...sides, shown: null })
    const sizes = [size]
    while (Math.min(size.widthPx, size.heightPx) >= 2 * LEAST_SIDE_PX) {
      size = halve(size)
      sizes.push(size)
    }
    return new LiveArtwork(sizes)
  }

  get sizes(): readonly DecodedArtwork[] {
    return this.#sizes
  }

  get sourceWidthPx(): number {
    return this.#largest.sourceWidthPx
  }

  get sourceHeightPx(): number {
    return this.#largest.sourceHeightPx
  }

  /** The smallest size that satisfies the target, or the largest of all. */
  find({ minWidthPx, minHeightPx }: Pick<DecodeTarget, 'minWidthPx' | 'minHeightPx'>): DecodedArtwork {
    const isEnough = (size: DecodedArtwork): boolean => size.widthPx >= minWidthPx && size.heightPx >= minHeightPx
    return this.#sizes.findLast(isEnough) ?? this.#largest
  }
}

function halve(artwork: DecodedArtwork): DecodedArtwork {
  const [widthPx, heightPx] = [artwork.widthPx >> 1, artwork.heightPx >> 1]
  const { left, top, width, height } = artwork.extent
  return {
    ...artwork,
    widthPx,
    heightPx,
    data: halvePixels(artwork),
    extent: { left: left / 2, top: top / 2, width: width / 2, height: height / 2 },
  }
}
