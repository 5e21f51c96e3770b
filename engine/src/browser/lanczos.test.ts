import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { resizeSamples } from './lanczos.ts'

const sizes = fc.record({
  widthPx: fc.integer({ min: 1, max: 70 }),
  heightPx: fc.integer({ min: 1, max: 70 }),
  share: fc.double({ min: 0.05, max: 1, noNaN: true }),
  seed: fc.integer(),
})

/** Random bytes, the same for the same seed. */
function noise(length: number, seed: number): Uint8Array {
  const data = new Uint8Array(length)
  for (let i = 0, state = seed >>> 0; i < length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    data[i] = state >>> 24
  }
  return data
}

test('channels are resized independently of each other', () => {
  fc.assert(
    fc.property(sizes, fc.constantFrom(2, 3, 4), ({ widthPx, heightPx, share, seed }, channels) => {
      const data = noise(widthPx * heightPx * channels, seed)
      const [width, height] = [Math.ceil(widthPx * share), Math.ceil(heightPx * share)]
      const together = resizeSamples({ data, widthPx, heightPx, channels }, width, height, null)
      for (let c = 0; c < channels; c++) {
        const one = data.filter((_, i) => i % channels === c)
        const alone = resizeSamples({ data: one, widthPx, heightPx, channels: 1 }, width, height, null)
        assert.deepEqual(
          together.filter((_, i) => i % channels === c),
          alone,
        )
      }
    }),
    { numRuns: 60 },
  )
})

test('resizing a uniform picture preserves its colour and alpha', () => {
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 255 }), ({ widthPx, heightPx, share }, alpha) => {
      const color = [200, 31, 7, alpha]
      const data = new Uint8Array(widthPx * heightPx * 4).map((_, i) => color[i % 4] ?? 0)
      const [width, height] = [Math.ceil(widthPx * share), Math.ceil(heightPx * share)]
      const resized = resizeSamples({ data, widthPx, heightPx, channels: 4 }, width, height, 3)
      for (const [i, value] of resized.entries())
        assert.ok(Math.abs(value - (color[i % 4] ?? 0)) <= 1, `${i}: ${value}`)
    }),
    { numRuns: 60 },
  )
})
