import { DeclinedError } from '../declined.ts'
import {
  type Component,
  type FrameHeader,
  type HuffmanSpec,
  isRestart,
  type QuantiserSteps,
  type ScanComponent,
  type ScanHeader,
  type Tables,
} from './parse-jpeg.ts'

/** Coefficients of a component, 64 per block, in whole MCUs. */
export type CoefficientPlane = {
  readonly component: Component
  readonly strideBlocks: number
  readonly coefficients: Int16Array
  /** as at the component's first scan */
  quantiser: QuantiserSteps | undefined
}

/** Symbols by the next 16 bits: symbol << 5 | length of its code, 0 if no code matches. */
type Lookup = Uint16Array

type Coded = ScanComponent & {
  readonly plane: CoefficientPlane
  readonly dc: Lookup | null
  readonly ac: Lookup | null
  predictor: number
}

/** Decodes a scan's coefficients. Bytes after an interval's last block are ignored. */
export function decodeScan(
  bytes: Uint8Array,
  frame: FrameHeader,
  scan: ScanHeader,
  tables: Tables,
  planes: readonly CoefficientPlane[],
): void {
  const hasDc = scan.first === 0
  const hasAc = !frame.isProgressive || scan.first > 0
  const coded = scan.components.map((component): Coded => {
    const plane = planes[component.index]
    if (plane === undefined) throw new DeclinedError('doubtful', 'A scan of an unknown component.')
    const dc = hasDc && scan.high === 0 ? buildLookup(tables.dc[component.dcTable]) : null
    return { ...component, plane, dc, ac: hasAc ? buildLookup(tables.ac[component.acTable]) : null, predictor: 0 }
  })
  const reader = new ScanReader(bytes, scan.dataAt)
  const decode = frame.isProgressive ? progressiveBlock(scan, reader) : sequentialBlock(reader)
  const { restartInterval } = tables
  const [only] = coded
  const isAlone = coded.length === 1
  const mcusX = isAlone && only ? only.component.blocksX : frame.mcusX
  for (let unit = 0; unit < scan.units; unit++) {
    if (unit > 0 && restartInterval > 0 && unit % restartInterval === 0) {
      reader.restart(unit / restartInterval - 1)
      for (const component of coded) component.predictor = 0
    }
    const x = unit % mcusX
    const y = Math.floor(unit / mcusX)
    for (const component of coded) {
      const { factorX, factorY } = component.component
      const [across, down] = isAlone ? [1, 1] : [factorX, factorY]
      for (let row = 0; row < down; row++) {
        for (let column = 0; column < across; column++) {
          const block = (y * down + row) * component.plane.strideBlocks + x * across + column
          decode(component, component.plane.coefficients, block * 64)
        }
      }
    }
    reader.assertBits()
  }
}

type DecodeBlock = (coded: Coded, coefficients: Int16Array, at: number) => void

function sequentialBlock(reader: ScanReader): DecodeBlock {
  return (coded, coefficients, at) => {
    coefficients[at] = readDc(coded, reader)
    for (let k = 1; k < 64; k++) {
      const symbol = reader.symbol(coded.ac)
      const size = symbol & 15
      if (size === 0) {
        if (symbol !== 0xf0) break
        k += 15
        continue
      }
      k += symbol >> 4
      if (k > 63) throw new DeclinedError('doubtful', 'Expected runs within the block in the JPEG.')
      coefficients[at + k] = reader.value(size)
    }
  }
}

function readDc(coded: Coded, reader: ScanReader): number {
  const size = reader.symbol(coded.dc)
  if (size > 15) throw new DeclinedError('doubtful', 'Expected codes of the Huffman table in the JPEG.')
  coded.predictor += reader.value(size)
  return coded.predictor
}

