import { DeclinedError } from '../declined.ts'

/** Quantiser steps in zigzag order. */
export type QuantiserSteps = Uint16Array

/** A Huffman table as in the file: the number of codes of each length, and their symbols. */
export type HuffmanSpec = { readonly counts: Uint8Array; readonly symbols: Uint8Array }

/** Tables by number; a later segment replaces an earlier one. */
export type Tables = {
  readonly quantisers: (QuantiserSteps | undefined)[]
  readonly dc: (HuffmanSpec | undefined)[]
  readonly ac: (HuffmanSpec | undefined)[]
  restartInterval: number
}

export type Component = {
  readonly id: number
  /** sampling factors: blocks per MCU, per axis */
  readonly factorX: number
  readonly factorY: number
  readonly quantiser: number
  /** blocks that contain the picture */
  readonly blocksX: number
  readonly blocksY: number
}

export type FrameHeader = {
  readonly isProgressive: boolean
  readonly widthPx: number
  readonly heightPx: number
  /** the colour model of the components */
  readonly colors: JpegColors
  /** the greatest sampling factors */
  readonly factorX: number
  readonly factorY: number
  readonly mcusX: number
  readonly mcusY: number
  readonly blocksPerMcu: number
  readonly components: readonly Component[]
}

export type JpegColors = 'grey' | 'ycc' | 'rgb' | 'cmyk' | 'ycck'

export type ScanComponent = {
  readonly index: number
  readonly component: Component
  readonly dcTable: number
  readonly acTable: number
}

export type ScanHeader = {
  readonly components: readonly ScanComponent[]
  readonly first: number
  readonly last: number
  readonly high: number
  readonly low: number
  /** the unit of restart intervals: MCUs, or the blocks of a single component */
  readonly units: number
  readonly blocks: number
  /** offset of the entropy-coded data */
  readonly dataAt: number
}

export type JpegHeader = { readonly frame: FrameHeader; readonly tables: Tables; readonly scan: ScanHeader }

const doubtful = (what: string): DeclinedError => new DeclinedError('doubtful', `Expected ${what} in the JPEG.`)
const unsupported = (what: string): DeclinedError =>
  new DeclinedError('unsupported', `${what} is for the general decoder.`)

/** Restart markers. */
export const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7

const jfif = [0x4a, 0x46, 0x49, 0x46, 0] as const

/** Parses everything up to the first scan's data (ITU-T T.81 annex B). Throws DeclinedError. */
export function parseJpeg(bytes: Uint8Array): JpegHeader {
  const tables: Tables = { quantisers: [], dc: [], ac: [], restartInterval: 0 }
  const state: { frame: FrameHeader | null } & Markers = { frame: null, hasJfif: false, adobeTransform: null }
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw doubtful('SOI')
  const scan = readUpToScan(bytes, 2, tables, (marker, body) => {
    state.hasJfif ||= isJfif(marker, body)
    if (marker === 0xee && body.length >= 12 && body[0] === 0x41 && body[1] === 0x64)
      state.adobeTransform = body[11] ?? 0
    else if (marker === 0xdb) readQuantisers(body, tables)
    else if (marker >= 0xc0 && marker <= 0xcf) {
      if (state.frame !== null) throw doubtful('one frame header')
      state.frame = readFrame(marker, body)
    }
    return state.frame
  })
  const { frame } = state
  if (scan === null || frame === null) throw doubtful('a frame and a scan')
  return { frame: { ...frame, colors: guessColors(frame.components, state) }, tables, scan }
}

/**
 * Declines what the kernel does not support: colours other than grey and YCC, and samplings other than luma
 * with the greatest factors, 1 or 2, and equal chroma.
 */
export function assertForKernel({ colors, components, factorX, factorY, widthPx, heightPx }: FrameHeader): void {
  if (colors !== 'grey' && colors !== 'ycc') throw unsupported(colors.toUpperCase())
  const [luma, cb, cr] = components
  const isLargest = luma?.factorX === factorX && luma.factorY === factorY
  if (factorX > 2 || factorY > 2 || !isLargest) throw unsupported('this sampling')
  if (cb?.factorX !== cr?.factorX || cb?.factorY !== cr?.factorY) throw unsupported('this sampling')
  if (widthPx < 8 || heightPx < 8) throw unsupported('a picture below 8 pixels a side')
}

