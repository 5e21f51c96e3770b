import { initializeCanvas, type Layer, type LayerRawDataChannel, type Psd, readPsd } from 'ag-psd'
import { PsdRefusedError } from '../refused-error.ts'
import type { BoundedView } from './bounded-view.ts'
import { type FileBytes, partOf } from './file-bytes.ts'
import type { PsdHeader } from './read-header.ts'
import type { LayerRecords, PsdSections } from './scan-sections.ts'

/** What ag-psd may allocate beyond the bytes that it gets. */
const STRUCTURE_BYTES_MAX = 256 * 1024 * 1024

/** A channel's compression word, and where its samples are in the file: position and size, 8 bytes each. */
const REFERENCE_BYTES = 18

/**
 * Reads the structure of a file with ag-psd, which needs all bytes in memory: it gets a copy without pixels,
 * in which each channel tells where in the file its samples are. @throws PsdRefusedError
 */
export function readStructure(view: BoundedView, sections: PsdSections, { isLarge, isGrey }: PsdHeader): Psd {
  initializeCanvas(
    () => {
      throw new PsdRefusedError('This file holds a picture that cannot be read.')
    },
    (width, height) => ({ width, height, data: new Uint8ClampedArray(width * height * 4), colorSpace: 'srgb' }),
  )
  const bytes = copyWithoutPixels(view, sections, isLarge)
  try {
    const psd = readPsd(bytes, {
      useRawData: true,
      useRawThumbnail: true,
      skipThumbnail: true,
      totalMemoryLimit: STRUCTURE_BYTES_MAX,
    })
    if (sections.layers) restoreSettings(psd.children ?? [], sections.layers, isGrey)
    return psd
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 100) : 'unknown'
    throw new PsdRefusedError(`This file is damaged or of an unknown kind (${reason}). Save it again in Photoshop.`)
  }
}

/** Sets what ag-psd does not read: parameters of masks, methods of gradient maps, and grey's channel. */
function restoreSettings(
  layers: readonly Layer[],
  { maskParameters, gradientMethods }: LayerRecords,
  isGrey: boolean,
): void {
  const open = [...layers]
  for (let layer = open.pop(); layer; layer = open.pop()) {
    const found = layer.id === undefined ? undefined : maskParameters.get(layer.id)
    const { adjustment } = layer
    const method = layer.id === undefined ? undefined : gradientMethods.get(layer.id)
    if (adjustment?.type === 'gradient map') Object.assign(adjustment, { method })
    if (isGrey && (adjustment?.type === 'curves' || adjustment?.type === 'levels')) {
      Object.assign(adjustment, { green: adjustment.red, blue: adjustment.red })
    }
    if (found && layer.mask) {
      Object.assign(layer.mask, found)
      delete layer.realMask
    }
    open.push(...(layer.children ?? []))
  }
}

/** Samples of a channel from `readStructure`; null if it has none. */
export function findSamples({ data }: LayerRawDataChannel, file: FileBytes): FileBytes | null {
  if (!data) return null
  const reference = new DataView(data.buffer, data.byteOffset, data.byteLength)
  return partOf(file, reference.getFloat64(0), reference.getFloat64(8))
}

function copyWithoutPixels(view: BoundedView, { layers, section, mergedOffset }: PsdSections, isLarge: boolean) {
  if (layers === null) return view.bytes(0, mergedOffset)
  const records = view.bytes(layers.from, layers.recordsEnd - layers.from)
  for (const { at, bytes } of layers.mends) records.set(bytes, at - layers.from)
  const references = writeReferences(view, layers, records, isLarge)
  const head = view.bytes(0, layers.from)
  const rest = view.bytes(layers.end, mergedOffset - layers.end)
  // Sections have an even size.
  const isOdd = (records.length + references.length) % 2
  const size = records.length + references.length + isOdd
  const lost = layers.end - layers.from - size
  writeLength(head, layers.lengthAt, size, isLarge && layers.hasLongLength)
  writeLength(head, section.lengthAt, section.sizeBytes - lost, isLarge)
  const bytes = new Uint8Array(head.length + size + rest.length)
  bytes.set(head)
  bytes.set(records, head.length)
  bytes.set(references, head.length + records.length)
  bytes.set(rest, head.length + size)
  return bytes
}

/** Placeholders for the pixels of all channels; their sizes are written into `records`. */
function writeReferences(view: BoundedView, layers: LayerRecords, records: Uint8Array, isLarge: boolean): Uint8Array {
  const references = new Uint8Array(layers.channels.length * REFERENCE_BYTES)
  const numbers = new DataView(references.buffer)
  let at = layers.recordsEnd
  let to = 0
  for (const { lengthAt, sizeBytes } of layers.channels) {
    const hasSamples = sizeBytes > 2
    if (sizeBytes >= 2) {
      // Some programs write a byte before the word.
      const shift = view.u16(at) > 3 && sizeBytes > 2 ? 1 : 0
      numbers.setUint16(to, view.u16(at + shift))
      if (hasSamples) {
        numbers.setFloat64(to + 2, at + shift + 2)
        numbers.setFloat64(to + 10, sizeBytes - 2 - shift)
      }
    }
    // A size of one byte is left for ag-psd to refuse.
    const size = hasSamples ? REFERENCE_BYTES : sizeBytes
    writeLength(records, lengthAt - layers.from, size, isLarge)
    at += sizeBytes
    to += size
  }
  return references.subarray(0, to)
}

function writeLength(bytes: Uint8Array, at: number, length: number, isLong: boolean): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (isLong) view.setBigUint64(at, BigInt(length))
  else view.setUint32(at, length)
}
