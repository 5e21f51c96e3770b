import { crc32 } from 'node:zlib'
import type { Sharp } from 'sharp'
import { ArtworkError } from '../artwork/artwork-error.ts'
import type { ArtworkFacts, FrameRegion } from '../artwork/artwork-facts.ts'
import { buildWideConversion, roundSamples } from '../artwork/convert-wide.ts'
import { swapsSides } from '../artwork/exif-orientation.ts'
import { inspectArtwork } from '../artwork/inspect-artwork.ts'
import type { DecodedArtwork, DecodeTarget, ImageCodec } from '../codec.ts'
import { DeclinedError } from '../decoding/declined.ts'
import { decodeOurs } from '../decoding/decode-ours.ts'
import { JpegDecoder } from '../decoding/jpeg/jpeg-decoder.ts'
import { PngDecoder } from '../decoding/png/png-decoder.ts'
import { findPart, type Part } from '../decoding/shown-part.ts'
import { WebpDecoder } from '../decoding/webp/webp-decoder.ts'
import { freshMemory, type PixelMemory } from '../reused-memory.ts'
import { toArtworkError } from './decoder-failure.ts'
import { sharp } from './hardened-sharp.ts'
import { loadKernels } from './load-kernels.ts'
import { openPicture } from './open-picture.ts'
import { findLoadedSize } from './reduced-load.ts'
import { turns } from './turn-picture.ts'

type Size = { readonly widthPx: number; readonly heightPx: number }

/**
 * Inspects artwork and decodes it, by our own decoder if it accepts the picture, otherwise by libvips. Our
 * decoders retain their memory: one per codec. Their pixels are in `memory`.
 */
export function createArtworkDecoder(memory: PixelMemory = freshMemory): ImageCodec['decodeArtwork'] {
  const kernels = loadKernels()
  const decoders = {
    jpeg: new JpegDecoder(kernels.get('jpeg-decoder'), memory),
    png: new PngDecoder(kernels.get('png-decoder'), crc32, memory),
    webp: new WebpDecoder(kernels.get('webp-decoder'), memory),
  }
  return async (bytes, target, known) => {
    const facts = known ?? inspectArtwork(bytes)
    const ours = decodeOurs(facts, target, decoders)
    return ours instanceof DeclinedError ? decodeDeclined(facts, target, ours) : ours
  }
}

/** Decodes with libvips what ours declined. If both find a fault, ours is reported, as in browsers. */
async function decodeDeclined(
  facts: ArtworkFacts,
  target: DecodeTarget | null,
  declined: DeclinedError,
): Promise<DecodedArtwork> {
  try {
    return await decodeWithSharp(facts, target)
  } catch (error) {
    throw error instanceof ArtworkError ? (declined.refusal ?? error) : error
  }
}

/**
 * Decodes inspected artwork with libvips: 8-bit sRGB by its profile, upright, straight alpha, reduced with
 * Lanczos3 (alpha-weighted) to no less than the target (null: not reduced); WebP by its decoder's reduction
 * if that suffices. Covers the whole source exactly; for WebP, at least the visible part. Throws ArtworkError
 * for faults of the picture.
 */
export async function decodeWithSharp(facts: ArtworkFacts, target: DecodeTarget | null): Promise<DecodedArtwork> {
  try {
    const least = reducedStoredSize(facts, target)
    const loaded = target === null ? null : findLoadedSize(facts, least)
    const size = loaded ?? least
    const whole = swapsSides(facts.orientation) ? { widthPx: size.heightPx, heightPx: size.widthPx } : size
    const isReduced = size.widthPx !== facts.storedWidthPx || size.heightPx !== facts.storedHeightPx
    const isCut = isReduced && facts.type === 'webp' && target?.shown
    const part = isCut ? findPart(target.shown, whole.widthPx, whole.heightPx) : null
    const { data, widthPx, heightPx } = await decodeRgba(facts, size, loaded !== null, part)
    const wanted = part ? { widthPx: part.right - part.left, heightPx: part.bottom - part.top } : whole
    if (widthPx !== wanted.widthPx || heightPx !== wanted.heightPx) {
      throw new ArtworkError('corrupt', 'Expected the size that the picture declares but received another.')
    }
    return {
      alpha: 'straight',
      ...wanted,
      data,
      extent: { left: 0 - (part?.left ?? 0), top: 0 - (part?.top ?? 0), width: whole.widthPx, height: whole.heightPx },
      decodedBy: 'general',
      sourceWidthPx: facts.widthPx,
      sourceHeightPx: facts.heightPx,
      isOpaque: !facts.hasAlpha || isOpaque(data),
    }
  } catch (error) {
    throw toArtworkError(error)
  }
}

/** The stored size after the reduction: per axis, the least sufficient number of pixels. */
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

/** `isLoaded`: the decoder gives that size. `part`: the requested part of the reduced, upright picture. */
async function decodeRgba(
  facts: ArtworkFacts,
  size: Size,
  isLoaded: boolean,
  part: Part | null,
): Promise<Size & { readonly data: Uint8Array }> {
  const isWide = facts.bitsPerChannel === 16
  const convert = isWide ? buildWideConversion(facts.profile) : null
  const picture = facts.frame === null ? openInSrgb(facts, convert !== null) : await openOnCanvas(facts, facts.frame)
  if (size.widthPx !== facts.storedWidthPx || size.heightPx !== facts.storedHeightPx) {
    // A full-size crop prevents sharp from decoding a JPEG at 1/2, 1/4 or 1/8, which shifts odd sizes.
    if (!shrinksExactly(facts, size)) {
      picture.extract({ left: 0, top: 0, width: facts.storedWidthPx, height: facts.storedHeightPx })
    }
    picture.resize({
      width: size.widthPx,
      height: size.heightPx,
      fit: 'fill',
      kernel: 'lanczos3',
      // Decoders reduce with boxes, which leaves moire: at least the last factor of two is Lanczos's, unless
      // the loaded size makes up for it.
      fastShrinkOnLoad: isLoaded,
    })
  }
  const { flip, flop, angle } = turns[facts.orientation]
  if (flip) picture.flip()
  if (flop) picture.flop()
  if (angle !== 0) picture.rotate(angle)
  if (part) {
    const { left, top, right, bottom } = part
    picture.extract({ left, top, width: right - left, height: bottom - top })
  }
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
  // Without a target profile, sharp labels 16-bit RGB as sRGB that it converted to Display P3.
  return openPicture(facts).toColourspace('rgb16').withIccProfile('srgb', { attach: false })
}

/** The first frame of an animation on its canvas, which is transparent elsewhere. */
async function openOnCanvas(facts: ArtworkFacts, frame: FrameRegion): Promise<Sharp> {
  const { data, info } = await openPicture(facts)
    .toColourspace('srgb')
    .ensureAlpha()
    .extend({
      left: frame.leftPx,
      top: frame.topPx,
      right: facts.storedWidthPx - frame.leftPx - frame.widthPx,
      bottom: facts.storedHeightPx - frame.topPx - frame.heightPx,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
}

/** Whether the reduced decoding that sharp would use divides both sides without a remainder. */
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
