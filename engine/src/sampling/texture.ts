import { GREATEST_LEVEL, TEXTURE_PAD } from '../../kernels/assembly/frame/constants.ts'
import { type AffineMap, boundUnitSquare, scaleAndShift } from '../geometry/affine-map.ts'
import { type Repeat, ROUNDING_PX } from '../geometry/artwork-placement.ts'
import type { Rect } from '../geometry/rect.ts'
import { type Extension, findTexelBefore } from './extend-texture.ts'
import type { PlacedArtwork } from './placed-artwork.ts'
import { premultiplyPixels } from './premultiply.ts'

/** One mip level: premultiplied RGBA, sRGB-encoded, with TEXTURE_PAD texels of padding on every side. */
export type TextureLevel = {
  readonly widthPx: number
  readonly heightPx: number
  readonly strideBytes: number
  /** byte offset of texel (0, 0) */
  readonly originByte: number
  readonly data: Uint8Array
}

/** Artwork ready for sampling: its visible part, and mip levels halved per axis. */
export type Texture = {
  readonly base: TextureLevel
  readonly across: Extension
  readonly down: Extension
  readonly repeat: Repeat
  readonly mapping: TextureMapping
  /** by findLevelKey; computed on first use */
  readonly levels: (TextureLevel | undefined)[]
}

function allocateLevel(widthPx: number, heightPx: number): TextureLevel {
  const strideBytes = (widthPx + 2 * TEXTURE_PAD) * 4
  const data = new Uint8Array(strideBytes * (heightPx + 2 * TEXTURE_PAD))
  return { widthPx, heightPx, strideBytes, originByte: TEXTURE_PAD * strideBytes + TEXTURE_PAD * 4, data }
}

/** Fills a level's padding. */
function padLevel(level: TextureLevel, across: Extension, down: Extension): void {
  const { widthPx, heightPx, strideBytes, originByte, data } = level
  for (let y = 0; y < heightPx; y++) {
    const row = originByte + y * strideBytes
    for (let step = 1; step <= TEXTURE_PAD; step++) {
      const before = findTexelBefore(across, widthPx, step - 1)
      const after = widthPx - 1 - before
      data.copyWithin(row - step * 4, row + before * 4, row + before * 4 + 4)
      data.copyWithin(row + (widthPx - 1 + step) * 4, row + after * 4, row + after * 4 + 4)
    }
  }
  const first = TEXTURE_PAD * strideBytes
  const copyRow = (from: number, to: number): void => {
    data.copyWithin(first + to * strideBytes, first + from * strideBytes, first + (from + 1) * strideBytes)
  }
  for (let step = 1; step <= TEXTURE_PAD; step++) {
    const before = findTexelBefore(down, heightPx, step - 1)
    copyRow(before, -step)
    copyRow(heightPx - 1 - before, heightPx - 1 + step)
  }
}

/** The part of decoded artwork that a frame samples: a rectangle, and the map from (u, v) to its texels. */
export type TextureMapping = { readonly rect: Rect; readonly toTexels: AffineMap }

/**
 * The visible part of decoded artwork with its margin, rounded outwards to whole texels; all of it if it
 * repeats. The map preserves the exact placement.
 */
export function mapTexture({ artwork, toArtwork, startU, repeat, marginPx }: PlacedArtwork): TextureMapping {
  const { widthPx, heightPx, extent } = artwork
  const toPixels = scaleAndShift(toArtwork, extent.width, extent.height, extent.left, extent.top)
  if (repeat !== 'none') return { rect: { left: 0, top: 0, widthPx, heightPx }, toTexels: toPixels }
  const shown = boundUnitSquare(toPixels, startU)
  const left = Math.max(0, Math.min(widthPx - 1, Math.floor(shown.left + ROUNDING_PX) - marginPx))
  const top = Math.max(0, Math.min(heightPx - 1, Math.floor(shown.top + ROUNDING_PX) - marginPx))
  const right = Math.min(widthPx, Math.ceil(shown.left + shown.width - ROUNDING_PX) + marginPx)
  const bottom = Math.min(heightPx, Math.ceil(shown.top + shown.height - ROUNDING_PX) + marginPx)
  return {
    rect: { left, top, widthPx: Math.max(1, right - left), heightPx: Math.max(1, bottom - top) },
    toTexels: { ...toPixels, x0: toPixels.x0 - left, y0: toPixels.y0 - top },
  }
}

/** The texture of a frame: premultiplied, so that filters never mix in the colour of transparent pixels. */
export function buildTexture(placed: PlacedArtwork): Texture {
  const { artwork, across, down, repeat } = placed
  const mapping = mapTexture(placed)
  const { rect } = mapping
  const base = allocateLevel(rect.widthPx, rect.heightPx)
  for (let y = 0; y < base.heightPx; y++) {
    const from = ((rect.top + y) * artwork.widthPx + rect.left) * 4
    const to = base.originByte + y * base.strideBytes
    base.data.set(artwork.data.subarray(from, from + base.widthPx * 4), to)
    premultiplyPixels(base.data, to, to + base.widthPx * 4)
  }
  padLevel(base, across, down)
  return { base, across, down, repeat, mapping, levels: [] }
}

/** The index of a level in a list of all levels of a texture. */
export function findLevelKey(levelU: number, levelV: number): number {
  return levelU * (GREATEST_LEVEL + 1) + levelV
}

/** The level from which a level is halved, along the axis halved more often: few levels are computed. */
export function findParentLevel(levelU: number, levelV: number): { levelU: number; levelV: number; halvesU: boolean } {
  const halvesU = levelU > 0 && (levelV === 0 || levelU >= levelV)
  return halvesU ? { levelU: levelU - 1, levelV, halvesU } : { levelU, levelV: levelV - 1, halvesU }
}

/**
 * The texture halved `levelU` times across and `levelV` times down with the weights 1 3 3 1. Texel i of a
 * level covers texels 2i and 2i + 1 of its parent (at an odd end the edge repeats): positions halve exactly.
 */
export function getTextureLevel(texture: Texture, levelU: number, levelV: number): TextureLevel {
  if (levelU === 0 && levelV === 0) return texture.base
  const key = findLevelKey(levelU, levelV)
  const made = texture.levels[key]
  if (made) return made
  const parent = findParentLevel(levelU, levelV)
  const { halvesU } = parent
  const source = getTextureLevel(texture, parent.levelU, parent.levelV)
  const level = halvesU
    ? allocateLevel((source.widthPx + 1) >> 1, source.heightPx)
    : allocateLevel(source.widthPx, (source.heightPx + 1) >> 1)
  const stepX = halvesU ? 8 : 4
  const stepY = halvesU ? source.strideBytes : 2 * source.strideBytes
  const partner = halvesU ? 4 : source.strideBytes
  const from = source.data
  const to = level.data
  for (let y = 0; y < level.heightPx; y++) {
    let s = source.originByte + y * stepY
    let d = level.originByte + y * level.strideBytes
    for (let x = 0; x < level.widthPx; x++, s += stepX, d += 4) {
      const before = s - partner
      const pair = s + partner
      const after = pair + partner
      for (let channel = 0; channel < 4; channel++) {
        const outer = (from[before + channel] ?? 0) + (from[after + channel] ?? 0)
        const inner = (from[s + channel] ?? 0) + (from[pair + channel] ?? 0)
        to[d + channel] = (outer + 3 * inner + 4) >> 3
      }
    }
  }
  padLevel(level, texture.across, texture.down)
  texture.levels[key] = level
  return level
}
