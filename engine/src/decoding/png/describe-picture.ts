import * as records from '../../../kernels/assembly/png/records.ts'
import * as shared from '../../../kernels/assembly/reduction/records.ts'
import { describeResult } from '../reduction/describe-result.ts'
import { channelsOfType, type PngPicture, readKey } from './parse-png.ts'
import { INPUT_BYTES, type PngLayout } from './png-layout.ts'

const GREY = 0
const INDEXED = 3

/** Writes the picture, its palette and the tables of its reduction. */
export function describePicture(memory: Uint8Array<ArrayBuffer>, png: PngPicture, layout: PngLayout): void {
  const view = new DataView(memory.buffer)
  const { rowBytes, colorType, bitDepth, transparency } = png
  const key = transparency === null || colorType === INDEXED ? null : readKey(transparency, bitDepth)
  const [red = 0, green = red, blue = red] = key ?? []
  const format = formatOf(png)
  const write = (field: number, value: number): void => view.setInt32(shared.PICTURE + field, value, true)
  write(records.ROW_BYTES, rowBytes)
  write(records.PIXEL_BYTES, layout.storedPixelBytes)
  write(records.FORMAT, format)
  write(records.DEPTH, bitDepth)
  write(records.CHANNELS, channelsOfType[colorType])
  write(shared.IS_OPAQUE, Number(isOpaque(png)))
  write(records.PALETTE, layout.palette)
  write(records.HAS_KEY, Number(key !== null))
  write(records.KEY_RED, red)
  write(records.KEY_GREEN, green)
  write(records.KEY_BLUE, blue)
  write(records.INPUT, layout.input)
  write(records.INPUT_BYTES, INPUT_BYTES)
  write(records.WINDOW, layout.window)
  write(records.WINDOW_BYTES, layout.windowBytes)
  write(records.UPPER_ROW, layout.upperRow)
  write(records.STORED, layout.stored)
  write(records.STORED_STRIDE, layout.storedStrideBytes)
  write(records.MOST_BLOCKS, layout.mostBlocks)
  if (format === records.FORMAT_INDEXED) writePalette(memory, png, layout.palette)
  describeResult(view, png, layout)
}

/** Whether all pixels must have alpha 255. */
export function isOpaque({ colorType, transparency }: PngPicture): boolean {
  return transparency === null && (colorType === GREY || (colorType & 1) === 1 || channelsOfType[colorType] === 3)
}

function formatOf({ colorType, bitDepth, transparency }: PngPicture): number {
  if (bitDepth === 16) return records.FORMAT_WIDE
  if (colorType === 6) return records.FORMAT_RGBA
  if (colorType === 4) return records.FORMAT_GREY_ALPHA
  if (colorType === 2) return transparency === null ? records.FORMAT_RGB : records.FORMAT_KEYED_RGB
  return records.FORMAT_INDEXED
}

/** The colours of a palette, black beyond its end, or the greys of that bit depth. */
function writePalette(
  memory: Uint8Array,
  { colorType, bitDepth, palette, transparency }: PngPicture,
  at: number,
): void {
  const clear = colorType === GREY && transparency !== null ? readKey(transparency, bitDepth)[0] : null
  for (let i = 0; i < 256; i++) {
    if (colorType === GREY) {
      const grey = Math.min(255, (i * 255) / (2 ** bitDepth - 1))
      memory.set([grey, grey, grey, i === clear ? 0 : 255], at + 4 * i)
    } else {
      const color = (palette ?? []).slice(3 * i, 3 * i + 3)
      memory.set([color[0] ?? 0, color[1] ?? 0, color[2] ?? 0, transparency?.[i] ?? 255], at + 4 * i)
    }
  }
}
