import { limits, psdPartCount } from '@vitrine/contract'
import { z } from 'zod'

export const psdMapsSchema = z.array(z.object({ name: z.string(), sizeBytes: z.number() })).readonly()

/** A displacement map for an import. `name`: as in the filters that use it, without a path. */
export type PsdMap = z.infer<typeof psdMapsSchema>[number]

/** A file that is received in parts. `firstPart`: the number of its first one. */
export type SentFile = { readonly firstPart: number; readonly sizeBytes: number }

type Files = { readonly sizeBytes: number; readonly maps: readonly PsdMap[] }

/** The parts of a document are numbered from 0. Those of maps follow, as if each file were the largest. */
const documentParts = psdPartCount(limits.psdSizeBytesMax)
const mapParts = psdPartCount(limits.psdMapSizeBytesMax)

export const documentOf = ({ sizeBytes }: Pick<Files, 'sizeBytes'>): SentFile => ({ firstPart: 0, sizeBytes })

export function mapsOf({ maps }: Pick<Files, 'maps'>): readonly (SentFile & PsdMap)[] {
  return maps.map((map, index) => ({ ...map, firstPart: documentParts + index * mapParts }))
}

/** The index for a map: that of the one with the same name, ignoring case, or behind all. */
export function placeOfMap(maps: readonly PsdMap[], name: string): number {
  const same = maps.findIndex(map => map.name.toLowerCase() === name.toLowerCase())
  return same === -1 ? maps.length : same
}

export function partsOf({ firstPart, sizeBytes }: SentFile): readonly number[] {
  return Array.from({ length: psdPartCount(sizeBytes) }, (_, index) => firstPart + index)
}

/** The size of a part in bytes; 0 if no file has it. */
export function partSize(files: Files, part: number): number {
  const file = [documentOf(files), ...mapsOf(files)].find(each => partsOf(each).includes(part))
  if (file === undefined) return 0
  return Math.min(limits.psdPartBytes, file.sizeBytes - (part - file.firstPart) * limits.psdPartBytes)
}

export const isPartOfMap = (part: number): boolean => part >= documentParts

/** Whether a file begins with a part. */
export function isFirstPart(part: number): boolean {
  return isPartOfMap(part) ? (part - documentParts) % mapParts === 0 : part === 0
}
