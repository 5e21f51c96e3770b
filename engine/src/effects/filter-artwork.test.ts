import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterArtwork } from './filter-artwork.ts'

// A part of photoshop-smart-filter-unsharp-motion.psd of Patchy (MIT), red: 32 x 32 opaque pixels before
// smart filters, as counts of equal rows, and what Photoshop made of rows 10 to 21, columns 10 to 21.
const levels = [24, 175, 247]
const before: readonly (readonly [count: number, row: string])[] = [
  [9, '00000000000000111111111111111111'],
  [15, '00000000000000111111112222222222'],
  [8, '00000000000000111111111111111111'],
]
const sharpened = [
  [15, 0, 0, 0, 255, 236, 205, 182, 175, 170, 157, 143],
  [15, 0, 0, 0, 255, 236, 205, 182, 175, 168, 154, 136],
  [15, 0, 0, 0, 255, 236, 205, 182, 175, 166, 150, 133],
  [15, 0, 0, 0, 255, 236, 205, 182, 175, 166, 150, 131],
  [15, 0, 0, 0, 255, 236, 205, 182, 175, 164, 149, 129],
  [15, 0, 0, 0, 255, 236, 205, 182, 175, 164, 149, 129],
  [15, 0, 0, 0, 255, 236, 205, 182, 175, 164, 149, 129],
  [15, 0, 0, 0, 255, 236, 205, 182, 175, 164, 149, 129],
  [15, 0, 0, 0, 255, 236, 205, 182, 175, 164, 149, 129],
  [15, 0, 0, 0, 255, 236, 205, 182, 175, 166, 150, 131],
  [15, 0, 0, 0, 255, 236, 205, 182, 175, 166, 150, 133],
  [15, 0, 0, 0, 255, 236, 205, 182, 175, 168, 154, 136],
]
const moved = [
  [51, 65, 79, 93, 106, 120, 134, 147, 160, 175, 178, 185],
  [51, 65, 79, 93, 106, 120, 134, 146, 162, 182, 188, 195],
  [51, 65, 79, 93, 106, 120, 134, 152, 171, 192, 199, 205],
  [51, 65, 79, 93, 106, 120, 134, 154, 175, 195, 201, 209],
  [51, 65, 79, 93, 106, 120, 134, 154, 174, 195, 201, 208],
  [51, 65, 79, 93, 106, 120, 134, 154, 174, 195, 201, 208],
  [51, 65, 79, 93, 106, 120, 134, 154, 174, 195, 201, 208],
  [51, 65, 79, 93, 106, 120, 134, 154, 174, 195, 201, 208],
  [51, 65, 79, 93, 106, 120, 134, 154, 174, 195, 201, 208],
  [51, 65, 79, 93, 106, 120, 134, 154, 174, 195, 201, 208],
  [51, 65, 79, 93, 106, 120, 134, 154, 174, 195, 201, 208],
  [51, 65, 79, 93, 106, 120, 134, 154, 174, 195, 201, 208],
]

const reach = { left: 0, top: 0, widthPx: 32, heightPx: 32 }
const data = new Uint8Array(
  before.flatMap(([count, row]) =>
    Array.from({ length: count }, () => row.split('').flatMap(digit => [levels[Number(digit)] ?? 0, 0, 0, 255])).flat(),
  ),
)

function meanDifference(filters: Partial<Parameters<typeof filterArtwork>[2]>, wanted: readonly number[][]): number {
  const artwork = { region: reach, data, coverage: new Uint8Array(32 * 32).fill(255), light: null }
  const filtered = filterArtwork(artwork, reach, { blurPx: 0, motion: null, sharpen: null, mask: null, ...filters })
  const differences = wanted.flatMap((row, y) =>
    row.map((value, x) => Math.abs(value - (filtered.data[4 * (32 * (y + 10) + x + 10)] ?? 0))),
  )
  return differences.reduce((a, b) => a + b, 0) / differences.length
}

test('an Unsharp Mask of 175 %, 2.5 px and 7 levels is near what Photoshop draws', () => {
  const sharpen = { amount: 1.75, radiusPx: 2.34, threshold: 7 }
  const [mean, untouched] = [meanDifference({ sharpen }, sharpened), meanDifference({}, sharpened)]
  assert.ok(mean < 0.5 && untouched > 20, `${mean}, ${untouched} without it`)
})

test('a Motion Blur of 12 px at 37 degrees is near what Photoshop draws', () => {
  const motion = { lengthPx: 13, angle: 37 }
  const [mean, untouched] = [meanDifference({ motion }, moved), meanDifference({}, moved)]
  assert.ok(mean < 1.6 && untouched > 20, `${mean}, ${untouched} without it`)
})