/** ITU-T T.81 annex G. The reader holds the end-of-band run. */
function progressiveBlock({ first, last, high, low }: ScanHeader, reader: ScanReader): DecodeBlock {
  const step = 1 << low
  if (first === 0) {
    return (coded, coefficients, at) => {
      if (high === 0) coefficients[at] = readDc(coded, reader) << low
      else if (reader.bits(1) === 1) coefficients[at] = (coefficients[at] ?? 0) | step
    }
  }
  const correct = (coefficients: Int16Array, at: number): void => {
    const value = coefficients[at] ?? 0
    if (reader.bits(1) === 1 && (value & step) === 0) coefficients[at] = value + (value < 0 ? -step : step)
  }
  return (coded, coefficients, at) => {
    let k = first
    if (reader.run === 0) {
      for (; k <= last; k++) {
        const symbol = reader.symbol(coded.ac)
        const size = symbol & 15
        let zeros = symbol >> 4
        if (size === 0 && zeros < 15) {
          reader.run = (1 << zeros) + reader.bits(zeros)
          break
        }
        if (high === 0) {
          k += zeros
          if (k > last) throw new DeclinedError('doubtful', 'Expected runs within the block in the JPEG.')
          if (size > 0) coefficients[at + k] = reader.value(size) << low
          continue
        }
        const value = size === 0 ? 0 : reader.bits(1) === 1 ? step : -step
        for (; k <= last; k++) {
          if ((coefficients[at + k] ?? 0) !== 0) correct(coefficients, at + k)
          else if (zeros-- === 0) break
        }
        if (value !== 0 && k <= last) coefficients[at + k] = value
      }
    }
    if (reader.run === 0) return
    if (high > 0) for (; k <= last; k++) if ((coefficients[at + k] ?? 0) !== 0) correct(coefficients, at + k)
    reader.run--
  }
}

/** Throws if the table is missing or is not a valid code. */
function buildLookup(spec: HuffmanSpec | undefined): Lookup {
  if (spec === undefined) throw new DeclinedError('doubtful', 'A Huffman table is missing.')
  const lookup = new Uint16Array(65_536)
  let at = 0
  let next = 0
  for (let length = 1; length <= 16; length++) {
    const each = 1 << (16 - length)
    for (let i = 0; i < (spec.counts[length - 1] ?? 0); i++, next++, at += each) {
      if (at + each > 65_536) throw new DeclinedError('doubtful', 'No code has this Huffman table.')
      lookup.fill(((spec.symbols[next] ?? 0) << 5) | length, at, at + each)
    }
  }
  return lookup
}

class ScanReader {
  /** blocks left in the end-of-band run, including this one */
  run = 0
  readonly #bytes: Uint8Array
  #at: number
  #buffer = 0
  #count = 0
  /** zeros read after the end of the data */
  #missing = 0

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    this.#at = at
  }

  symbol(lookup: Lookup | null): number {
    this.#fill()
    const entry = lookup?.[(this.#buffer >>> (this.#count - 16)) & 0xffff] ?? 0
    if (entry === 0) throw new DeclinedError('doubtful', 'Expected codes of the Huffman table in the JPEG.')
    this.#count -= entry & 31
    return entry >> 5
  }

  bits(count: number): number {
    if (count === 0) return 0
    this.#fill()
    this.#count -= count
    return (this.#buffer >>> this.#count) & ((1 << count) - 1)
  }

  /** A number of `size` bits, of which the upper half is positive (T.81 F.2.2.1). */
  value(size: number): number {
    const bits = this.bits(size)
    return size === 0 || bits >= 1 << (size - 1) ? bits : bits - (1 << size) + 1
  }

  /** Throws if bits beyond the data were used. */
  assertBits(): void {
    if (this.#missing > this.#count) throw new DeclinedError('cut', 'Expected as many bits as the picture needs.')
  }

  /** Continues after the restart marker with this number. */
  restart(number: number): void {
    const bytes = this.#bytes
    while (this.#at < bytes.length && !(bytes[this.#at] === 0xff && isRestart(bytes[this.#at + 1] ?? 0))) this.#at++
    if (this.#at >= bytes.length) throw new DeclinedError('cut', 'Expected all restart intervals in the JPEG.')
    if ((bytes[this.#at + 1] ?? 0) !== 0xd0 + (number & 7))
      throw new DeclinedError('doubtful', 'Restart markers are missing or out of order.')
    this.#at += 2
    this.#buffer = 0
    this.#count = 0
    this.#missing = 0
    this.run = 0
  }

  /** Provides at least 16 bits. Markers end the data; zeros follow. */
  #fill(): void {
    while (this.#count < 16) {
      const byte = this.#bytes[this.#at] ?? 0
      let next = this.#at + 1
      let isThere = this.#at < this.#bytes.length
      if (isThere && byte === 0xff) {
        while (this.#bytes[next] === 0xff) next++
        if (this.#bytes[next] === 0) next++
        else isThere = false
      }
      if (isThere) this.#at = next
      else this.#missing += 8
      this.#buffer = ((this.#buffer << 8) | (isThere ? byte : 0)) >>> 0
      this.#count += 8
    }
  }
}
