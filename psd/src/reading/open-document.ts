import { initializeCanvas, type Layer, type LinkedFile, type Psd, readPsd } from 'ag-psd'
import { MAX_DEPTH, MAX_FILE_BYTES, MAX_LAYERS } from '../limits.ts'
import { PsdRefusedError } from '../refused-error.ts'
import { BoundedView } from './bounded-view.ts'
import { type ColorProfile, readColorProfile } from './color-profile.ts'
import { type MergedPicture, openMergedPicture } from './merged-picture.ts'
import { readHeader } from './read-header.ts'
import { scanSections } from './scan-sections.ts'

/** A Photoshop file: its layers, and pixels that are read when they are asked for. */
export type PsdDocument = {
  readonly widthPx: number
  readonly heightPx: number
  readonly bits: 8 | 16
  readonly isGrey: boolean
  /** from the bottom to the top */
  readonly layers: readonly Layer[]
  readonly parentOf: ReadonlyMap<Layer, Layer>
  readonly linkedFiles: readonly LinkedFile[]
  /** null where the file has none, or one that is not of its layers */
  readonly merged: MergedPicture | null
  /** whether Photoshop says that the merged picture shows the layers */
  readonly isMergedReal: boolean
  readonly isTransparent: boolean
  readonly profile: ColorProfile
  /** of the light of effects, in degrees */
  readonly globalAngle: number
}

/** What ag-psd may allocate beyond the file itself. */
const STRUCTURE_BYTES_MAX = 256 * 1024 * 1024

/** Reads the structure of a PSD or PSB; no pixel is unpacked. @throws PsdRefusedError */
export function openDocument(bytes: Uint8Array): PsdDocument {
  if (bytes.byteLength > MAX_FILE_BYTES) {
    throw new PsdRefusedError(
      `The file has ${Math.ceil(bytes.byteLength / 1e6)} MB, and up to ${MAX_FILE_BYTES / 1e6} MB are read. Merge layers and save again.`,
    )
  }
  const view = new BoundedView(bytes)
  const header = readHeader(view)
  const sections = scanSections(view, header)
  const psd = readStructure(bytes)
  const layers = psd.children ?? []
  const merged = openMergedPicture(bytes.subarray(sections.mergedOffset), header, sections.hasMergedAlpha)
  return {
    widthPx: header.widthPx,
    heightPx: header.heightPx,
    bits: header.bits,
    isGrey: header.isGrey,
    layers,
    parentOf: linkParents(layers),
    linkedFiles: psd.linkedFiles ?? [],
    merged,
    isMergedReal: merged !== null && psd.imageResources?.versionInfo?.hasRealMergedData !== false,
    isTransparent: sections.hasMergedAlpha,
    profile: readColorProfile(sections.profile),
    globalAngle: psd.imageResources?.globalAngle ?? 120,
  }
}

function readStructure(bytes: Uint8Array): Psd {
  initializeCanvas(
    () => {
      throw new PsdRefusedError('This file holds a picture that cannot be read.')
    },
    (width, height) => ({ width, height, data: new Uint8ClampedArray(width * height * 4), colorSpace: 'srgb' }),
  )
  try {
    return readPsd(bytes, {
      useRawData: true,
      useRawThumbnail: true,
      skipThumbnail: true,
      totalMemoryLimit: STRUCTURE_BYTES_MAX,
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 100) : 'unknown'
    throw new PsdRefusedError(`This file is damaged or of an unknown kind (${reason}). Save it again in Photoshop.`)
  }
}

/** Without recursion, since a file may nest groups as deep as it likes. @throws PsdRefusedError */
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
