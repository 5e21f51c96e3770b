import type { Sharp } from 'sharp'
import { ArtworkError } from '../artwork/artwork-error.ts'
import type { ArtworkFacts } from '../artwork/artwork-facts.ts'
import { buildWideConversion, roundSamples } from '../artwork/convert-wide.ts'
import { swapsSides } from '../artwork/exif-orientation.ts'
import { inspectArtwork } from '../artwork/inspect-artwork.ts'
import type { DecodedArtwork, DecodeTarget, ImageCodec } from '../codec.ts'
import { decodeJpegArtwork } from '../decoding/decode-jpeg-artwork.ts'
import { DeclinedError } from '../decoding/jpeg/declined.ts'
import { JpegDecoder } from '../decoding/jpeg/jpeg-decoder.ts'
import { freshMemory, type PixelMemory } from '../decoding/reused-memory.ts'
import { toArtworkError } from './decoder-failure.ts'
import { loadKernels } from './load-kernels.ts'
import { openPicture } from './open-picture.ts'
import { placeFrame } from './place-frame.ts'
import { turns } from './turn-picture.ts'

type Size = { readonly widthPx: number; readonly heightPx: number }

/**
 * Artwork from its bytes: inspected, decoded by our decoder, or from the beginning by libvips, which has the
 * last word on damage. One decoder per codec. Our decoder's pixels lie in `memory`.
 */
export function createArtworkDecoder(memory: PixelMemory = freshMemory): ImageCodec['decodeArtwork'] {
  const jpegDecoder = new JpegDecoder(loadKernels().get('jpeg-decoder'), memory)
  return async (bytes, target, known) => {
    const facts = known ?? inspectArtwork(bytes)
    try {
      return decodeJpegArtwork(facts, target, jpegDecoder)
    } catch (error) {
      if (!(error instanceof DeclinedError)) throw error
    }
    return decodeWithSharp(facts, target)
  }
}

/**
 * Inspected artwork by libvips: in 8-bit sRGB, upright, reduced with Lanczos3 (weighted by alpha) to no less
 * than the target, straight alpha, the whole source. Throws ArtworkError for what the picture is to blame
 * for.
 */
export async function decodeWithSharp(facts: ArtworkFacts, target: DecodeTarget | null): Promise<DecodedArtwork> {
  try {
    const size = reducedStoredSize(facts, target)
    const { data, widthPx, heightPx } = await decodeRgba(facts, size)
    const wanted = swapsSides(facts.orientation) ? { widthPx: size.heightPx, heightPx: size.widthPx } : size
    if (widthPx !== wanted.widthPx || heightPx !== wanted.heightPx) {
      throw new ArtworkError('corrupt', 'Expected the size that the picture declares but received another.')
    }
    return {
      alpha: 'straight',
      ...wanted,
      data,
      extent: { left: 0, top: 0, width: widthPx, height: heightPx },
      decodedBy: 'general',
      sourceWidthPx: facts.widthPx,
      sourceHeightPx: facts.heightPx,
      isOpaque: !facts.hasAlpha || isOpaque(data),
    }
  } catch (error) {
    throw toArtworkError(error)
  }
}

/** The stored picture's size after the reduction: per axis the least that is no less than the target. */
function reducedStoredSize(facts: ArtworkFacts, target: DecodeTarget | null): Size {
  const stored = { widthPx: facts.storedWidthPx, heightPx: facts.storedHeightPx }
  if (target === null) return stored
  const isTurned = swapsSides(facts.orientation)
  const minWidthPx = isTurned ? target.minHeightPx : target.minWidthPx
  const minHeightPx = isTurned ? target.minWidthPx : target.minHeightPx
  return {
    widthPx: Math.min(stored.widthPx, Math.max(1, Math.ceil(minWidthPx))),
    heightPx: Math.min(stored.heightPx, Math.max(1, Math.ceil(minHeightPx))),
  }
}

type Rgba = { readonly data: Uint8Array; readonly widthPx: number; readonly heightPx: number }

async function decodeRgba(facts: ArtworkFacts, size: Size): Promise<Rgba> {
  const convert = facts.bitsPerChannel === 16 ? buildWideConversion(facts.profile) : null
  const isWide = facts.bitsPerChannel === 16
  const picture = facts.frame === null ? openInSrgb(facts, convert !== null) : await placeFrame(facts, facts.frame)
  if (size.widthPx !== facts.storedWidthPx || size.heightPx !== facts.storedHeightPx) {
    // An empty crop keeps sharp from decoding a JPEG at 1/2 to 1/8, which shifts pictures of odd sizes.
    if (!shrinksExactly(facts, size)) {
      picture.extract({ left: 0, top: 0, width: facts.storedWidthPx, height: facts.storedHeightPx })
    }
    picture.resize({
      width: size.widthPx,
      height: size.heightPx,
      fit: 'fill',
      kernel: 'lanczos3',
      // Decoders reduce with boxes, which leaves moire: at least the last factor of two is Lanczos's.
      fastShrinkOnLoad: false,
    })
  }
  const { flip, flop, angle } = turns[facts.orientation]
  if (flip) picture.flip()
  if (flop) picture.flop()
  if (angle !== 0) picture.rotate(angle)
  const { data, info } = await picture
    .ensureAlpha()
    .raw({ depth: isWide ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true })
  if (info.channels !== 4) throw new ArtworkError('corrupt', 'Expected a picture in colour but received damaged data.')
  const turned = { widthPx: info.width, heightPx: info.height }
  if (!isWide) return { data, ...turned }
  const samples = new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2)
  return { data: (convert ?? roundSamples)(samples), ...turned }
}

/** The stored picture as a pipeline that ends in sRGB, or in its own 16-bit numbers if we convert them. */
function openInSrgb(facts: ArtworkFacts, isConvertedByUs: boolean): Sharp {
  if (facts.bitsPerChannel !== 16) return openPicture(facts).toColourspace('srgb')
  if (isConvertedByUs) return openPicture(facts, { ignoreIcc: true }).toColourspace('rgb16')
  // sharp converts 16-bit RGB to Display P3 and, unless told otherwise, takes the numbers for sRGB.
  return openPicture(facts).toColourspace('rgb16').withIccProfile('srgb', { attach: false })
}

/** True where the decoder's own reduction, if sharp uses one, divides both sides without a remainder. */
function shrinksExactly(facts: ArtworkFacts, size: Size): boolean {
  if (facts.type !== 'jpeg') return true
  const factor = Math.min(facts.storedWidthPx / size.widthPx, facts.storedHeightPx / size.heightPx)
  const largest = factor >= 16 ? 8 : factor >= 8 ? 4 : factor >= 4 ? 2 : 1
  return facts.storedWidthPx % largest === 0 && facts.storedHeightPx % largest === 0
}

function isOpaque(rgba: Uint8Array): boolean {
  for (let i = 3; i < rgba.byteLength; i += 4) if (rgba[i] !== 255) return false
  return true
}
