import type { Layer, LinkedFile } from 'ag-psd'
import { MAX_DEPTH, MAX_FILE_BYTES, MAX_LAYERS } from '../limits.ts'
import { PsdRefusedError } from '../refused-error.ts'
import { BoundedView } from './bounded-view.ts'
import { type ColorProfile, readColorProfile } from './color-profile.ts'
import { bytesInMemory, type FileBytes, partOf } from './file-bytes.ts'
import { copyFilterMasks, type StoredFilterMask } from './filter-mask.ts'
import { type MergedPicture, openMergedPicture } from './merged-picture.ts'
import { type PsdHeader, readHeader } from './read-header.ts'
import { readStructure } from './read-structure.ts'
import { scanSections } from './scan-sections.ts'

/** A Photoshop file: its layers, and pixels that are read on demand. */
export type PsdDocument = {
  /** the source of the layers' pixels */
  readonly file: FileBytes
  readonly widthPx: number
  readonly heightPx: number
  readonly bits: 8 | 16
  readonly isGrey: boolean
  /** from the bottom to the top */
  readonly layers: readonly Layer[]
  readonly parentOf: ReadonlyMap<Layer, Layer>
  /** smart filters of layers by their ids, with those that `layers` does not have */
  readonly filterCounts: ReadonlyMap<number, number>
  /** masks of smart filters */
  readonly filterMasks: readonly StoredFilterMask[]
  readonly linkedFiles: readonly LinkedFile[]
  /** null if the file has none, or one that does not show its layers */
  readonly merged: MergedPicture | null
  /** whether Photoshop says that the merged picture shows the layers */
  readonly isMergedReal: boolean
  /** whether it says so explicitly: embedded files that do not have a white one */
  readonly saysMergedReal: boolean
  readonly isTransparent: boolean
  readonly profile: ColorProfile
  /** angle of the light of effects, in degrees */
  readonly globalAngle: number
}

/** Whether bytes begin like a PSD or PSB. */
export function isPhotoshopFile(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(0, 4)) === '8BPS'
}

/** Reads the structure of a PSD or PSB; no pixel is unpacked. @throws PsdRefusedError */
export function openDocument(bytes: Uint8Array | FileBytes): PsdDocument {
  const file = bytes instanceof Uint8Array ? bytesInMemory(bytes) : bytes
  if (file.sizeBytes > MAX_FILE_BYTES) {
    throw new PsdRefusedError(
      `The file has ${Math.ceil(file.sizeBytes / 1e6)} MB, and up to ${MAX_FILE_BYTES / 1e6} MB are read. Merge layers and save again.`,
    )
  }
  const view = new BoundedView(file)
  const header = readHeader(view)
  const sections = scanSections(view, header)
  const psd = readStructure(view, sections, header)
  const layers = psd.children ?? []
  for (const layer of layers) addArtboard(layer, header)
  const { mergedOffset, hasMergedAlpha } = sections
  const mergedBytes = partOf(file, mergedOffset, file.sizeBytes - mergedOffset)
  const merged = openMergedPicture(mergedBytes, header, hasMergedAlpha)
  return {
    file,
    widthPx: header.widthPx,
    heightPx: header.heightPx,
    bits: header.bits,
    isGrey: header.isGrey,
    layers,
    parentOf: linkParents(layers),
    filterCounts: sections.layers?.filterCounts ?? new Map(),
    filterMasks: copyFilterMasks(psd.filterEffectsMasks ?? []),
    linkedFiles: psd.linkedFiles ?? [],
    merged,
    isMergedReal: merged !== null && psd.imageResources?.versionInfo?.hasRealMergedData !== false,
    saysMergedReal: psd.imageResources?.versionInfo?.hasRealMergedData === true,
    isTransparent: hasMergedAlpha,
    profile: readColorProfile(sections.profile, header.isGrey),
    globalAngle: psd.imageResources?.globalAngle ?? 120,
  }
}

/** Background types of artboards without a colour of their own. */
const WHITE = 1
const BLACK = 2
const TRANSPARENT = 3

/** An artboard is a group with a colour at its bottom, which ends at its sides. */
function addArtboard(layer: Layer, { widthPx, heightPx }: PsdHeader): void {
  const { artboard, children } = layer
  if (!artboard?.rect || !children) return
  const { left, top, right, bottom } = artboard.rect
  if (![left, top, right, bottom].every(Number.isFinite)) return
  const type = artboard.backgroundType
  if (type !== TRANSPARENT && (type !== undefined || artboard.color)) {
    const level = type === BLACK ? 0 : 255
    const grey = { r: level, g: level, b: level }
    const color = type === WHITE || type === BLACK ? grey : (artboard.color ?? grey)
    children.unshift({
      name: `${layer.name ?? 'Artboard'} background`,
      blendMode: 'normal',
      vectorFill: { type: 'color', color },
    })
  }
  const isWhole = left <= 0 && top <= 0 && right >= widthPx && bottom >= heightPx
  if (isWhole || layer.vectorMask) return
  const corners = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ] as const
  const knots = corners.map(([x, y]) => ({ linked: false, points: [x, y, x, y, x, y] }))
  layer.vectorMask = { paths: [{ open: false, operation: 'combine', fillRule: 'non-zero', knots }] }
}

/** Without recursion, because a file may nest groups to any depth. @throws PsdRefusedError */
function linkParents(layers: readonly Layer[]): Map<Layer, Layer> {
  const parents = new Map<Layer, Layer>()
  const open = layers.map(layer => ({ layer, depth: 1 }))
  let count = 0
  for (let next = open.pop(); next; next = open.pop()) {
    const { layer, depth } = next
    if (++count > MAX_LAYERS) throw new PsdRefusedError(`This file has more than ${MAX_LAYERS} layers. Merge some.`)
    if (depth > MAX_DEPTH)
      throw new PsdRefusedError(`Groups are nested more than ${MAX_DEPTH} deep. Merge some of them and save again.`)
    for (const child of layer.children ?? []) {
      parents.set(child, layer)
      open.push({ layer: child, depth: depth + 1 })
    }
  }
  return parents
}
