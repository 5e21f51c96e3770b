import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { constants, crc32, deflateSync } from 'node:zlib'
import { Random } from '../../fuzz/random.ts'
import { kernelFile } from '../../kernels/build.ts'
import { type ColorType, channelsOfType } from '../../src/decoding/png/parse-png.ts'
import { PngDecoder } from '../../src/decoding/png/png-decoder.ts'
import { MOST_REDUCTION } from '../../src/decoding/reduction/result-layout.ts'
import { sharp } from '../../src/node/hardened-sharp.ts'
import { loadKernels } from '../../src/node/load-kernels.ts'
import { reducePicture } from '../reference/reduce-reference.ts'
import { assertPart } from './assert-part.ts'
import { filterRows, formats, makePng, type PngSpec, rowBytesOf, wrapPng } from './make-png.ts'

const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'
/** So many random pictures, or a tenth of them. */
const rounds = (full: number): number => (isFull ? full : Math.ceil(full / 10))

/** What Node runs, and what browsers do. */
const decoder = new PngDecoder(loadKernels().get('png-decoder'), crc32)
const plain = new PngDecoder(new WebAssembly.Module(readFileSync(kernelFile('png-decoder'))), crc32)
const builds = [
  ['relaxed', decoder],
  ['plain', plain],
] as const

/** What libpng makes of it; 16-bit samples are rounded to 8 bits by us. */
async function bySharp(bytes: Uint8Array, bitDepth: number): Promise<Buffer> {
  const picture = sharp(bytes, { failOn: 'warning', ignoreIcc: true, limitInputPixels: false })
  if (bitDepth !== 16) return picture.toColourspace('srgb').ensureAlpha().raw().toBuffer()
  const { buffer, byteOffset, length } = await picture
    .toColourspace('rgb16')
    .ensureAlpha()
    .raw({ depth: 'ushort' })
    .toBuffer()
  return Buffer.from(
    Uint8Array.from(new Uint16Array(buffer, byteOffset, length / 2), value => (value * 255 + 32_767) / 65_535),
  )
}

/** Rows with flat, smooth and rough parts, and zeros at the edges as a cut-out design has them. */
function drawRows(spec: Omit<PngSpec, 'rows'>, random: Random, clear: number): Uint8Array[] {
  const rowBytes = rowBytesOf(spec)
  const margin = Math.floor(rowBytes * clear)
  return Array.from({ length: spec.heightPx }, (_, y) => {
    const isClear = y < spec.heightPx * clear || random.below(9) === 0
    return Uint8Array.from({ length: rowBytes }, (_, i) => {
      if (clear > 0 && (isClear || i < margin || i >= rowBytes - margin)) return 0
      const kind = (i >> 4) % 3
      return kind === 0 ? 0xff : kind === 1 ? (i + 3 * y) & 255 : random.below(256)
    })
  })
}

/** Zeros, runs of one colour and noise from anywhere to anywhere, some of them as in the row above. */
function drawShapes(spec: Omit<PngSpec, 'rows'>, random: Random): Uint8Array[] {
  let row = new Uint8Array(rowBytesOf(spec))
  return Array.from({ length: spec.heightPx }, () => {
    const kind = random.below(6)
    if (kind === 0) row = new Uint8Array(row.length)
    else if (kind < 4) {
      const start = random.below(row.length)
      const end = start + random.below(row.length - start + 1)
      const color = [0, 1, 2, 3].map(() => random.below(256))
      row = row.map((value, i) => {
        if (i < start || i >= end) return value
        return kind === 1 ? 0 : kind === 2 ? (color[i & 3] ?? 0) : random.below(256)
      })
    }
    return row
  })
}

function paletteOf(colorType: ColorType, bitDepth: number): Partial<PngSpec> {
  if (colorType !== 3) return {}
  const size = 2 ** bitDepth
  return {
    palette: Uint8Array.from({ length: 3 * size }, (_, i) => (i * 53) & 255),
    transparency: Uint8Array.from({ length: Math.ceil(size / 2) }, (_, i) => (i * 97) & 255),
  }
}

const widths = [1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 31, 64, 65, 100, 257]

