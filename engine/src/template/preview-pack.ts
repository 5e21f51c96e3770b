import { DESCRIPTION_FILE } from './bundle-files.ts'
import type { LayerFiles } from './prepare-layer.ts'

/**
 * A preview pack: all files of a reduced bundle in one. A little-endian uint32 with the length of the index,
 * the index (JSON: `[[name, sizeBytes], …]`), and the files in its order.
 */

/** Increased when the content or layout of packs changes; part of their names and addresses. */
export const PACK_FORMAT = 1

/** Output widths of packs: for tiles, and for the first view of one scene or tiles on dense screens. */
export const packWidthsPx = [480, 960] as const
export type PackWidthPx = (typeof packWidthsPx)[number]

/** Larger packs, in bytes, are encoded with lower quality; above four times this, no pack is built. */
export const goalBytes = (widthPx: number): number => (widthPx <= 480 ? 80_000 : 240_000)
const MOST_GOALS = 4

/** The maximum size of a pack. */
export function packBytesMax(widthPx: number): number {
  return goalBytes(widthPx) * MOST_GOALS
}

const LENGTH_BYTES = 4

/** A bundle has at most 100 files, with short names once reduced. */
const INDEX_BYTES_MAX = 16_384

const utf8 = new TextEncoder()

/** Builds a pack from a description, as in template.json, and the layers that it names. */
export function buildPack(description: unknown, layers: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  const files = [[DESCRIPTION_FILE, utf8.encode(JSON.stringify(description))] as const, ...layers]
  const index = utf8.encode(JSON.stringify(files.map(([name, { byteLength }]) => [name, byteLength])))
  const sizeBytes = files.reduce((sum, [, { byteLength }]) => sum + byteLength, LENGTH_BYTES + index.byteLength)
  const pack = new Uint8Array(sizeBytes)
  new DataView(pack.buffer).setUint32(0, index.byteLength, true)
  pack.set(index, LENGTH_BYTES)
  let at = LENGTH_BYTES + index.byteLength
  for (const [, bytes] of files) {
    pack.set(bytes, at)
    at += bytes.byteLength
  }
  return pack
}

/** Opens a pack. Throws if the bytes are not a pack; `read` rejects for a name that it does not contain. */
export function openPack(pack: Uint8Array): LayerFiles {
  const files = new Map<string, Uint8Array>()
  let at = 0
  const take = (sizeBytes: number): Uint8Array => {
    if (sizeBytes > pack.byteLength - at) throw new Error('Expected a preview pack but received one that breaks off.')
    at += sizeBytes
    return pack.subarray(at - sizeBytes, at)
  }
  const length = take(LENGTH_BYTES)
  const indexBytes = new DataView(length.buffer, length.byteOffset, LENGTH_BYTES).getUint32(0, true)
  if (indexBytes > INDEX_BYTES_MAX) throw new Error('Expected a preview pack but received another file.')
  for (const [name, sizeBytes] of readIndex(take(indexBytes))) files.set(name, take(sizeBytes))
  return {
    async read(name) {
      const file = files.get(name)
      if (file === undefined) throw new Error(`The preview pack has no file ${name}.`)
      return file
    },
  }
}

function readIndex(bytes: Uint8Array): [string, number][] {
  const index: unknown = JSON.parse(new TextDecoder().decode(bytes))
  if (!Array.isArray(index)) throw new Error('Expected a list of files in a preview pack.')
  return index.map((entry: unknown) => {
    const [name, sizeBytes]: unknown[] = Array.isArray(entry) ? entry : []
    if (typeof name !== 'string' || typeof sizeBytes !== 'number' || !Number.isSafeInteger(sizeBytes) || sizeBytes < 0)
      throw new Error('Expected a name and a size for each file of a preview pack.')
    return [name, sizeBytes]
  })
}
