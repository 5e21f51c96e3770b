import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import sharp from 'sharp'
import { contents, makePicture, rectangles, redraw, seeds, sides } from '../../../test/made-pictures.ts'
import { encodeJpegReference } from '../../../test/reference/jpeg-reference.ts'
import { kernels } from '../../../test/reference/kernel-registry.ts'
import { loadKernels } from '../../node/load-kernels.ts'
import { standardHuffman } from './huffman.ts'
import { JpegEncoder } from './jpeg-encoder.ts'

const modules = loadKernels()
const encoder = new JpegEncoder(modules.get('jpeg-encoder'))
const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'

const qualities = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constantFrom(1, 50, 96, 99, 100))

const scanOf = (file: Uint8Array): Buffer => {
  const bytes = Buffer.from(file)
  return bytes.subarray(bytes.indexOf(Buffer.of(0xff, 0xda)))
}

test('the reference writes the same scan as libjpeg-turbo, at every quality and size', async () => {
  await fc.assert(
    fc.asyncProperty(sides, sides, qualities, contents, seeds, async (widthPx, heightPx, quality, content, seed) => {
      const picture = makePicture(widthPx, heightPx, content, seed)
      const ours = encodeJpegReference(picture, quality, standardHuffman)
      const theirs = await sharp(picture.data, { raw: { width: widthPx, height: heightPx, channels: 3 } })
        .jpeg({ quality, optimiseCoding: false, chromaSubsampling: '4:2:0' })
        .toBuffer()
      assert.ok(scanOf(ours).equals(scanOf(theirs)))
    }),
    { numRuns: isFull ? 2000 : 20 },
  )
})

test('the kernel gives the coefficients of the reference, byte for byte', () => {
  const simd = kernels.jpegCoefficients.simd(modules)
  fc.assert(
    fc.property(sides, sides, qualities, contents, seeds, (widthPx, heightPx, quality, content, seed) => {
      const picture = makePicture(widthPx, heightPx, content, seed)
      const last = Math.ceil(widthPx / 16) * Math.ceil(heightPx / 16) - 1
      for (const mcu of [0, last]) {
        assert.deepEqual(simd(picture, quality, mcu), kernels.jpegCoefficients.reference(picture, quality, mcu))
      }
    }),
    { numRuns: isFull ? 2000 : 25 },
  )
})

test('the kernel writes the same file as the reference, byte for byte', () => {
  const simd = kernels.jpegFile.simd(modules)
  fc.assert(
    fc.property(sides, sides, qualities, contents, seeds, (widthPx, heightPx, quality, content, seed) => {
      const picture = makePicture(widthPx, heightPx, content, seed)
      assert.ok(Buffer.from(kernels.jpegFile.reference(picture, quality)).equals(simd(picture, quality)))
    }),
    { numRuns: isFull ? 2000 : 25 },
  )
})

test('a mockup encoded from its scene equals its full encoding, whatever changed, at every quality and size', () => {
  const cases = fc.tuple(sides, sides).chain(([widthPx, heightPx]) =>
    fc.record({
      widthPx: fc.constant(widthPx),
      heightPx: fc.constant(heightPx),
      dirty: rectangles(widthPx, heightPx),
      quality: qualities,
      before: contents,
      after: contents,
      seed: seeds,
    }),
  )
  fc.assert(
    fc.property(cases, ({ widthPx, heightPx, dirty, quality, before, after, seed }) => {
      const scene = makePicture(widthPx, heightPx, before, seed)
      const picture = redraw(scene, dirty, after, seed + 1)
      const prepared = encoder.prepareScene(scene, quality, dirty)
      const mockup = encoder.encodeMockup(prepared, picture, dirty)
      assert.ok(Buffer.from(encoder.encode(picture, quality, prepared)).equals(mockup))
      // Rectangles for which the scene was not prepared are counted again.
      assert.ok(Buffer.from(encoder.encodeMockup(prepared, picture, [...dirty])).equals(mockup))
      // Its own tables, or ones that cost at most 2.5 % more; headers differ by less than 600 bytes.
      assert.ok(mockup.length <= encoder.encode(picture, quality).length * 1.026 + 600)
    }),
    { numRuns: isFull ? 5000 : 30 },
  )
})

