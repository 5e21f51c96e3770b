import assert from 'node:assert/strict'
import { test } from 'node:test'
import { otherPoints } from './other-points.ts'
import { GRID_STEPS } from './photo-messages.ts'
import { startFrame } from './start-frames.ts'

const { shape } = startFrame('body', { widthPx: 1000, heightPx: 1000 })

/** A mug whose artwork has this position around it; x is the angle. */
function labelOf(left: number, right: number) {
  assert.ok(shape.kind === 'body' && shape.print !== null)
  const columns = Array.from({ length: GRID_STEPS + 1 }, (_, i) => left + ((right - left) * i) / GRID_STEPS)
  const grid = [0, 1].map(v => columns.map(angle => [angle, v] as const))
  const other = otherPoints({ ...shape, print: { ...shape.print, left, right } }, { body: [], grid })
  return other && { ratio: other.aspectRatio ?? 0, at: other.shape.points.map(({ at }) => at[0]) }
}

test('points on a label are those of the artwork, as far as it faces the camera', () => {
  assert.deepEqual(labelOf(-60, 60)?.at, [-60, 60, 60, -60, 0, 0])
  const [front, wrapped] = [labelOf(-50, 20), labelOf(-260, 20)]
  assert.deepEqual(wrapped?.at, [-50, 20, 20, -50, -15, -15])
  assert.equal(wrapped.ratio, front?.ratio)
  assert.equal(labelOf(110, 130), null)
})
