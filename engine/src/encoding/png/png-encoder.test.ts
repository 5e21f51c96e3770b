import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync, crc32 as zlibCrc32 } from 'node:zlib'
import * as fc from 'fast-check'
import sharp from 'sharp'
import { MAX_MATCH } from '../../../kernels/assembly/png/layout.ts'
import { contents, makePicture, rectangles, redraw, seeds, sides } from '../../../test/made-pictures.ts'
import { kernels } from '../../../test/reference/kernel-registry.ts'
import { chooseFilter, cutRow, encodePngReference, filterRow, tokenize } from '../../../test/reference/png-reference.ts'
import { loadKernels } from '../../node/load-kernels.ts'
import type { OpaquePixmap } from '../../pixmap.ts'
import { fitDeflateCodes, tokenBits } from './deflate-codes.ts'
import { dirtySpans } from './dirty-spans.ts'
import { PngEncoder } from './png-encoder.ts'

const modules = loadKernels()
const encoder = new PngEncoder(modules.get('png-encoder'))
const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'

async function pixelsOf(file: Uint8Array): Promise<Buffer> {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
  assert.equal(info.channels, 3)
  return data
}

/** Walks the chunks as strict readers do: known order, valid checksums, nothing after the end. */
function assertSound(file: Uint8Array): void {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const names: string[] = []
  let at = 8
  while (at < file.length) {
    const dataEnd = at + 8 + view.getUint32(at)
    names.push(Buffer.from(file.subarray(at + 4, at + 8)).toString('latin1'))
    assert.equal(view.getUint32(dataEnd), zlibCrc32(file.subarray(at + 4, dataEnd)))
    at = dataEnd + 4
  }
  assert.equal(at, file.length)
  assert.deepEqual(names, ['IHDR', 'IDAT', 'IEND'])
}

/** The filtered rows inside a file. */
function rowsOf(file: Uint8Array): Buffer {
  return inflateSync(file.subarray(41, file.length - 16))
}

test('the kernel filters and chooses filters like the reference, byte for byte', () => {
  const filter = kernels.pngFilter.simd(modules)
  const choose = kernels.pngFilterChoice.simd(modules)
  fc.assert(
    fc.property(sides, contents, seeds, fc.boolean(), (widthPx, content, seed, isFirst) => {
      const picture = makePicture(widthPx, isFirst ? 1 : 2, content, seed)
      const row = picture.heightPx - 1
      for (const type of [0, 1, 2, 3, 4]) {
        assert.deepEqual(filter(picture, row, type), kernels.pngFilter.reference(picture, row, type))
      }
      assert.equal(choose(picture, row), kernels.pngFilterChoice.reference(picture, row))
    }),
    { numRuns: isFull ? 5000 : 40 },
  )
})

test('every Paeth residual is that of the specification', () => {
  const filter = kernels.pngFilter.simd(modules)
  // Left, above and above-left over a grid of values, in rows of 85 pixels.
  for (let aboveLeft = 0; aboveLeft < 256; aboveLeft += 15) {
    const data = new Uint8Array(2 * 3 * 512)
    for (let i = 0; i < 512; i++) {
      data.set([(i * 37) & 255, (i * 91) & 255, aboveLeft], 3 * i)
      data.set([(i * 53) & 255, i & 255, (i * 29) & 255], 3 * (512 + i))
    }
    const picture: OpaquePixmap = { alpha: 'opaque', widthPx: 512, heightPx: 2, data }
    assert.deepEqual(filter(picture, 1, 4), filterRow(data.subarray(1536), data.subarray(0, 1536), 4))
  }
})

test('a file equals the reference with the same filters and code, its chunks are valid, and sharp reads its pixels', async () => {
  await fc.assert(
    fc.asyncProperty(sides, sides, contents, seeds, async (widthPx, heightPx, content, seed) => {
      const picture = makePicture(widthPx, heightPx, content, seed)
      const ours = encoder.encode(picture)
      const rowBytes = 3 * widthPx
      const filters = Uint8Array.from({ length: heightPx }, (_, y) =>
        chooseFilter(
          picture.data.subarray(y * rowBytes, (y + 1) * rowBytes),
          y === 0 ? new Uint8Array(rowBytes) : picture.data.subarray((y - 1) * rowBytes, y * rowBytes),
        ),
      )
      assert.deepEqual(
        Uint8Array.from({ length: heightPx }, (_, y) => rowsOf(ours)[y * (1 + rowBytes)] ?? 9),
        filters,
      )
      const uniform = fitDeflateCodes({
        literals: new Float64Array(256).fill(1),
        matches: new Float64Array(MAX_MATCH + 1).fill(1),
      })
      assert.deepEqual(
        encoder.encodeWithPlan(picture, filters, uniform, []),
        encodePngReference(picture, filters, uniform, []),
      )
      assert.ok((await pixelsOf(ours)).equals(picture.data))
      assertSound(ours)
    }),
    { numRuns: isFull ? 1000 : 15 },
  )
})

test('a mockup spliced from its scene equals its full encoding and has its pixels, whatever changed', async () => {
  const cases = fc.tuple(sides, sides).chain(([widthPx, heightPx]) =>
    fc.record({
      widthPx: fc.constant(widthPx),
      heightPx: fc.constant(heightPx),
      dirty: rectangles(widthPx, heightPx),
      before: contents,
      after: contents,
      seed: seeds,
    }),
  )
  await fc.assert(
    fc.asyncProperty(cases, async ({ widthPx, heightPx, dirty, before, after, seed }) => {
      const scene = makePicture(widthPx, heightPx, before, seed)
      const picture = redraw(scene, dirty, after, seed + 1)
      const prepared = encoder.prepareScene(scene, dirty)
      const { bytes, codes } = encoder.encodeMockup(prepared, picture)
      assert.deepEqual(bytes, encoder.encodeWithPlan(picture, prepared.filters, codes, prepared.spans))
      assert.deepEqual(bytes, encodePngReference(picture, prepared.filters, codes, prepared.spans))
      assert.ok((await pixelsOf(bytes)).equals(picture.data))
    }),
    { numRuns: isFull ? 2000 : 20 },
  )
})