/** Parses from the marker after a scan to the next scan; null at EOI. Throws DeclinedError. */
export function parseNextScan(
  bytes: Uint8Array,
  markerAt: number,
  tables: Tables,
  frame: FrameHeader,
  onTable: (marker: number, body: Uint8Array) => void = declineTable,
): ScanHeader | null {
  return readUpToScan(bytes, skipRestarts(bytes, markerAt), tables, (marker, body) => {
    if (isJfif(marker, body) && body[5] !== 1) throw doubtful('JFIF 1')
    if (marker < 0xe0) onTable(marker, body)
    return frame
  })
}

function declineTable(marker: number): never {
  throw unsupported(`marker ${marker.toString(16)} between scans`)
}

/** Skips a restart marker that no interval follows, with the bytes after it. */
function skipRestarts(bytes: Uint8Array, markerAt: number): number {
  let at = markerAt
  while (at < bytes.length && isRestart(bytes[at + 1] ?? 0)) {
    do at = bytes.indexOf(0xff, at + 2)
    while (at >= 0 && bytes[at + 1] === 0)
    if (at < 0) return bytes.length
  }
  return at
}

/**
 * Walks segments up to a scan. Reads Huffman tables and restart intervals; `visit` reads the rest and returns
 * the frame, once there is one.
 */
function readUpToScan(
  bytes: Uint8Array,
  start: number,
  tables: Tables,
  visit: (marker: number, body: Uint8Array) => FrameHeader | null,
): ScanHeader | null {
  let frame: FrameHeader | null = null
  for (let at = start; ; ) {
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at++
    if (bytes[at] !== 0xff || at + 4 > bytes.length) {
      if (bytes[at] === 0xff && bytes[at + 1] === 0xd9) return null
      throw doubtful('a marker')
    }
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xd9) return null
    const end = at + 2 + word(bytes, at + 2)
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8) || end < at + 4 || end > bytes.length)
      throw doubtful('a segment')
    if (marker === 0xdc || marker === 0xde || marker === 0xdf || (marker >= 0xf0 && marker !== 0xfe))
      throw unsupported(`marker ${marker.toString(16)}`)
    const body = bytes.subarray(at + 4, end)
    at = end
    if (marker === 0xc4) readHuffman(body, tables)
    else if (marker === 0xdd) {
      if (body.length !== 2) throw doubtful('a restart interval')
      tables.restartInterval = word(body, 0)
    } else if (marker === 0xda) {
      frame ??= visit(0xfe, new Uint8Array(0))
      if (frame === null) throw doubtful('a frame before the scan')
      return readScan(body, end, frame)
    } else frame = visit(marker, body)
  }
}

export function readQuantisers(body: Uint8Array, tables: Tables): void {
  for (let at = 0; at < body.length; ) {
    const precision = (body[at] ?? 0) >> 4
    const number = (body[at] ?? 0) & 15
    const sizeBytes = 64 * (precision + 1)
    if (precision > 1 || number > 3 || at + 1 + sizeBytes > body.length) throw doubtful('a quantiser')
    const from = at + 1
    tables.quantisers[number] = Uint16Array.from({ length: 64 }, (_, k) =>
      precision === 1 ? word(body, from + 2 * k) : (body[from + k] ?? 0),
    )
    at += 1 + sizeBytes
  }
}

function readHuffman(body: Uint8Array, tables: Tables): void {
  for (let at = 0; at < body.length; ) {
    const kind = body[at] ?? 0
    if (at + 17 > body.length || kind > 31 || (kind & 15) > 3) throw doubtful('a Huffman table')
    const counts = body.subarray(at + 1, at + 17)
    const total = counts.reduce((sum, count) => sum + count, 0)
    if (total > 256 || at + 17 + total > body.length) throw doubtful('a Huffman table')
    const list = kind >= 16 ? tables.ac : tables.dc
    list[kind & 15] = { counts, symbols: body.subarray(at + 17, at + 17 + total) }
    at += 17 + total
  }
}

