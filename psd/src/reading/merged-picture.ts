import type { Rect } from '@vitrine/engine'
import { PsdRefusedError } from '../refused-error.ts'
import { type ChannelRows, copySamples, openChannel, packedBytes, packedRows, unpackingRow } from './channel-rows.ts'
import { type FileBytes, partOf } from './file-bytes.ts'
import type { PsdHeader } from './read-header.ts'

/** The picture that Photoshop saved of all layers together. */
export type MergedPicture = {
  /** RGB of a rectangle inside the canvas; the matte (bytes) shows where the document is transparent. */
  read(rect: Rect, matte: readonly [number, number, number]): Uint8Array
}

/**
 * `data`: from the compression word to the end of the file. Null if it is missing, or compressed in another
 * way than Photoshop's.
 * @throws PsdRefusedError if the file ends before the picture does
 */
export function openMergedPicture(data: FileBytes, header: PsdHeader, hasAlpha: boolean): MergedPicture | null {
  const { isGrey, heightPx, widthPx, channelCount, bits, isLarge } = header
  if (data.sizeBytes < 2) return null
  const [high = 0, low = 0] = data.read(0, 2)
  const compression = (high << 8) | low
  if (compression > 1) return null
  const samples = partOf(data, 2, data.sizeBytes - 2)
  const channelBytes = (widthPx * heightPx * bits) / 8
  const storedBytes =
    compression === 0 ? channelBytes * channelCount : packedBytes(samples, channelCount * heightPx, isLarge)
  if (samples.sizeBytes < storedBytes) {
    throw new PsdRefusedError(
      `This file ends early: ${storedBytes - samples.sizeBytes} bytes of its picture are missing. Upload or copy it again.`,
    )
  }
  const open = (channel: number): ChannelRows => {
    const shape = { widthPx, heightPx, bits, isLarge }
    if (compression === 0) {
      return openChannel({ ...shape, compression, data: partOf(samples, channel * channelBytes, channelBytes) })
    }
    const find = packedRows(
      samples,
      (widthPx * bits) / 8,
      heightPx,
      channel * heightPx,
      isLarge,
      channelCount * heightPx,
    )
    const unpack = unpackingRow(shape, find)
    return { read: (y, x, out) => copySamples(unpack(y), x, bits, out) }
  }
  const colors = (isGrey ? [0, 0, 0] : [0, 1, 2]).map(open)
  const alphaChannel = isGrey ? 1 : 3
  const alpha = hasAlpha && channelCount > alphaChannel ? open(alphaChannel) : null
  return { read: (rect, matte) => readRows(rect, colors, alpha, matte) }
}

function readRows(
  rect: Rect,
  colors: readonly ChannelRows[],
  alpha: ChannelRows | null,
  matte: readonly [number, number, number],
): Uint8Array {
  const { left, top, widthPx, heightPx } = rect
  const out = new Uint8Array(widthPx * heightPx * 3)
  const row = new Uint8Array(widthPx)
  const alphaRow = new Uint8Array(widthPx)
  for (let y = 0; y < heightPx; y++) {
    alpha?.read(top + y, left, alphaRow)
    for (const [c, rows] of colors.entries()) {
      rows.read(top + y, left, row)
      const ground = matte[c] ?? 255
      let to = y * widthPx * 3 + c
      for (let x = 0; x < widthPx; x++, to += 3) {
        const value = row[x] ?? 0
        // The file stores colours over white, so the matte replaces the white of transparent parts.
        out[to] = alpha
          ? Math.min(255, Math.max(0, value + ((ground - 255) * (255 - (alphaRow[x] ?? 0))) / 255 + 0.5))
          : value
      }
    }
  }
  return out
}
