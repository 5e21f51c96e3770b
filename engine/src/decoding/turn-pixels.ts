import type { Orientation } from '../artwork/artwork-facts.ts'
import type { Extent } from '../codec.ts'
import type { PixelMemory } from '../reused-memory.ts'

/** RGBA pixels as stored, and the part of the source that they cover. */
export type StoredPixels = {
  readonly widthPx: number
  readonly heightPx: number
  readonly data: Uint8Array
  readonly extent: Extent
}

/** From an upright pixel to its stored one: coordinates are swapped, then mirrored. */
type Turn = { readonly swaps: boolean; readonly mirrorsX: boolean; readonly mirrorsY: boolean }

const turn = (swaps: boolean, mirrorsX: boolean, mirrorsY: boolean): Turn => ({ swaps, mirrorsX, mirrorsY })

/** EXIF 2.32, tag 0x0112: the sides at which the stored first row and first column appear. */
const turns: { readonly [K in Orientation]: Turn } = {
  1: turn(false, false, false),
  2: turn(false, true, false),
  3: turn(false, true, true),
  4: turn(false, false, true),
  5: turn(true, false, false),
  6: turn(true, false, true),
  7: turn(true, true, true),
  8: turn(true, true, false),
}

/** Rows that are written together when rows become columns, so that their cache lines stay in L1. */
const BAND_ROWS = 32

/** Converts a part of the upright picture to the stored one; both in fractions of the picture. */
export function turnBack({ left, top, width, height }: Extent, orientation: Orientation): Extent {
  const { swaps, mirrorsX, mirrorsY } = turns[orientation]
  const stored = swaps ? { left: top, top: left, width: height, height: width } : { left, top, width, height }
  return {
    ...stored,
    left: mirrorsX ? 1 - stored.left - stored.width : stored.left,
    top: mirrorsY ? 1 - stored.top - stored.height : stored.top,
  }
}

/** Turns the picture upright, into pixels taken from `memory`; the stored ones are returned to it. */
export function turnPixels(stored: StoredPixels, orientation: Orientation, memory: PixelMemory): StoredPixels {
  if (orientation === 1) return stored
  const { swaps, mirrorsX, mirrorsY } = turns[orientation]
  const { widthPx: storedWidth, heightPx: storedHeight, extent } = stored
  const widthPx = swaps ? storedHeight : storedWidth
  const heightPx = swaps ? storedWidth : storedHeight
  const from = new Uint32Array(stored.data.buffer, stored.data.byteOffset, storedWidth * storedHeight)
  const data = memory.take(widthPx * heightPx * 4)
  const to = new Uint32Array(data.buffer, data.byteOffset, widthPx * heightPx)
  const stepX = mirrorsX ? -1 : 1
  const stepY = mirrorsY ? -storedWidth : storedWidth
  const start = (mirrorsX ? storedWidth - 1 : 0) + (mirrorsY ? (storedHeight - 1) * storedWidth : 0)
  /** from a stored pixel to those shown to its right and below it */
  const [across, down] = swaps ? [stepY, stepX] : [stepX, stepY]
  for (let top = 0; top < heightPx; top += BAND_ROWS) {
    const end = Math.min(heightPx, top + BAND_ROWS)
    for (let x = 0; x < widthPx; x++) {
      let at = start + x * across + top * down
      for (let y = top; y < end; y++, at += down) to[y * widthPx + x] = from[at] ?? 0
    }
  }
  memory.giveBack(stored.data)
  const left = mirrorsX ? storedWidth - extent.left - extent.width : extent.left
  const top = mirrorsY ? storedHeight - extent.top - extent.height : extent.top
  return {
    widthPx,
    heightPx,
    data,
    extent: swaps
      ? { left: top, top: left, width: extent.height, height: extent.width }
      : { left, top, width: extent.width, height: extent.height },
  }
}