function readFrame(marker: number, body: Uint8Array): FrameHeader {
  if (marker !== 0xc0 && marker !== 0xc1 && marker !== 0xc2) throw unsupported(`SOF${marker - 0xc0}`)
  if (body[0] !== 8) throw unsupported('another precision than 8 bits')
  const heightPx = word(body, 1)
  const widthPx = word(body, 3)
  const count = body[5] ?? 0
  if (body.length !== 6 + 3 * count || widthPx === 0) throw doubtful('a frame header')
  if (heightPx === 0) throw unsupported('a height that comes later')
  if (count !== 1 && count !== 3 && count !== 4) throw unsupported(`${count} components`)
  const declared = Array.from({ length: count }, (_, i) => {
    const factors = body[7 + 3 * i] ?? 0
    const id = body[6 + 3 * i] ?? 0
    const factorX = factors >> 4
    const factorY = factors & 15
    const quantiser = body[8 + 3 * i] ?? 0
    if (factorX < 1 || factorX > 4 || factorY < 1 || factorY > 4 || quantiser > 3) throw doubtful('a component')
    // a single component has no MCU, whatever its factors
    return count === 1 ? { id, quantiser, factorX: 1, factorY: 1 } : { id, quantiser, factorX, factorY }
  })
  const factorX = Math.max(...declared.map(component => component.factorX))
  const factorY = Math.max(...declared.map(component => component.factorY))
  return {
    isProgressive: marker === 0xc2,
    widthPx,
    heightPx,
    colors: 'grey',
    factorX,
    factorY,
    mcusX: Math.ceil(widthPx / (8 * factorX)),
    mcusY: Math.ceil(heightPx / (8 * factorY)),
    blocksPerMcu: declared.reduce((sum, component) => sum + component.factorX * component.factorY, 0),
    components: declared.map(component => ({
      ...component,
      blocksX: Math.ceil((widthPx * component.factorX) / factorX / 8),
      blocksY: Math.ceil((heightPx * component.factorY) / factorY / 8),
    })),
  }
}

type Markers = { hasJfif: boolean; adobeTransform: number | null }

/** Its version was inspected: libjpeg warns unless it is 1. */
function isJfif(marker: number, body: Uint8Array): boolean {
  return marker === 0xe0 && body.length >= 14 && jfif.every((byte, i) => body[i] === byte)
}

/** libjpeg's heuristic: three components are YCC unless Adobe's marker or else their ids say RGB. */
function guessColors(components: readonly Component[], { hasJfif, adobeTransform }: Markers): JpegColors {
  if (components.length === 1) return 'grey'
  if (components.length === 4) return adobeTransform === 2 ? 'ycck' : 'cmyk'
  if (hasJfif) return 'ycc'
  if (adobeTransform !== null) return adobeTransform === 0 ? 'rgb' : 'ycc'
  return components.map(({ id }) => id).join() === '82,71,66' ? 'rgb' : 'ycc'
}

function readScan(body: Uint8Array, dataAt: number, frame: FrameHeader): ScanHeader {
  const count = body[0] ?? 0
  if (count < 1 || count > 4 || body.length !== 4 + 2 * count) throw doubtful('a scan header')
  let before = -1
  const components = Array.from({ length: count }, (_, i): ScanComponent => {
    const index = frame.components.findIndex(({ id }) => id === body[1 + 2 * i])
    const component = frame.components[index]
    const selected = body[2 + 2 * i] ?? 0
    if (!component || index <= before || selected >> 4 > 3 || (selected & 15) > 3) throw doubtful('a scan component')
    before = index
    return { index, component, dcTable: selected >> 4, acTable: selected & 15 }
  })
  const approximation = body[3 + 2 * count] ?? 0
  const mcus = frame.mcusX * frame.mcusY
  const [first] = components
  const units = count === 1 && first ? first.component.blocksX * first.component.blocksY : mcus
  return {
    components,
    units,
    blocks:
      count === 1
        ? units
        : components.reduce((sum, { component }) => sum + mcus * component.factorX * component.factorY, 0),
    first: body[1 + 2 * count] ?? 0,
    last: body[2 + 2 * count] ?? 0,
    high: approximation >> 4,
    low: approximation & 15,
    dataAt,
  }
}

function word(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0)
}
