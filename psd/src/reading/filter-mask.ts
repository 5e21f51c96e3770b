import { intersectRects, type Rect, rectOf } from '@vitrine/engine'
import type { PlacedLayer, Psd } from 'ag-psd'
import { isEmpty } from '../rects.ts'
import { PsdRefusedError } from '../refused-error.ts'
import { type ChannelRows, openChannel } from './channel-rows.ts'
import { bytesInMemory } from './file-bytes.ts'

/** The mask of a smart object's filters in document pixels, which limits all of them together. */
export type FilterMask = {
  /** 0..1 for each pixel of a rectangle */
  readonly plane: (rect: Rect) => Float32Array
}

/** "unread": there is one, and it is not understood. Null: all of the filters is seen. */
export type FoundFilterMask = FilterMask | 'unread' | null

type FilterEffectsMask = NonNullable<Psd['filterEffectsMasks']>[number]

/** What is stored of a smart object's filters beside their settings, without the pixels before them. */
export type StoredFilterMask = Pick<FilterEffectsMask, 'id' | 'depth' | 'extra'>

/** Sides beyond those of a Photoshop document are of damaged files. */
const MAX_SIDE_PX = 300_000
const WHITE = 255

/** Copies, so that the file's other bytes are let go. */
export function copyFilterMasks(masks: readonly FilterEffectsMask[]): StoredFilterMask[] {
  return masks.map(({ id, depth, extra }) => ({
    id,
    depth,
    ...(extra && { extra: { ...extra, data: extra.data.slice() } }),
  }))
}

/** `canvas`: of the document. Masks are found by the id of the instance, not of the file that it shows. */
export function readFilterMask(
  { placed, filter }: Pick<PlacedLayer, 'placed' | 'filter'>,
  masks: readonly StoredFilterMask[],
  canvas: Rect,
): FoundFilterMask {
  if (!filter?.enabled || !filter.maskEnabled) return null
  const isWhiteAround = filter.maskExtendWithWhite
  const found = masks.filter(({ id }) => id === placed)
  const [stored] = found
  if (!stored) return isWhiteAround ? null : 'unread'
  if (!stored.extra) return null
  const { left, top, right, bottom, compressionMode, data } = stored.extra
  const own = rectOf(left, top, right, bottom)
  const isSound = !isEmpty(own) && own.widthPx <= MAX_SIDE_PX && own.heightPx <= MAX_SIDE_PX
  if (!isSound || found.length > 1) return 'unread'
  const { widthPx, heightPx } = own
  const bytes = bytesInMemory(data)
  const open = (): ChannelRows =>
    openChannel({ compression: compressionMode, data: bytes, widthPx, heightPx, bits: 8, isLarge: true })
  const part = intersectRects(own, canvas)
  try {
    if ((isWhiteAround || isEqual(part, canvas)) && isWhite(open(), part, own)) return null
  } catch (error) {
    if (error instanceof PsdRefusedError) return 'unread'
    throw error
  }
  // Of 16 bits no file was found that tells how they are stored; white is the same in both.
  if (stored.depth !== 8) return 'unread'
  const rows = open()
  return { plane: rect => readPlane(rows, own, rect, isWhiteAround ? 1 : 0) }
}

function isEqual(a: Rect, b: Rect): boolean {
  return a.left === b.left && a.top === b.top && a.widthPx === b.widthPx && a.heightPx === b.heightPx
}

function isWhite(rows: ChannelRows, part: Rect, own: Rect): boolean {
  const row = new Uint8Array(Math.max(0, part.widthPx))
  for (let y = 0; y < part.heightPx; y++) {
    rows.read(part.top + y - own.top, part.left - own.left, row)
    if (row.some(value => value !== WHITE)) return false
  }
  return true
}

function readPlane(rows: ChannelRows, own: Rect, rect: Rect, outside: number): Float32Array {
  const plane = new Float32Array(rect.widthPx * rect.heightPx).fill(outside)
  const part = intersectRects(own, rect)
  const row = new Uint8Array(Math.max(0, part.widthPx))
  for (let y = 0; y < part.heightPx; y++) {
    rows.read(part.top + y - own.top, part.left - own.left, row)
    const to = (part.top + y - rect.top) * rect.widthPx + part.left - rect.left
    for (let x = 0; x < row.length; x++) plane[to + x] = (row[x] ?? 0) / WHITE
  }
  return plane
}
