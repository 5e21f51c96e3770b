/** Decodes artwork in browsers with the service's decoders, so that previews match mockups. */
import type { ArtworkFacts, ArtworkType } from '../artwork/artwork-facts.ts'
import { equalBytes } from '../artwork/byte-view.ts'
import { convertInks, type InkTable } from '../artwork/color-table.ts'
import { buildByteConversion } from '../artwork/convert-wide.ts'
import type { IccProfile } from '../artwork/icc-profile.ts'
import { buildInkTable } from '../artwork/icc-table.ts'
import { unpackPressTable } from '../artwork/press-table.ts'
import type { DecodedArtwork, DecodeTarget } from '../codec.ts'
import { DeclinedError } from '../decoding/declined.ts'
import { decodeOurs } from '../decoding/decode-ours.ts'
import type { JpegDecoder } from '../decoding/jpeg/jpeg-decoder.ts'
import { colorsOf, decodePlainJpeg } from '../decoding/jpeg/plain-decoder.ts'
import type { PngDecoder } from '../decoding/png/png-decoder.ts'
import type { WebpDecoder } from '../decoding/webp/webp-decoder.ts'
import { finishArtwork, type Rgba } from './finish-artwork.ts'

/** Loaded when a picture needs them. A decoder is null if the browser has no WebAssembly. */
export type BrowserDecoders = {
  readonly jpeg: () => Promise<JpegDecoder | null>
  readonly png: () => Promise<PngDecoder | null>
  readonly webp: () => Promise<WebpDecoder | null>
  /** `engine/kernels/press-table.bin` */
  readonly pressTable: () => Promise<Uint8Array>
}

/** The browser's decoder: the stored samples, or converted to sRGB by the file's profile. */
export type DecodePixels = (bytes: Uint8Array, as: 'shown' | 'stored') => Promise<Rgba>

/** Decodes artwork as the service does. The browser decodes what the service's decoders decline. */
export class ArtworkInBrowser {
  readonly #decoders: BrowserDecoders
  readonly #decodePixels: DecodePixels
  /** of the last CMYK profile: building a table takes a second */
  #inkTable: { readonly profile: IccProfile | null; readonly table: InkTable } | null = null

  constructor(decoders: BrowserDecoders, decodePixels: DecodePixels) {
    this.#decoders = decoders
    this.#decodePixels = decodePixels
  }

  async decode(facts: ArtworkFacts, target: DecodeTarget | null): Promise<DecodedArtwork> {
    const load = async <T>(type: ArtworkType, get: () => Promise<T>): Promise<T | null> =>
      facts.type === type ? get() : null
    const ours = decodeOurs(facts, target, {
      jpeg: await load('jpeg', this.#decoders.jpeg),
      png: await load('png', this.#decoders.png),
      webp: await load('webp', this.#decoders.webp),
    })
    if (!(ours instanceof DeclinedError)) return ours
    if (ours.refusal !== null) throw ours.refusal
    return this.#decodeDeclined(facts, target)
  }

  async #decodeDeclined(facts: ArtworkFacts, target: DecodeTarget | null): Promise<DecodedArtwork> {
    const convert = buildByteConversion(facts.profile)
    // RGB with a table profile: the browser has a colour engine.
    if (convert === null && facts.colorModel === 'rgb')
      return finishArtwork(facts, await this.#decodePixels(facts.bytesToDecode, 'shown'), target)
    const stored = decodePlain(facts) ?? (await this.#decodePixels(facts.bareBytes ?? facts.bytesToDecode, 'stored'))
    if (stored.hasInks) convertInks(stored.data, await this.#findInkTable(facts.profile))
    // As in the service, 16-bit pictures are reduced before they are converted.
    const isWide = facts.bitsPerChannel === 16
    if (!isWide && !stored.hasInks) convert?.(stored.data)
    const artwork = finishArtwork(facts, stored, target)
    if (isWide) convert?.(artwork.data)
    return artwork
  }

  /** The table of the profile, or of the default press. */
  async #findInkTable(profile: IccProfile | null): Promise<InkTable> {
    const last = this.#inkTable
    if (last !== null && isSameProfile(last.profile, profile)) return last.table
    const own = profile && buildInkTable(profile)
    const table = own ?? unpackPressTable(await this.#decoders.pressTable())
    this.#inkTable = { profile, table }
    return table
  }
}

function isSameProfile(a: IccProfile | null, b: IccProfile | null): boolean {
  return a === null || b === null ? a === b : equalBytes(a.bytes, b.bytes)
}

/** Decodes JPEGs that our kernel declines; null leaves them to the browser. Throws ArtworkError. */
function decodePlain({ jpeg }: ArtworkFacts): Rgba | null {
  if (jpeg === undefined) return null
  try {
    const plain = decodePlainJpeg(jpeg.bytes, jpeg.scanEnds)
    const { widthPx, heightPx, colors } = plain
    return { widthPx, heightPx, data: colorsOf(plain), hasInks: colors === 'cmyk' || colors === 'ycck' }
  } catch (error) {
    if (!(error instanceof DeclinedError)) throw error
    if (error.refusal !== null) throw error.refusal
    return null
  }
}
