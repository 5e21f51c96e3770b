/** Decodes 16-bit PNG, which a canvas cannot (PNG third edition, sections 7 to 10). Not interlaced. */
import { unzlibSync } from 'fflate'
import { joinBytes } from '../compression/join-bytes.ts'
import { undoFilter } from '../decoding/png/undo-filter.ts'

type Samples16 = {
  readonly widthPx: number
  readonly heightPx: number
  readonly channels: number
  readonly data: Uint16Array
}

const channelsOfColorType: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 }

/** Reverses row filters in place. `stride`: a row without its filter byte, `step`: bytes per pixel. */
function unfilter(rows: Uint8Array, heightPx: number, stride: number, step: number): void {
  for (let y = 0; y < heightPx; y++) {
    const at = y * (stride + 1) + 1
    const above = y === 0 ? null : rows.subarray(at - stride - 1, at - 1)
    undoFilter(rows[at - 1] ?? 0, rows.subarray(at, at + stride), above, step)
  }
}

/** Throws if the file is not such a PNG. */
export function decodePng16(bytes: Uint8Array): Samples16 {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [widthPx, heightPx, bits, colorType, interlace] = [
    view.getUint32(16),
    view.getUint32(20),
    view.getUint8(24),
    view.getUint8(25),
    view.getUint8(28),
  ]
  const channels = channelsOfColorType[colorType]
  if (channels === undefined || bits !== 16 || interlace !== 0)
    throw new Error('Expected a 16-bit PNG that is not interlaced.')
  const parts: Uint8Array[] = []
  for (let at = 8; at + 12 <= bytes.length; ) {
    const size = view.getUint32(at)
    if (view.getUint32(at + 4) === 0x49444154) parts.push(bytes.subarray(at + 8, at + 8 + size))
    at += size + 12
  }
  const stride = widthPx * channels * 2
  const rows = unzlibSync(joinBytes(parts), { out: new Uint8Array((stride + 1) * heightPx) })
  unfilter(rows, heightPx, stride, channels * 2)
  const data = new Uint16Array(widthPx * heightPx * channels)
  for (let y = 0; y < heightPx; y++) {
    const from = y * (stride + 1) + 1
    for (let i = 0; i < widthPx * channels; i++)
      data[y * widthPx * channels + i] = ((rows[from + i * 2] ?? 0) << 8) | (rows[from + i * 2 + 1] ?? 0)
  }
  return { widthPx, heightPx, channels, data }
}
