import { deflateRawSync } from 'node:zlib'
import type { ImageCodec } from '../codec.ts'
import type { PictureEncoder } from '../encoding/picture-encoder.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import { sharp } from './hardened-sharp.ts'

/**
 * Fewer bytes per pixel may mean flat graphics, for which libvips may write less
 * (docs/decisions/encoders.md).
 */
const FLAT_BYTES_PER_PX = 0.8

type Sample = { readonly strips: number; readonly rows: number }

const sample: Sample = { strips: 9, rows: 3 }

/** When libvips makes the smaller file, the estimate is at most this fraction too high. */
const ESTIMATE_SLACK = 0.1

/** Deflate's window: the maximum distance of a match. */
const WINDOW_BYTES = 32768

/** Encodes with our encoders, or with libvips if it makes a PNG smaller. Equal pictures give equal bytes. */
export function encodePictureWith(encoder: PictureEncoder): ImageCodec['encode'] {
  return async (picture, output, backdrop) => {
    const ours = encoder.encode(picture, output, backdrop ?? null)
    if (output.format !== 'png' || ours.length >= FLAT_BYTES_PER_PX * picture.widthPx * picture.heightPx) return ours
    if (estimateDeflated(picture, sample) * (1 - ESTIMATE_SLACK) > ours.length) return ours
    const { widthPx, heightPx, data } = picture
    const theirs = await sharp(data, { raw: { width: widthPx, height: heightPx, channels: 3 } })
      .png()
      .toBuffer()
    return theirs.length < ours.length ? theirs : ours
  }
}

/**
 * Estimates the deflated size of the unfiltered rows with libvips's defaults, from strips of rows with their
 * history. Exact (without the container) if the strips were adjacent.
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

/** Rows [from, to) as in an unfiltered PNG: a zero byte before each. */
function copyRows({ widthPx, data }: OpaquePixmap, from: number, to: number): Uint8Array {
  const rowBytes = 3 * widthPx
  const rows = new Uint8Array((to - from) * (1 + rowBytes))
  for (let row = from; row < to; row++) {
    rows.set(data.subarray(row * rowBytes, (row + 1) * rowBytes), (row - from) * (1 + rowBytes) + 1)
  }
  return rows
}