test('files are no larger than those of libjpeg-turbo with optimised coding', async () => {
  for (const content of ['noise', 'extremes', 'smooth', 'flat'] as const) {
    for (const quality of [10, 85, 100]) {
      const picture = makePicture(320, 240, content, 9)
      const theirs = await sharp(picture.data, { raw: { width: 320, height: 240, channels: 3 } })
        .jpeg({ quality, optimiseCoding: true, chromaSubsampling: '4:2:0' })
        .toBuffer()
      // 18 bytes are the JFIF segment, which sharp omits; the number of stuffed zeros depends on the codes.
      const ours = encoder.encode(picture, quality)
      assert.ok(ours.length <= 18 + theirs.length * 1.001, `${content} at ${quality}: ${ours.length}, ${theirs.length}`)
    }
  }
})

test('sharp decodes a plain encoding to the pixels of the reference', async () => {
  for (const [widthPx, heightPx] of [
    [1, 1],
    [640, 3],
    [3, 640],
    [333, 217],
  ] as const) {
    const picture = makePicture(widthPx, heightPx, 'smooth', 4)
    const ours = await sharp(encoder.encode(picture, 92)).raw().toBuffer({ resolveWithObject: true })
    const definition = await sharp(kernels.jpegFile.reference(picture, 92)).raw().toBuffer()
    assert.equal(ours.info.width, widthPx)
    assert.equal(ours.info.height, heightPx)
    assert.ok(ours.data.equals(definition))
  }
})

test('an encoder gives the same bytes after any other job, and a prepared scene can be reused', () => {
  const scene = makePicture(150, 90, 'smooth', 8)
  const dirty = [{ left: 30, top: 10, widthPx: 40, heightPx: 70 }]
  const picture = redraw(scene, dirty, 'noise', 2)
  const prepared = encoder.prepareScene(scene, 85, dirty)
  const first = encoder.encodeMockup(prepared, picture, dirty)
  encoder.encode(makePicture(1000, 700, 'noise', 1), 100)
  encoder.encode(makePicture(5, 5, 'extremes', 1), 3)
  assert.deepEqual(encoder.encodeMockup(prepared, picture, dirty), first)
  const fresh = new JpegEncoder(modules.get('jpeg-encoder'))
  assert.deepEqual(fresh.encodeMockup(fresh.prepareScene(scene, 85, dirty), picture, dirty), first)
  assert.ok(prepared.sizeBytes > first.length)
})

test('sizes that do not fit the data, the format or the scene are refused before anything is read', () => {
  const data = new Uint8Array(12)
  for (const [widthPx, heightPx] of [
    [2, 3],
    [0, 0],
    [-2, -2],
    [1.5, 2],
    [Number.NaN, 2],
    [65501, 1],
    [60000, 60000],
  ] as const) {
    assert.throws(() => encoder.encode({ alpha: 'opaque', widthPx, heightPx, data }, 85), RangeError)
  }
  const prepared = encoder.prepareScene(makePicture(20, 20, 'flat', 0), 85, [])
  assert.throws(() => encoder.encodeMockup(prepared, makePicture(20, 21, 'flat', 0), []), RangeError)
  assert.throws(() => encoder.encode(makePicture(2, 2, 'flat', 0), 0), RangeError)
})

test('rectangles of NaN, infinite or outside the picture change nothing or everything, and never reach outside', () => {
  const scene = makePicture(50, 40, 'smooth', 1)
  const prepared = encoder.prepareScene(scene, 85, [])
  const whole = encoder.encode(scene, 85, prepared)
  for (const rect of [
    { left: Number.NaN, top: 0, widthPx: 10, heightPx: 10 },
    { left: 1e30, top: -1e30, widthPx: 1, heightPx: 1 },
    { left: -1e30, top: -1e30, widthPx: 2e30, heightPx: 2e30 },
    { left: 0, top: 0, widthPx: Number.POSITIVE_INFINITY, heightPx: 1 },
  ]) {
    assert.deepEqual(encoder.encodeMockup(prepared, scene, [rect]), whole)
  }
})
