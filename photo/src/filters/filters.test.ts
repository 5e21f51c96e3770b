import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boxFilter } from './box-filter.ts'
import { broadFilterWithin } from './broad-filter.ts'
import { gaussianFilter, gaussianFilterWithin } from './gaussian-filter.ts'
import { guidedFilter } from './guided-filter.ts'
import { narrowPeaks } from './narrow-peaks.ts'

const [widthPx, heightPx] = [19, 13]
const noise = Float32Array.from({ length: widthPx * heightPx }, (_, i) => ((i * 7919) % 101) / 101)

test('a box filter gives the mean of the values that exist, also in place', () => {
  const filtered = boxFilter(noise, widthPx, heightPx, 3)
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      let [sum, count] = [0, 0]
      for (let j = Math.max(0, y - 3); j <= Math.min(heightPx - 1, y + 3); j++) {
        for (let i = Math.max(0, x - 3); i <= Math.min(widthPx - 1, x + 3); i++, count++) {
          sum += noise[j * widthPx + i] ?? 0
        }
      }
      assert.ok(Math.abs((filtered[y * widthPx + x] ?? 0) - sum / count) < 1e-5, `at ${x}, ${y}`)
    }
  }
  const copy = noise.slice()
  assert.deepEqual(boxFilter(copy, widthPx, heightPx, 3, copy), filtered)
})

test('a box filter wider than the picture gives its mean', () => {
  const mean = noise.reduce((sum, value) => sum + value, 0) / noise.length
  for (const value of boxFilter(noise, widthPx, heightPx, 40)) assert.ok(Math.abs(value - mean) < 1e-5)
})

test('a Gaussian leaves an even plane even, also within a mask', () => {
  const even = new Float32Array(widthPx * heightPx).fill(0.25)
  for (const value of gaussianFilter(even, widthPx, heightPx, 4)) assert.ok(Math.abs(value - 0.25) < 1e-6)
  const mask = Float32Array.from({ length: even.length }, (_, i) => (i % widthPx < 8 ? 1 : 0))
  const outside = Float32Array.from(even, (value, i) => (mask[i] === 1 ? value : 9))
  const within = gaussianFilterWithin(mask, widthPx, heightPx, 2)(outside)
  for (let i = 0; i < even.length; i++) if (mask[i] === 1) assert.ok(Math.abs((within[i] ?? 0) - 0.25) < 1e-5)
})

test('a broad Gaussian of blocks gives nearly what one of pixels does, also of a single pixel', () => {
  const [width, height] = [203, 150]
  const wave = Float32Array.from({ length: width * height }, (_, i) => 2 + Math.sin((i % width) / 9) + (i % 7) / 9)
  const mask = Float32Array.from(wave, (_, i) => (i % width < 120 || i === 30 * width + 180 ? 1 : 0))
  for (const sigmaPx of [8, 24, 60]) {
    const wanted = gaussianFilterWithin(mask, width, height, sigmaPx)(wave)
    const broadRow = broadFilterWithin(mask, width, height, sigmaPx)(wave)
    const broad = new Float32Array(wave.length)
    for (let y = 0; y < height; y++) broadRow(y, broad.subarray(y * width, (y + 1) * width))
    for (let i = 0; i < mask.length; i++) {
      if (mask[i] === 0) continue
      const [is, was] = [broad[i] ?? NaN, wanted[i] ?? NaN]
      assert.ok(Math.abs(is - was) < 0.02 * was, `${sigmaPx} px: ${is} and ${was} at ${i % width}`)
    }
  }
})

test('a guided filter removes noise and leaves an edge of the guide', () => {
  const edge = Float32Array.from({ length: noise.length }, (_, i) => (i % widthPx < 9 ? 0.2 : 0.8))
  const noisy = Float32Array.from(edge, (value, i) => value + ((noise[i] ?? 0) - 0.5) * 0.04)
  const filtered = guidedFilter(edge, noisy, widthPx, heightPx, 4, 1e-3)
  const error = (plane: Float32Array): number => plane.reduce((sum, value, i) => sum + (value - (edge[i] ?? 0)) ** 2, 0)
  assert.ok(error(filtered) < error(noisy) / 4, `${error(filtered)} and ${error(noisy)}`)
})

test('peaks of a row are what is narrower than a share of it, between the ends of its weights', () => {
  const weights = Float32Array.from({ length: 40 }, (_, i) => (i < 5 ? 0 : 1))
  const row = Float32Array.from({ length: 40 }, (_, i) =>
    i < 5 ? 9 : i < 8 ? 3 : i >= 20 && i < 23 ? 2 : i < 31 ? 1 : 4,
  )
  const peaks = narrowPeaks(row, weights, 40, 1, 0.2)
  assert.deepEqual(
    [...peaks.subarray(5)],
    [...row.subarray(5)].map(value => (value === 3 ? 2 : value === 2 ? 1 : 0)),
  )
})
