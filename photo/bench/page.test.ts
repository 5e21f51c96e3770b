import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildRow, writePage } from './page.ts'

const least = (value: number) => ({ kind: 'least', value }) as const

const mug = [
  buildRow('mug', '6 clicks: raw uv p95, mean of 10 seeds', 4.19, 'px', { kind: 'most', value: 5 }),
  buildRow('mug', '6 clicks: shape p95, worst of 100 seeds', 2.38, 'px'),
  buildRow('mug', 'mockup', 30.4, 'dB', least(29.5)),
  buildRow('mug', 'mockup', 2.5, 'dE'),
  buildRow('mug', 'brush: overlap of outlines, worst of 10 seeds', 0.9725, 'IoU', least(0.975)),
]
const shirt = [
  buildRow('shirt', 'colour named: mockup', 33.8, 'dB', least(33)),
  buildRow('shirt', 'colour not named: mockup', 32, 'dB'),
  buildRow('shirt', 'dyed navy', 35.9, 'dB', least(34)),
  buildRow('shirt', 'brushed, dyed navy', 32.6, 'dB', least(34)),
]
const scenes = ['mug', 'shirt']

test('the page has a line for each drawing of a scene, and its bars with what misses them', () => {
  const page = writePage('', [...mug, ...shirt], scenes, 2000, 100)
  assert.match(page, /\| `mug` \| 6 clicks \| {2}\| 4\.19 \(≤5\) \| {2}\| 2\.38 \|/)
  assert.match(page, /\| `mug` \| {2}\| 30\.4 \(≥29\.5\) \| 2\.50 \|/)
  assert.match(page, /\| `mug` \| \*\*0\.9725\*\* \(≥0\.975\) \|/)
  assert.match(page, /\| `shirt` \| colour named \| 33\.8 \(≥33\) \|.*\n\| `shirt` \| colour not named \| 32\.0 \|/)
  assert.match(page, /\| `shirt` \| {2}\| 35\.9 \(≥34\) \|.*\n\| `shirt` \| brushed \| \*\*32\.6\*\* \(≥34\) \|/)
  assert.match(page, /^2 of 6 bars do not hold/m)
})

test('the lines of some scenes are renewed, and all others stay', () => {
  const page = writePage('', [...mug, ...shirt], scenes, 2000, 100)
  assert.equal(writePage(page, shirt, scenes, 2000, 100), page)
  const better = mug.map(row => (row.unit === 'IoU' ? { ...row, value: 0.98, holds: true } : row))
  const renewed = writePage(page, better, scenes, 2000, 100)
  assert.equal(renewed, writePage('', [...better, ...shirt], scenes, 2000, 100))
  assert.match(renewed, /^1 of 6 bars do not hold/m)
})
