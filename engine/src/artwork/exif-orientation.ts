import type { Orientation } from './artwork-facts.ts'

const orientations = [1, 2, 3, 4, 5, 6, 7, 8] as const satisfies readonly Orientation[]

const ORIENTATION_TAG = 0x0112
const TYPE_SHORT = 3
/** Cameras write some dozen entries into IFD 0; a longer one is invalid. */
const MAX_ENTRIES = 512

/**
 * The orientation of an EXIF block, with or without its `Exif\0\0` prefix. Anything but a valid 1..8 in IFD 0
 * reads as 1: an invalid tag is no reason to refuse a picture.
 */
export function readExifOrientation(exif: Uint8Array): Orientation {
  const hasPrefix = exif[0] === 0x45 && exif[1] === 0x78 && exif[2] === 0x69 && exif[3] === 0x66
  const start = hasPrefix ? 6 : 0
  const view = new DataView(exif.buffer, exif.byteOffset, exif.byteLength)
  if (start + 8 > view.byteLength) return 1
  const byteOrder = view.getUint16(start)
  if (byteOrder !== 0x4949 && byteOrder !== 0x4d4d) return 1
  const isLittleEndian = byteOrder === 0x4949
  const ifd = start + view.getUint32(start + 4, isLittleEndian)
  if (ifd + 2 > view.byteLength) return 1
  const entries = Math.min(view.getUint16(ifd, isLittleEndian), MAX_ENTRIES)
  for (let i = 0; i < entries; i++) {
    const entry = ifd + 2 + i * 12
    if (entry + 12 > view.byteLength) return 1
    if (view.getUint16(entry, isLittleEndian) !== ORIENTATION_TAG) continue
    if (view.getUint16(entry + 2, isLittleEndian) !== TYPE_SHORT) return 1
    const value = view.getUint16(entry + 8, isLittleEndian)
    return orientations.find(orientation => orientation === value) ?? 1
  }
  return 1
}

/** Whether width and height are swapped. */
export function swapsSides(orientation: Orientation): boolean {
  return orientation >= 5
}
