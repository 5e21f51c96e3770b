import { intersectRects, isSameRect, type Rect, rectOf } from '@vitrine/engine'
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

/** "unread": there is one in an unsupported form. Null: the filters apply everywhere. */
export type FoundFilterMask = FilterMask | 'unread' | null

type FilterEffectsMask = NonNullable<Psd['filterEffectsMasks']>[number]

/** What is stored of a smart object's filters in addition to their settings. */
export type StoredFilterMask = FilterEffectsMask

/** Files with sides beyond those of a Photoshop document are damaged. */
const MAX_SIDE_PX = 300_000
const WHITE = 255

/** Copies, so that the file's bytes can be released; the pixels before filters only if a mask shows them. */
export function copyFilterMasks(masks: readonly FilterEffectsMask[]): StoredFilterMask[] {
  return masks.map(stored => {
    const { extra, channels } = stored
    if (!extra) return { ...stored, channels: [] }
    const copied = { ...extra, data: extra.data.slice() }
    const shows = !isWhiteEverywhere(copied)
    return { ...stored, extra: copied, channels: shows ? channels.map(each => each && copyChannel(each)) : [] }
  })
}

type StoredPlane = NonNullable<FilterEffectsMask['channels'][number]>

const copyChannel = (plane: StoredPlane): StoredPlane => ({ ...plane, data: plane.data.slice() })

function isWhiteEverywhere({ left, top, right, bottom, ...plane }: NonNullable<FilterEffectsMask['extra']>): boolean {
  const own = rectOf(left, top, right, bottom)
  try {
    return isSound(own) && isWhite(openPlane(plane, own), own, own)
  } catch (error) {
    if (error instanceof PsdRefusedError) return false
    throw error
  }
}

function isSound(own: Rect): boolean {
  return !isEmpty(own) && own.widthPx <= MAX_SIDE_PX && own.heightPx <= MAX_SIDE_PX
}

/** As 8 bits. @throws PsdRefusedError if it is truncated, or compressed in an unknown way */
function openPlane({ compressionMode, data }: StoredPlane, { widthPx, heightPx }: Rect): ChannelRows {
  const bytes = bytesInMemory(data)
  return openChannel({ compression: compressionMode, data: bytes, widthPx, heightPx, bits: 8, isLarge: true })
}

/** Rows of a smart object before its filters: red, green, blue and alpha. Null if they are not stored. */
export function openUnfiltered(
  { placed }: Pick<PlacedLayer, 'placed'>,
  masks: readonly StoredFilterMask[],
  isGrey: boolean,
): { readonly own: Rect; readonly rows: readonly ChannelRows[] } | null {
  const stored = masks.find(({ id }) => id === placed)
  if (!stored || stored.depth !== 8) return null
  const own = rectOf(stored.left, stored.top, stored.right, stored.bottom)
  const [red, green, blue] = stored.channels
  const alpha = stored.channels.at(-1)
  const planes = isGrey ? [red, red, red, alpha] : [red, green, blue, alpha]
  const whole = planes.filter(plane => plane !== undefined)
  if (whole.length < planes.length || !isSound(own)) return null
  try {
    return { own, rows: whole.map(plane => openPlane(plane, own)) }
  } catch (error) {
    if (error instanceof PsdRefusedError) return null
    throw error
  }
}

/** `canvas`: that of the document. Masks are found by the id of the instance, not that of its file. */
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
  const { left, top, right, bottom, ...plane } = stored.extra
  const own = rectOf(left, top, right, bottom)
  if (!isSound(own) || found.length > 1) return 'unread'
  const open = (): ChannelRows => openPlane(plane, own)
  const part = intersectRects(own, canvas)
  try {
    if ((isWhiteAround || isSameRect(part, canvas)) && isWhite(open(), part, own)) return null
  } catch (error) {
    if (error instanceof PsdRefusedError) return 'unread'
    throw error
  }
  // No file was found that shows how 16 bits are stored; white is the same in both orders.
  if (stored.depth !== 8) return 'unread'
  const rows = open()
  return { plane: rect => readPlane(rows, own, rect, isWhiteAround ? 1 : 0) }
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
