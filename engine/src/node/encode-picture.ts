import { deflateRawSync } from 'node:zlib'
import type { ImageCodec } from '../codec.ts'
import type { PictureEncoder } from '../encoding/picture-encoder.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import { sharp } from './hardened-sharp.ts'

/**
 * Below this many bytes per pixel a PNG is sampled, since libvips may make it smaller: ours hold no matches
 * but runs of zeros, which loses on flat graphics with repeating detail. Photographs need no sample.
 */
const FLAT_BYTES_PER_PX = 0.8

export type Sample = { readonly strips: number; readonly rows: number }

/** About 3 ms in 5 megapixels, against 100 for encoding them by libvips in vain. */
const SAMPLE: Sample = { strips: 9, rows: 3 }

/** The estimate exceeds libvips's size by this share at most (50 pairs of scene and artwork). */
const ESTIMATE_SLACK = 0.1

const WINDOW_BYTES = 32768

/** Encodes by our encoder, and by libvips a PNG that it makes smaller. The same picture, the same bytes. */
export function encodePictureWith(encoder: PictureEncoder): ImageCodec['encode'] {
  return async (picture, output, backdrop) => {
    const ours = encoder.encode(picture, output, backdrop ?? null)
    const isFlat = ours.length < FLAT_BYTES_PER_PX * picture.widthPx * picture.heightPx
    if (output.format === 'jpeg' || !isFlat) return ours
    if (estimateDeflated(picture, SAMPLE) * (1 - ESTIMATE_SLACK) > ours.length) return ours
    const { widthPx, heightPx, data } = picture
    const theirs = await sharp(data, { raw: { width: widthPx, height: heightPx, channels: 3 } })
      .png()
      .toBuffer()
    return theirs.length < ours.length ? theirs : ours
  }
}

/**
 * About how many bytes libvips would deflate the unfiltered rows of a picture to, from strips of rows, each
 * with the rows before it as history. Exact (but for the container) where the strips meet.
 */
export function estimateDeflated(picture: OpaquePixmap, { strips, rows }: Sample): number {
  const { widthPx, heightPx } = picture
  if (heightPx <= 2 * strips * rows) return deflateRawSync(copyRows(picture, 0, heightPx), { level: 6 }).length
  const historyRows = Math.ceil(WINDOW_BYTES / (1 + 3 * widthPx))
  let deflated = 0
  for (let strip = 0; strip < strips; strip++) {
    const top = Math.max(1, Math.floor(((strip + 0.5) * heightPx) / strips))
    const history = copyRows(picture, Math.max(0, top - historyRows), top).subarray(-WINDOW_BYTES)
    deflated += deflateRawSync(copyRows(picture, top, top + rows), { level: 6, dictionary: history }).length
  }
  return (deflated * heightPx) / (strips * rows)
}

/** Rows [from, to) as PNG holds them without a filter: a zero byte before each. */
function copyRows({ widthPx, data }: OpaquePixmap, from: number, to: number): Uint8Array {
  const rowBytes = 3 * widthPx
  const rows = new Uint8Array((to - from) * (1 + rowBytes))
  for (let row = from; row < to; row++) {
    rows.set(data.subarray(row * rowBytes, (row + 1) * rowBytes), (row - from) * (1 + rowBytes) + 1)
  }
  return rows
}
