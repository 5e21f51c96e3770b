import type { GradientMapAdjustment } from 'ag-psd'
import { MAX_DEPTH, MAX_DISTANCE_IN_CANVASES, MAX_LAYER_PIXELS, MAX_LAYERS } from '../limits.ts'
import { PsdRefusedError } from '../refused-error.ts'
import type { BoundedView } from './bounded-view.ts'
import { type MaskParameters, type Mend, mendMask, mendRectangle } from './mend-masks.ts'
import type { PsdHeader } from './read-header.ts'

/** What the general reader does not return, and what must be bounded before it reads. */
export type PsdSections = {
  /** true if the first extra channel of the merged picture is its alpha */
  readonly hasMergedAlpha: boolean
  /** an ICC profile, or null */
  readonly profile: Uint8Array | null
  /** where the merged picture begins: its compression word */
  readonly mergedOffset: number
  /** the section of layers, masks and tagged blocks */
  readonly section: { readonly lengthAt: number; readonly sizeBytes: number }
  readonly layers: LayerRecords | null
}

/** The layers' part of the file: a count, a record for each, and the pixels of their channels. */
export type LayerRecords = {
  /** size of the length before them, which may have 8 bytes in a PSB */
  readonly lengthAt: number
  readonly hasLongLength: boolean
  readonly from: number
  readonly recordsEnd: number
  readonly end: number
  /** below zero if the merged picture has alpha */
  readonly storedCount: number
  /** in the order of their pixels */
  readonly channels: readonly ChannelLength[]
  /** smart filters of a layer, by its id; the general reader skips kinds that it does not know */
  readonly filterCounts: ReadonlyMap<number, number>
  /** rectangles and masks that the general reader refuses as Photoshop writes them, corrected for it */
  readonly mends: readonly Mend[]
  /** density and feather of masks that `mends` removes, by the layer's id */
  readonly maskParameters: ReadonlyMap<number, MaskParameters>
  /** how gradient maps mix colours, by the layer's id; the general reader takes all for perceptual */
  readonly gradientMethods: ReadonlyMap<number, GradientMapAdjustment['method']>
}

type ChannelLength = { readonly lengthAt: number; readonly sizeBytes: number }

const ICC_PROFILE = 1039

/** Profiles of cameras have tables of some megabytes. */
const PROFILE_BYTES_MAX = 16 * 1024 * 1024
const HEADER_BYTES = 26

/** Keys of tagged blocks whose length has 8 bytes in a PSB. */
const largeKeys: ReadonlySet<string> = new Set([
  'LMsk',
  'Lr16',
  'Lr32',
  'Layr',
  'Mt16',
  'Mt32',
  'Mtrn',
  'Alph',
  'FMsk',
  'lnk2',
  'lnkE',
  'FEid',
  'FXid',
  'PxSD',
])

/**
 * Walks the sections without reading a pixel and bounds what they declare: lengths end inside the file,
 * layers lie near the canvas, groups are not too deep. @throws PsdRefusedError
 */
export function scanSections(view: BoundedView, header: PsdHeader): PsdSections {
  const { isLarge } = header
  const wordBytes = isLarge ? 8 : 4
  const resources = HEADER_BYTES + 4 + view.u32(HEADER_BYTES)
  const resourcesEnd = resources + 4 + view.u32(resources)
  const sectionBytes = view.length(resourcesEnd, isLarge)
  const section = resourcesEnd + wordBytes
  view.require(section, sectionBytes)
  const sectionEnd = section + sectionBytes
  const profile = findProfile(view, resources + 4, resourcesEnd)
  const layers = sectionBytes > 0 ? scanLayers(view, section, sectionEnd, header) : null
  return {
    hasMergedAlpha: layers !== null && layers.storedCount < 0,
    profile,
    mergedOffset: sectionEnd,
    section: { lengthAt: resourcesEnd, sizeBytes: sectionBytes },
    layers,
  }
}

function scanLayers(view: BoundedView, section: number, sectionEnd: number, header: PsdHeader): LayerRecords | null {
  const from = section + (header.isLarge ? 8 : 4)
  const infoBytes = view.length(section, header.isLarge)
  view.require(from, infoBytes)
  if (infoBytes <= 1) return scanTaggedLayers(view, from + infoBytes, sectionEnd, header)
  if (from + infoBytes > sectionEnd) throw damaged('layers beyond the end of their section')
  return { lengthAt: section, hasLongLength: true, ...scanRecords(view, from, from + infoBytes, header) }
}

