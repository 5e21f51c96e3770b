import { codesOf, fitHuffmanSet, type HuffmanSet } from '../../src/encoding/jpeg/huffman.ts'
import { endOfImage, jpegHeader } from '../../src/encoding/jpeg/jpeg-header.ts'
import { type QuantisationTables, quantisationTables, zigzag } from '../../src/encoding/jpeg/quantiser.ts'
import type { OpaquePixmap } from '../../src/pixmap.ts'

// The definition of our JPEG encoder in plain TypeScript: slow, short, and what the kernel must equal bit for
// bit. The arithmetic is libjpeg's (jccolor.c, jcsample.c, jfdctint.c, jcdctmgr.c, jccoefct.c, jchuff.c).

const at = (values: ArrayLike<number>, index: number): number => values[index] ?? 0

type Ycc = { readonly y: number; readonly cb: number; readonly cr: number }

/** An sRGB pixel as Y, Cb, Cr, 0..255: 16-bit fixed point, Y rounded, Cb and Cr with halves down. */
function colorAt(picture: OpaquePixmap, x: number, y: number): Ycc {
  const column = Math.min(x, picture.widthPx - 1)
  const row = Math.min(y, picture.heightPx - 1)
  const pixel = 3 * (row * picture.widthPx + column)
  const r = at(picture.data, pixel)
  const g = at(picture.data, pixel + 1)
  const b = at(picture.data, pixel + 2)
  return {
    y: (19595 * r + 38470 * g + 7471 * b + 32768) >> 16,
    cb: (-11059 * r - 21709 * g + 32768 * b + (128 << 16) + 32767) >> 16,
    cr: (32768 * r - 27439 * g - 5329 * b + (128 << 16) + 32767) >> 16,
  }
}

const passes = [
  { evenShift: -2, shift: 11 },
  { evenShift: 2, shift: 15 },
] as const

const descale = (value: number, shift: number): number => (value + (1 << (shift - 1))) >> shift

/**
 * Eight samples at `first`, `stride` apart, to eight frequencies: one line of the transform of jfdctint.c.
 */
function transformLine(block: Int32Array, first: number, stride: number, pass: (typeof passes)[number]): void {
  const sample = (i: number): number => at(block, first + i * stride)
  const put = (i: number, value: number): void => {
    block[first + i * stride] = value
  }
  const s0 = sample(0) + sample(7)
  const s7 = sample(0) - sample(7)
  const s1 = sample(1) + sample(6)
  const s6 = sample(1) - sample(6)
  const s2 = sample(2) + sample(5)
  const s5 = sample(2) - sample(5)
  const s3 = sample(3) + sample(4)
  const s4 = sample(3) - sample(4)
  const e0 = s0 + s3
  const e3 = s0 - s3
  const e1 = s1 + s2
  const e2 = s1 - s2
  put(0, pass.evenShift < 0 ? (e0 + e1) << -pass.evenShift : descale(e0 + e1, pass.evenShift))
  put(4, pass.evenShift < 0 ? (e0 - e1) << -pass.evenShift : descale(e0 - e1, pass.evenShift))
  const z1 = (e2 + e3) * 4433
  put(2, descale(z1 + e3 * 6270, pass.shift))
  put(6, descale(z1 - e2 * 15137, pass.shift))
  const z5 = (s4 + s6 + s5 + s7) * 9633
  const z3 = (s4 + s6) * -16069 + z5
  const z4 = (s5 + s7) * -3196 + z5
  put(7, descale(s4 * 2446 + (s4 + s7) * -7373 + z3, pass.shift))
  put(5, descale(s5 * 16819 + (s5 + s6) * -20995 + z4, pass.shift))
  put(3, descale(s6 * 25172 + (s5 + s6) * -20995 + z3, pass.shift))
  put(1, descale(s7 * 12299 + (s4 + s7) * -7373 + z4, pass.shift))
}

/** 64 samples, centred on zero and row by row, to quantised coefficients in natural order. */
function transformBlock(samples: ArrayLike<number>, steps: Uint8Array): Int16Array {
  const block = Int32Array.from(samples)
  for (let row = 0; row < 8; row++) transformLine(block, 8 * row, 1, passes[0])
  for (let column = 0; column < 8; column++) transformLine(block, column, 8, passes[1])
  return Int16Array.from(block, (value, i) => {
    const step = at(steps, i)
    const quotient = Math.floor((Math.abs(value) + 4 * step) / (8 * step))
    return value < 0 ? -quotient : quotient
  })
}

/**
 * The six blocks (Y left to right and top to bottom, Cb, Cr) of the MCU at column and row (in units of 16
 * pixels). Pixels beyond the picture repeat its last column and row; chroma rows beyond it repeat the last
 * chroma row.
 */