test('tokens decode to the same bytes, runs have any length, and the bit count matches the stream', () => {
  for (const zeros of [0, 1, 7, 8, 9, 10, 258, 259, 260, 261, 262, 516, 517, 518, 519, 520, 2000]) {
    for (const lead of [0, 1, 5, 8]) {
      const bytes = Uint8Array.from([
        ...Uint8Array.from({ length: lead }, (_, i) => i + 1),
        ...new Uint8Array(zeros),
        9,
      ])
      const back: number[] = []
      for (const token of tokenize(bytes)) {
        if ('literal' in token) back.push(token.literal)
        else {
          assert.ok(token.match >= 3 && token.match <= MAX_MATCH)
          for (let i = 0; i < token.match; i++) back.push(back.at(-1) ?? -1)
        }
      }
      assert.deepEqual(back, [...bytes])
    }
  }
})

test('a code can write every token, and its cost matches the bits written', () => {
  const counts = { literals: new Float64Array(256), matches: new Float64Array(MAX_MATCH + 1) }
  counts.literals[0] = 1e9
  const codes = fitDeflateCodes(counts)
  for (const literal of codes.literals) assert.ok(literal.length >= 1 && literal.length <= 13)
  for (const match of codes.matches.slice(3)) assert.ok(match.length >= 2 && match.length <= 19)
  assert.equal(tokenBits(counts, codes), 1e9 * (codes.literals[0]?.length ?? 0))
})

test('spans reach one pixel to the right and one row down, merge, and stay inside', () => {
  const rect = (left: number, top: number, widthPx: number, heightPx: number) => ({ left, top, widthPx, heightPx })
  assert.deepEqual(dirtySpans([rect(1, 1, 2, 1)], 10, 10), [
    { row: 1, fromPx: 1, toPx: 4 },
    { row: 2, fromPx: 1, toPx: 4 },
  ])
  assert.deepEqual(dirtySpans([rect(8, 9, 5, 5), rect(2, 9, 2, 1), rect(5, 9, 2, 1)], 10, 10), [
    { row: 9, fromPx: 2, toPx: 10 },
  ])
  assert.deepEqual(dirtySpans([rect(0, 0, 0, 5), rect(-5, 0, 5, 5), rect(Number.NaN, 0, 5, 5)], 10, 10), [])
  assert.deepEqual(
    cutRow(new Uint8Array(7), 0, [{ row: 0, fromPx: 0, toPx: 2 }]).map(part => part.length),
    [1, 6, 0],
  )
})

test('the kernel computes CRC-32 as zlib does', () => {
  const crc32 = kernels.crc32.simd(modules)
  for (const size of [0, 1, 15, 16, 17, 31, 32, 1000, 65536, 65537, 200_001]) {
    const bytes = makePicture(size || 1, 1, 'noise', size).data.subarray(0, size)
    assert.equal(crc32(bytes, 0), zlibCrc32(bytes))
    assert.equal(crc32(bytes, 12345), zlibCrc32(bytes, 12345))
    assert.equal(kernels.crc32.reference(bytes, 0), zlibCrc32(bytes))
  }
})

test('neither a platform checksum nor an earlier job changes the bytes', () => {
  const scene = makePicture(150, 90, 'smooth', 8)
  const dirty = [{ left: 30, top: 10, widthPx: 40, heightPx: 70 }]
  const picture = redraw(scene, dirty, 'noise', 2)
  const prepared = encoder.prepareScene(scene, dirty)
  const first = encoder.encodeMockup(prepared, picture).bytes
  encoder.encode(makePicture(900, 700, 'noise', 1))
  encoder.encode(makePicture(5, 5, 'flat', 1))
  assert.deepEqual(encoder.encodeMockup(prepared, picture).bytes, first)
  const fresh = new PngEncoder(modules.get('png-encoder'), zlibCrc32)
  assert.deepEqual(fresh.encodeMockup(fresh.prepareScene(scene, dirty), picture).bytes, first)
})

test('photographs and renderings are smaller than with sharp’s defaults', async () => {
  for (const content of ['smooth', 'noise'] as const) {
    const picture = makePicture(400, 300, content, 3)
    const theirs = await sharp(picture.data, { raw: { width: 400, height: 300, channels: 3 } })
      .png()
      .toBuffer()
    assert.ok(encoder.encode(picture).length <= theirs.length, content)
  }
})

test('sizes that do not fit the data, the format or the scene are refused before anything is read', () => {
  const data = new Uint8Array(12)
  for (const [widthPx, heightPx] of [
    [2, 3],
    [0, 0],
    [1.5, 2],
    [Number.NaN, 2],
    [60000, 60000],
  ] as const) {
    assert.throws(() => encoder.encode({ alpha: 'opaque', widthPx, heightPx, data }), RangeError)
  }
  const prepared = encoder.prepareScene(makePicture(20, 20, 'flat', 0), [])
  assert.throws(() => encoder.encodeMockup(prepared, makePicture(20, 21, 'flat', 0)), RangeError)
})