function findProfile(view: BoundedView, from: number, end: number): Uint8Array | null {
  let at = from
  while (at + 12 <= end) {
    const id = view.u16(at + 4)
    const nameBytes = view.u8(at + 6) + 1
    const sizeAt = at + 6 + nameBytes + (nameBytes % 2)
    if (sizeAt + 4 > end) return null
    const sizeBytes = view.u32(sizeAt)
    if (sizeAt + 4 + sizeBytes > end) return null
    if (id === ICC_PROFILE && sizeBytes > PROFILE_BYTES_MAX) return new Uint8Array(0)
    if (id === ICC_PROFILE) return view.bytes(sizeAt + 4, sizeBytes)
    at = sizeAt + 4 + sizeBytes + (sizeBytes % 2)
  }
  return null
}

/** Documents of 16 bits store their layers in a tagged block after the global mask. */
function scanTaggedLayers(view: BoundedView, from: number, end: number, header: PsdHeader): LayerRecords | null {
  if (from + 4 > end) return null
  let at = from + 4 + view.u32(from)
  while (at + 12 <= end) {
    const block = readBlock(view, at, header.isLarge)
    if (block === null) {
      at++
      continue
    }
    if (block.key === 'Lr16' || block.key === 'Layr') {
      view.require(block.from, block.sizeBytes)
      if (block.from + block.sizeBytes > end) throw damaged('layers beyond the end of their section')
      const lengthAt = at + 8
      const records = scanRecords(view, block.from, block.from + block.sizeBytes, header)
      return { lengthAt, hasLongLength: block.from - lengthAt === 8, ...records }
    }
    at = block.from + block.sizeBytes
  }
  return null
}

function readBlock(view: BoundedView, at: number, isLarge: boolean) {
  const signature = view.text(at, 4)
  if (signature !== '8BIM' && signature !== '8B64') return null
  const key = view.text(at + 4, 4)
  const isLong = isLarge && largeKeys.has(key)
  return { key, from: at + (isLong ? 16 : 12), sizeBytes: view.length(at + 8, isLong) }
}

/** Bounds every layer. */
function scanRecords(
  view: BoundedView,
  from: number,
  end: number,
  header: PsdHeader,
): Omit<LayerRecords, 'lengthAt' | 'hasLongLength'> {
  const { isLarge, widthPx, heightPx } = header
  const stored = view.i16(from)
  const count = Math.abs(stored)
  let at = from + 2
  const channels: ChannelLength[] = []
  const filterCounts = new Map<number, number>()
  const mends: Mend[] = []
  const maskParameters = new Map<number, MaskParameters>()
  const gradientMethods = new Map<number, GradientMapAdjustment['method']>()
  let channelBytes = 0
  let pixels = 0
  let layers = 0
  let depth = 0
  for (let i = 0; i < count; i++) {
    const [top, left, bottom, right] = [view.i32(at), view.i32(at + 4), view.i32(at + 8), view.i32(at + 12)]
    checkRectangle(left, top, right, bottom, header)
    mends.push(...mendRectangle(view, at))
    pixels +=
      Math.max(0, Math.min(right, widthPx) - Math.max(left, 0)) *
      Math.max(0, Math.min(bottom, heightPx) - Math.max(top, 0))
    const channelCount = view.u16(at + 16)
    if (channelCount > 64) throw damaged(`a layer of ${channelCount} channels`)
    at += 18
    for (let c = 0; c < channelCount; c++) {
      const sizeBytes = view.length(at + 2, isLarge)
      channels.push({ lengthAt: at + 2, sizeBytes })
      channelBytes += sizeBytes
      at += isLarge ? 10 : 6
    }
    const extraBytes = view.u32(at + 12)
    view.require(at + 16, extraBytes)
    const { divider, id, filterCount, gradientMethod } = readBlocks(view, at + 16, at + 16 + extraBytes, isLarge)
    if (id !== null && filterCount > 0) filterCounts.set(id, filterCount)
    if (id !== null) gradientMethods.set(id, gradientMethod)
    const mask = mendMask(view, at + 16, at + 16 + extraBytes)
    mends.push(...mask.mends)
    if (id !== null && mask.parameters !== null) maskParameters.set(id, mask.parameters)
    // Records go from the bottom to the top: a group's end mark comes before its layers.
    if (divider === 3) depth++
    else layers++
    if (depth > MAX_DEPTH)
      throw new PsdRefusedError(`Groups are nested more than ${MAX_DEPTH} deep. Merge some of them and save again.`)
    if (divider === 1 || divider === 2) depth = Math.max(0, depth - 1)
    if (layers > MAX_LAYERS)
      throw new PsdRefusedError(`This file has more than ${MAX_LAYERS} layers. Merge what need not stay apart.`)
    at += 16 + extraBytes
  }
  if (at + channelBytes > end + 4) throw damaged('pixels beyond its end')
  if (pixels > MAX_LAYER_PIXELS) {
    throw new PsdRefusedError(
      `The layers have ${Math.round(pixels / 1e6)} megapixels together, and up to ${MAX_LAYER_PIXELS / 1e6} are read. Merge layers and save again.`,
    )
  }
  const found = { channels, filterCounts, mends, maskParameters, gradientMethods }
  return { from, recordsEnd: at, end, storedCount: stored, ...found }
}

