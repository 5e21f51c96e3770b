import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import sharp from 'sharp'
import { halvePixels } from './halve.ts'

test('halving a uniform picture preserves its colour and alpha', () => {
  const side = fc.integer({ min: 2, max: 40 })
  const byte = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(side, side, fc.tuple(byte, byte, byte), fc.integer({ min: 1, max: 255 }), (width, height, color, a) => {
      const data = new Uint8Array(width * height * 4).map((_, i) => [...color, a][i % 4] ?? 0)
      const halved = halvePixels({ widthPx: width, heightPx: height, data, isOpaque: a === 255 })
      assert.equal(halved.length, (width >> 1) * (height >> 1) * 4)
      for (const [i, value] of halved.entries()) assert.equal(value, [...color, a][i % 4])
    }),
  )
})

test('transparent pixels contribute no colour, and opaque pixels stay opaque', () => {
  const [width, height] = [16, 8]
  const data = new Uint8Array(width * height * 4)
  for (let i = 0; i < width * height; i++) data.set(i % width < width / 2 ? [255, 0, 0, 255] : [0, 255, 0, 0], i * 4)
  const halved = halvePixels({ widthPx: width, heightPx: height, data, isOpaque: false })
  for (let i = 0; i < halved.length; i += 4)
    if ((halved[i + 3] ?? 0) > 0) assert.deepEqual([halved[i], halved[i + 1]], [255, 0], `pixel ${i / 4}`)
})

test('halving is close to Lanczos', async () => {
  const [width, height] = [256, 192]
  const data = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const ring = 127 + 100 * Math.sin(Math.hypot(x - 90, y - 70) ** 1.4 / 40)
      data.set([ring, 255 - ring, (x + y) / 2, 255], (y * width + x) * 4)
    }
  const halved = halvePixels({ widthPx: width, heightPx: height, data, isOpaque: true })
  const lanczos = await sharp(data, { raw: { width, height, channels: 4 } })
    .resize(width / 2, height / 2, { kernel: 'lanczos3' })
    .raw()
    .toBuffer()
  const square = halved.reduce((sum, value, i) => sum + (value - (lanczos[i] ?? 0)) ** 2, 0) / halved.length
  const decibels = 10 * Math.log10(255 ** 2 / square)
  assert.ok(decibels > 40, `${decibels} dB`)
})
