import { ArtworkError } from '../artwork/artwork-error.ts'
import type { ArtworkFacts } from '../artwork/artwork-facts.ts'
import { inspectArtwork } from '../artwork/inspect-artwork.ts'
import type { LayerKind, LayerPixmaps } from '../codec.ts'
import type { CoveragePixmap, OpaquePixmap, StraightPixmap, UvPixmap } from '../pixmap.ts'
import { toArtworkError } from './decoder-failure.ts'
import { openPicture } from './open-picture.ts'

const decoders: { readonly [K in LayerKind]: (facts: ArtworkFacts) => Promise<LayerPixmaps[K]> } = {
  rgb: decodeRgb,
  rgba: decodeRgba,
  coverage: decodeCoverage,
  uv: decodeUv,
}

/**
 * A layer of a bundle at its stored size, its numbers as they are stored: layers are sRGB (or coverage, or
 * coordinates) by definition, so profiles and orientations are not applied. Throws ArtworkError.
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
  assertScreenColor(facts)
  const { data, info } = await openPicture(facts, { ignoreIcc: true })
    .toColourspace('srgb')
    .removeAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  assertChannels(info.channels, 3)
  return { alpha: 'opaque', widthPx: info.width, heightPx: info.height, data }
}

async function decodeRgba(facts: ArtworkFacts): Promise<StraightPixmap> {
  assertScreenColor(facts)
  const { data, info } = await openPicture(facts, { ignoreIcc: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  assertChannels(info.channels, 4)
  return { alpha: 'straight', widthPx: info.width, heightPx: info.height, data }
}

/** Grey as it is stored; of a colour file (WebP knows no grey) the red channel. */
async function decodeCoverage(facts: ArtworkFacts): Promise<CoveragePixmap> {
  const { data, widthPx, heightPx } = await decodeRgb(facts)
  const coverage = new Uint8Array(widthPx * heightPx)
  for (let i = 0, from = 0; i < coverage.length; i++, from += 3) coverage[i] = data[from] ?? 0
  return { alpha: 'coverage', widthPx, heightPx, data: coverage }
}

/** R = u, G = v, alpha is the coverage, blue is ignored. 8 bits would err by pixels and are refused. */
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

function assertScreenColor(facts: ArtworkFacts): void {
  if (facts.colorModel === 'cmyk') {
    throw new ArtworkError('unsupported_type', 'Expected an sRGB or grey layer but received a CMYK picture.')
  }
}

function assertChannels(received: number, expected: number): void {
  if (received !== expected) {
    throw new ArtworkError('corrupt', `Expected ${expected} channels from the layer but received ${received}.`)
  }
}

function describe(facts: ArtworkFacts): string {
  const model = facts.colorModel === 'grey' ? 'grey' : facts.colorModel === 'rgb' ? 'RGB' : 'CMYK'
  return `an ${facts.bitsPerChannel}-bit ${model} ${facts.type.toUpperCase()}`.replace('an 16', 'a 16')
}