function checkRectangle(left: number, top: number, right: number, bottom: number, header: PsdHeader): void {
  const { widthPx, heightPx } = header
  const [x, y] = [widthPx * MAX_DISTANCE_IN_CANVASES, heightPx * MAX_DISTANCE_IN_CANVASES]
  const isNear = left >= -x && top >= -y && right <= widthPx + x && bottom <= heightPx + y
  const isEmpty = right <= left || bottom <= top
  if (isNear || isEmpty) return
  throw new PsdRefusedError(
    `A layer of ${right - left} x ${bottom - top} pixels lies far outside the canvas of ${widthPx} x ${heightPx}. Choose Image > Crop and save again.`,
  )
}

type LayerBlocks = {
  /** 1 and 2: a group; 3: the end of a group; 0: neither */
  readonly divider: number
  readonly id: number | null
  readonly filterCount: number
  readonly gradientMethod: GradientMapAdjustment['method']
}

/** Methods of gradient maps by Photoshop's codes. Without one they are classic. */
const gradientMethodOf: ReadonlyMap<string, GradientMapAdjustment['method']> = new Map([
  ['Perc', 'perceptual'],
  ['Lnr ', 'linear'],
  ['Smoo', 'smooth'],
])

/** The contents of a layer's tagged blocks. */
function readBlocks(view: BoundedView, from: number, end: number, isLarge: boolean): LayerBlocks {
  const none = { divider: 0, id: null, filterCount: 0, gradientMethod: undefined }
  let at = from
  if (at + 4 > end) return none
  at += 4 + view.u32(at)
  if (at + 4 > end) return none
  at += 4 + view.u32(at)
  if (at + 1 > end) return none
  at += (view.u8(at) + 4) & ~3
  let divider = 0
  let id: number | null = null
  let filterCount = 0
  let gradientMethod: LayerBlocks['gradientMethod']
  while (at + 12 <= end) {
    const block = readBlock(view, at, isLarge)
    if (block === null) {
      at++
      continue
    }
    if ((block.key === 'lsct' || block.key === 'lsdk') && block.sizeBytes >= 4) divider = view.u32(block.from)
    if (block.key === 'lyid' && block.sizeBytes >= 4) id = view.u32(block.from)
    if (block.key === 'SoLd' || block.key === 'SoLE') filterCount = countFilters(view, block)
    if (block.key === 'grdm' && block.sizeBytes >= 8)
      gradientMethod = gradientMethodOf.get(view.text(block.from + 4, 4))
    at = block.from + block.sizeBytes
  }
  return { divider, id, filterCount, gradientMethod }
}

/** Key and type of a list, before its count (Adobe Photoshop File Formats, "Descriptor structure"). */
const FILTER_LIST = 'filterFXListVlLs'
/** Warps of a smart object take about 100 kB. */
const DESCRIPTOR_BYTES_MAX = 4 * 1024 * 1024

function countFilters(view: BoundedView, { from, sizeBytes }: { readonly from: number; readonly sizeBytes: number }) {
  const bytes = view.bytes(from, Math.min(sizeBytes, DESCRIPTOR_BYTES_MAX))
  const at = new TextDecoder('latin1').decode(bytes).indexOf(FILTER_LIST)
  return at < 0 || at + FILTER_LIST.length + 4 > bytes.length ? 0 : view.u32(from + at + FILTER_LIST.length)
}

function damaged(what: string): PsdRefusedError {
  return new PsdRefusedError(`This file is damaged: it has ${what}. Save it again in Photoshop.`)
}