export function mcuCoefficients(
  picture: OpaquePixmap,
  quantisation: QuantisationTables,
  mcuColumn: number,
  mcuRow: number,
): Int16Array[] {
  const x0 = 16 * mcuColumn
  const y0 = 16 * mcuRow
  const blocks: Int16Array[] = []
  for (const [dx, dy] of [
    [0, 0],
    [8, 0],
    [0, 8],
    [8, 8],
  ] as const) {
    const samples = Array.from(
      { length: 64 },
      (_, i) => colorAt(picture, x0 + dx + (i & 7), y0 + dy + (i >> 3)).y - 128,
    )
    blocks.push(transformBlock(samples, quantisation.luma))
  }
  const lastChromaRow = ((picture.heightPx + 1) >> 1) - 1
  for (const channel of ['cb', 'cr'] as const) {
    const samples = Array.from({ length: 64 }, (_, i) => {
      const x = x0 + 2 * (i & 7)
      const y = 2 * Math.min((y0 >> 1) + (i >> 3), lastChromaRow)
      const sum =
        colorAt(picture, x, y)[channel] +
        colorAt(picture, x + 1, y)[channel] +
        colorAt(picture, x, y + 1)[channel] +
        colorAt(picture, x + 1, y + 1)[channel]
      return ((sum + 1 + (i & 1)) >> 2) - 128
    })
    blocks.push(transformBlock(samples, quantisation.chroma))
  }
  return blocks
}

const sizeOf = (value: number): number => 32 - Math.clz32(Math.abs(value))

/** Calls `symbol(table, symbol, extraBits, extraValue)` for everything that the scan holds, in order. */
function visitSymbols(
  picture: OpaquePixmap,
  quantisation: QuantisationTables,
  symbol: (table: keyof HuffmanSet, symbol: number, extraBits: number, extraValue: number) => void,
): void {
  const blockColumns = Math.ceil(picture.widthPx / 8)
  const blockRows = Math.ceil(picture.heightPx / 8)
  const predictors = [0, 0, 0]
  for (let row = 0; row < Math.ceil(picture.heightPx / 16); row++) {
    for (let column = 0; column < Math.ceil(picture.widthPx / 16); column++) {
      mcuCoefficients(picture, quantisation, column, row).forEach((block, index) => {
        const isLuma = index < 4
        const component = isLuma ? 0 : index - 3
        const isInside = !isLuma || (2 * column + (index & 1) < blockColumns && 2 * row + (index >> 1) < blockRows)
        // Blocks outside the picture repeat the DC before them and hold nothing else.
        const dc = isInside ? at(block, 0) : at(predictors, component)
        const difference = dc - at(predictors, component)
        predictors[component] = dc
        const extra = (value: number, size: number): number => (value < 0 ? value + 2 ** size - 1 : value)
        const dcSize = sizeOf(difference)
        symbol(isLuma ? 'dcLuma' : 'dcChroma', dcSize, dcSize, extra(difference, dcSize))
        const acTable = isLuma ? 'acLuma' : 'acChroma'
        let run = 0
        for (let k = 1; k < 64; k++) {
          const value = isInside ? at(block, at(zigzag, k)) : 0
          if (value === 0) {
            run++
            continue
          }
          for (; run > 15; run -= 16) symbol(acTable, 0xf0, 0, 0)
          const size = sizeOf(value)
          symbol(acTable, (run << 4) | size, size, extra(value, size))
          run = 0
        }
        if (run > 0) symbol(acTable, 0, 0, 0)
      })
    }
  }
}

/**
 * The whole file of a picture: sRGB, baseline 4:2:0, quality 1..100, with the best Huffman tables for it or
 * with these.
 */
export function encodeJpegReference(picture: OpaquePixmap, quality: number, given?: HuffmanSet): Uint8Array {
  const quantisation = quantisationTables(quality)
  const counts = {
    dcLuma: new Float64Array(256),
    dcChroma: new Float64Array(256),
    acLuma: new Float64Array(256),
    acChroma: new Float64Array(256),
  }
  visitSymbols(picture, quantisation, (table, symbol) => {
    counts[table][symbol] = at(counts[table], symbol) + 1
  })
  const huffman = given ?? fitHuffmanSet(counts)
  const codes = {
    dcLuma: codesOf(huffman.dcLuma, 256),
    dcChroma: codesOf(huffman.dcChroma, 256),
    acLuma: codesOf(huffman.acLuma, 256),
    acChroma: codesOf(huffman.acChroma, 256),
  }
  const scan: number[] = []
  let pending = 0
  let pendingBits = 0
  const putBits = (value: number, bits: number): void => {
    for (let i = bits - 1; i >= 0; i--) {
      pending = (pending << 1) | ((value >> i) & 1)
      pendingBits++
      if (pendingBits === 8) {
        scan.push(pending)
        if (pending === 0xff) scan.push(0)
        pending = 0
        pendingBits = 0
      }
    }
  }
  visitSymbols(picture, quantisation, (table, symbol, extraBits, extraValue) => {
    const code = at(codes[table], symbol)
    if (code === 0) throw new RangeError(`The ${table} table has no code for ${symbol}`)
    putBits(code >> 8, code & 255)
    putBits(extraValue, extraBits)
  })
  if (pendingBits > 0) putBits(0xff, 8 - pendingBits)
  return Uint8Array.from([
    ...jpegHeader(picture.widthPx, picture.heightPx, quantisation, huffman),
    ...scan,
    ...endOfImage,
  ])
}