describe('our PNG decoder at full size equals libpng byte for byte:', () => {
  for (const [colorType, bitDepth] of formats) {
    it(`colour type ${colorType} of ${bitDepth} bits, every filter, every rest of a vector`, async () => {
      const random = new Random(colorType * 100 + bitDepth)
      let turn = bitDepth + colorType
      for (const widthPx of widths) {
        for (const filter of [0, 1, 2, 3, 4, 5]) {
          for (const clear of [0, 0.3]) {
            // a step that meets every width, every filter and both kinds
            if (turn++ % (isFull ? 1 : 7) !== 0) continue
            const head = { widthPx, heightPx: 11, colorType, bitDepth, ...paletteOf(colorType, bitDepth) }
            const filterOf = (): number => (filter === 5 ? random.below(5) : filter)
            const spec = { ...head, filterOf, rows: drawRows(head, random, clear) }
            const file = makePng(spec)
            const expected = await bySharp(file, bitDepth)
            const { data, isOpaque } = decoder.decode(file)
            assert.ok(expected.equals(data), `${widthPx} px, filter ${filter}, clear ${clear}`)
            assert.equal(
              isOpaque,
              expected.every((value, i) => (i & 3) !== 3 || value === 255),
            )
          }
        }
      }
    })
  }

  it('a colour that is clear, in grey and in RGB of every depth', async () => {
    for (const [colorType, bitDepth] of formats) {
      if (colorType !== 0 && colorType !== 2) continue
      const head = { widthPx: 37, heightPx: 9, colorType, bitDepth }
      const rows = drawRows(head, new Random(7), 0.2)
      for (const key of [0, 2 ** bitDepth - 1, 1]) {
        const sample = [key >> 8, key & 255]
        const transparency = Uint8Array.from(Array.from({ length: channelsOfType[colorType] }, () => sample).flat())
        const file = makePng({ ...head, rows, transparency })
        assert.ok(
          (await bySharp(file, bitDepth)).equals(decoder.decode(file).data),
          `${colorType}, ${bitDepth}, ${key}`,
        )
      }
    }
  })

  it('every 16-bit number', async () => {
    const row = Uint8Array.from({ length: 8192 }, (_, i) => ((i >> 1) >> ((i & 1) === 0 ? 8 : 0)) & 255)
    const rows = Array.from({ length: 16 }, (_, y) => row.map((value, i) => ((i & 1) === 0 ? value + 16 * y : value)))
    const file = makePng({ widthPx: 4096, heightPx: 16, colorType: 0, bitDepth: 16, rows })
    const { data } = decoder.decode(file)
    for (let i = 0; i < 65_536; i++) assert.equal(data[4 * i], Math.round(i / 257), `${i}`)
    assert.ok((await bySharp(file, 16)).equals(data))
  })

  it('data of every kind that zlib writes, in chunks of every size', async () => {
    const head = { widthPx: 300, heightPx: isFull ? 700 : 60, colorType: 6, bitDepth: 8 } as const
    const random = new Random(3)
    const spec = { ...head, rows: drawRows(head, random, 0.1), filterOf: (y: number) => y % 5 }
    const expected = await bySharp(makePng(spec), 8)
    const streams = [
      { level: 0 },
      { level: 1 },
      { level: 6 },
      { level: 9, memLevel: 5 },
      { strategy: constants.Z_FIXED },
      { strategy: constants.Z_HUFFMAN_ONLY },
      { strategy: constants.Z_RLE },
    ]
    const filtered = filterRows(spec)
    for (const zlib of streams) {
      const stream = deflateSync(filtered, zlib)
      for (const chunkBytes of [stream.length, 65_536, 8192, 1021, 7]) {
        const file = wrapPng({ ...spec, chunkBytes }, stream)
        assert.ok(expected.equals(decoder.decode(file).data), JSON.stringify([zlib, chunkBytes]))
      }
    }
    const tiny = makePng({ ...spec, rows: spec.rows.slice(0, 3), heightPx: 3, chunkBytes: 1 })
    assert.ok((await bySharp(tiny, 8)).equals(decoder.decode(tiny).data))
  })

  for (const [build, one] of builds) {
    it(`rows of one filter after the other, shapes at changing places, by the build with ${build} instructions`, async () => {
      const random = new Random(12)
      for (let round = 0; round < rounds(150); round++) {
        const head = {
          widthPx: 1 + random.below(90),
          heightPx: 40,
          colorType: round % 3 === 0 ? 2 : 6,
          bitDepth: 8,
        } as const
        const rows = drawShapes(head, random)
        let filter = 4
        const filters = rows.map(() => {
          if (random.below(4) === 0) filter = random.below(3) === 0 ? random.below(5) : 3 + random.below(2)
          return filter
        })
        const file = makePng({ ...head, rows, filterOf: y => filters[y] ?? 0 })
        const expected = await bySharp(file, 8)
        assert.ok(expected.equals(one.decode(file).data), `round ${round}: ${filters.join('')}`)
      }
    })
  }

  it('data whose checksum is right in every chunk, and no other', () => {
    const head = { widthPx: 120, heightPx: 90, colorType: 6, bitDepth: 8 } as const
    const rows = drawRows(head, new Random(8), 0.1)
    for (const chunkBytes of [5000, 640, 511, 3]) {
      const file = makePng({ ...head, rows, chunkBytes, zlib: { level: 0 } })
      const ends: number[] = []
      for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
        if (file.toString('latin1', at + 4, at + 8) === 'IDAT') ends.push(at + 8 + file.readUInt32BE(at))
      }
      for (const [name, kernel] of builds) {
        assert.equal(kernel.decode(file).widthPx, 120, name)
        for (const end of new Set([ends[0], ends[ends.length >> 1], ends.at(-1)])) {
          const wrong = Buffer.from(file)
          wrong.writeUInt8((wrong[end ?? 0] ?? 0) ^ 16, end)
          assert.throws(() => kernel.decode(wrong), /checksum of IDAT/, `${name}, ${chunkBytes}, ${end}`)
        }
      }
    }
  })

  it('pictures of one pixel across or down, as long as a side may be', async () => {
    for (const [widthPx, heightPx] of [
      [1, 1],
      [16_384, 1],
      [1, 16_384],
    ] as const) {
      for (const colorType of [2, 6] as const) {
        const head = { widthPx, heightPx, colorType, bitDepth: 8 }
        const file = makePng({ ...head, rows: drawRows(head, new Random(5), 0), filterOf: y => y % 5 })
        assert.ok((await bySharp(file, 8)).equals(decoder.decode(file).data))
      }
    }
  })
})

