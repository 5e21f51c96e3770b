import type { Sharp } from 'sharp'
import { ArtworkError } from '../artwork/artwork-error.ts'
import type { ArtworkFacts } from '../artwork/artwork-facts.ts'
import { inspectArtwork } from '../artwork/inspect-artwork.ts'
import type { LayerKind, LayerPixmaps } from '../codec.ts'
import type { CoveragePixmap, OpaquePixmap, StraightPixmap, UvPixmap, WidePixmap } from '../pixmap.ts'
import { toArtworkError } from './decoder-failure.ts'
import { openPicture } from './open-picture.ts'

const decoders: { readonly [K in LayerKind]: (facts: ArtworkFacts) => Promise<LayerPixmaps[K]> } = {
  rgb: decodeRgb,
  rgba: decodeRgba,
  coverage: decodeCoverage,
  uv: decodeUv,
  rgb16: decodeWide,
}

/**
 * A layer of a bundle at its stored size and with its stored numbers: layers are sRGB, coverage or
 * coordinates by definition, so profiles and orientations are not applied. Throws ArtworkError.
 */
export async function decodeLayer<K extends LayerKind>(bytes: Uint8Array, kind: K): Promise<LayerPixmaps[K]> {
  const facts = inspectArtwork(bytes)
  try {
    return await decoders[kind](facts)
  } catch (error) {
    throw toArtworkError(error)
  }
}

async function decodeRgb(facts: ArtworkFacts): Promise<OpaquePixmap> {
  return { alpha: 'opaque', ...(await readBytes(openColor(facts).removeAlpha(), 3)) }
}

async function decodeRgba(facts: ArtworkFacts): Promise<StraightPixmap> {
  return { alpha: 'straight', ...(await readBytes(openColor(facts).ensureAlpha(), 4)) }
}

function openColor(facts: ArtworkFacts): Sharp {
  if (facts.colorModel === 'cmyk') {
    throw new ArtworkError('unsupported_type', 'Expected an sRGB or grey layer but received a CMYK picture.')
  }
  return openPicture(facts, { ignoreIcc: true }).toColourspace('srgb')
}

async function readBytes(picture: Sharp, channels: number): Promise<Omit<OpaquePixmap, 'alpha'>> {
  const { data, info } = await picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  assertChannels(info.channels, channels)
  return { widthPx: info.width, heightPx: info.height, data }
}

/** Grey; for a colour file (WebP has no grey) the red channel. */
async function decodeCoverage(facts: ArtworkFacts): Promise<CoveragePixmap> {
  const { data, widthPx, heightPx } = await decodeRgb(facts)
  const coverage = new Uint8Array(widthPx * heightPx)
  for (let i = 0, from = 0; i < coverage.length; i++, from += 3) coverage[i] = data[from] ?? 0
  return { alpha: 'coverage', widthPx, heightPx, data: coverage }
}

/** R = u, G = v, alpha (if any) = coverage, blue ignored. 8 bits err by pixels and are refused. */
async function decodeUv(facts: ArtworkFacts): Promise<UvPixmap> {
  if (facts.bitsPerChannel !== 16 || facts.colorModel !== 'rgb') {
    throw new ArtworkError(
      'unsupported_type',
      `Expected a 16-bit RGB PNG for a uv map but received ${describe(facts)}.`,
    )
  }
  const { data, info } = await openPicture(facts, { ignoreIcc: true })
    .toColourspace('rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true })
  const hasCoverage = info.channels === 4
  if (!hasCoverage) assertChannels(info.channels, 3)
  const stored = new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2)
  const map = new Uint16Array(info.width * info.height * 3)
  for (let to = 0, from = 0; to < map.length; to += 3, from += info.channels) {
    map[to] = stored[from] ?? 0
    map[to + 1] = stored[from + 1] ?? 0
    map[to + 2] = hasCoverage ? (stored[from + 3] ?? 0) : 65_535
  }
  return { alpha: 'uv', widthPx: info.width, heightPx: info.height, hasCoverage, data: map }
}

/** In 8-bit files, a byte counts as 257 of 65,535. */
async function decodeWide(facts: ArtworkFacts): Promise<WidePixmap> {
  if (facts.bitsPerChannel === 8) {
    const { data, widthPx, heightPx } = await decodeRgb(facts)
    return { alpha: 'wide', widthPx, heightPx, data: Uint16Array.from(data, byte => byte * 257) }
  }
  if (facts.colorModel !== 'rgb') {
    throw new ArtworkError('unsupported_type', `Expected an RGB PNG but received ${describe(facts)}.`)
  }
  const { data, info } = await openPicture(facts, { ignoreIcc: true })
    .removeAlpha()
    .toColourspace('rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true })
  assertChannels(info.channels, 3)
  const wide = new Uint16Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength))
  return { alpha: 'wide', widthPx: info.width, heightPx: info.height, data: wide }
}

function assertChannels(received: number, expected: number): void {
  if (received !== expected) {
    throw new ArtworkError('corrupt', `Expected ${expected} channels from the layer but received ${received}.`)
  }
}

function describe({ colorModel, bitsPerChannel, type }: ArtworkFacts): string {
  const model = colorModel === 'grey' ? 'grey' : colorModel.toUpperCase()
  return `${bitsPerChannel === 16 ? 'a' : 'an'} ${bitsPerChannel}-bit ${model} ${type.toUpperCase()}`
}
