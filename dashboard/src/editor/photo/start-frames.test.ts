import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Point } from '../draft.ts'
import { atProposed, frameToPropose, startFrame } from './start-frames.ts'

const size = { widthPx: 400, heightPx: 300 }
const corners: readonly Point[] = [
  [100, 60],
  [300, 64],
  [290, 240],
  [104, 236],
]

test('a print that is proposed on a cushion ends at its outline, one on a shirt is a rectangle', () => {
  const cushion = atProposed(startFrame('cushion', size), corners)
  assert.ok(cushion.shape.kind === 'cloth' && cushion.shape.inset === 0)
  const shirt = atProposed(startFrame('shirt', size), corners)
  assert.ok(shirt.shape.kind === 'cloth' && shirt.shape.inset === null)
  const own = { ...cushion, shape: { ...cushion.shape, inset: 7 } }
  const again = atProposed(own, corners)
  assert.ok(again.shape.kind === 'cloth' && again.shape.inset === 7)
})

test('what was brushed over places a frame that has not been moved, of every kind but a flat one', () => {
  const proposed = (['flat', 'body', 'shirt', 'cushion', 'warp'] as const).filter(kind => {
    return frameToPropose({ ...size, frames: [startFrame(kind, size)] }) !== undefined
  })
  assert.deepEqual(proposed, ['body', 'shirt', 'cushion', 'warp'])
  const moved = atProposed(startFrame('warp', size), corners)
  assert.equal(frameToPropose({ ...size, frames: [moved] }), undefined)
})