for (const [build, decoder] of builds) {
  describe(`a reduced PNG, by the build with ${build} vector instructions,`, () => {
    it('equals the plain definition, of every format, at every kind of size', () => {
      const random = new Random(11)
      for (const [colorType, bitDepth] of formats) {
        for (let round = 0; round < rounds(12); round++) {
          const head = {
            widthPx: 1 + random.below(150),
            heightPx: 1 + random.below(90),
            colorType,
            bitDepth,
            ...paletteOf(colorType, bitDepth),
          }
          const clear = random.pick([0, 0, 0.2, 0.45])
          const file = makePng({ ...head, rows: drawRows(head, random, clear), filterOf: () => random.below(5) })
          const whole = decoder.decode(file)
          const least = (sidePx: number): number => Math.ceil(sidePx / MOST_REDUCTION)
          const side = (sidePx: number): number => least(sidePx) + random.below(sidePx - least(sidePx) + 1)
          const size = {
            widthPx: side(head.widthPx),
            heightPx: random.below(4) === 0 ? head.heightPx : side(head.heightPx),
          }
          const reduced = decoder.decode(file, size)
          const isOpaqueFormat = colorType === 0 || colorType === 2
          const expected = reducePicture(whole, size.widthPx, size.heightPx, isOpaqueFormat)
          const isWhole = size.widthPx === head.widthPx && size.heightPx === head.heightPx
          const name = `${colorType}, ${bitDepth} bits, ${head.widthPx} x ${head.heightPx} to ${size.widthPx} x ${size.heightPx}`
          assert.ok(Buffer.from(isWhole ? whole.data : expected).equals(reduced.data), name)
          assert.equal(
            reduced.isOpaque,
            reduced.data.every((value, i) => (i & 3) !== 3 || value === 255),
            name,
          )
        }
      }
    })

    it('equals it where sharpening meets the strongest contrasts: single pixels of black in white, and the other way', () => {
      const random = new Random(13)
      const head = { widthPx: 64, heightPx: 48, colorType: 0, bitDepth: 8 } as const
      for (let round = 0; round < rounds(300); round++) {
        const [ground, dot] = round % 2 === 0 ? [0, 255] : [255, 0]
        const rows = Array.from({ length: 48 }, () =>
          Uint8Array.from({ length: 64 }, () => (random.below(6) === 0 ? dot : ground)),
        )
        const file = makePng({ ...head, rows })
        const size = { widthPx: 60 + random.below(4), heightPx: 40 + random.below(8) }
        const expected = reducePicture(decoder.decode(file), size.widthPx, size.heightPx, true)
        assert.ok(Buffer.from(expected).equals(decoder.decode(file, size).data), `${size.widthPx} x ${size.heightPx}`)
      }
    })

    it('has the same pixels in any part of it', () => {
      const random = new Random(12)
      for (const colorType of [2, 3, 4, 6] as const) {
        const head = { widthPx: 173, heightPx: 140, colorType, bitDepth: 8, ...paletteOf(colorType, 8) }
        const file = makePng({ ...head, rows: drawRows(head, random, 0.2), filterOf: () => random.below(5) })
        for (let round = 0; round < rounds(40); round++) {
          const size = round === 0 ? head : { widthPx: 8 + random.below(166), heightPx: 8 + random.below(133) }
          assertPart(decoder, file, size, random)
        }
      }
    })
  })
}
