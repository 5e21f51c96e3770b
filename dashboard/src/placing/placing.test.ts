import assert from 'node:assert/strict'
import { test } from 'node:test'
import { centredCover } from '@vitrine/engine'
import { fieldValue } from '@vitrine/live'
import { placement as placementSchema } from '../../../contract/src/placement.ts'
import { placementOf, placementParameters, placingOf, withPlacement, withSharing } from '../visit/placing.ts'

test('a request contains only what differs from the default placement', () => {
  const untouched = placingOf(2)
  assert.deepEqual(placementParameters(untouched), {})
  const moved = withPlacement(untouched, 0, { x: 0.25, rotation: -8, background: '#1f2a44' })
  assert.deepEqual(placementParameters(moved), { placement: { rotation: -8, x: 0.25, background: '#1f2a44' } })
  assert.deepEqual(placementParameters(withPlacement(moved, 0, centredCover)), {})
})

test('the focus is sent only for cropped artwork', () => {
  const focused = withPlacement(placingOf(1), 0, { focus: [0.5, 0.2] })
  assert.deepEqual(placementParameters(focused), { placement: { focus: [0.5, 0.2] } })
  assert.deepEqual(placementParameters(withPlacement(focused, 0, { fit: 'contain' })), {
    placement: { fit: 'contain' },
  })
})

test('frames that are set separately are sent by index, without default placements', () => {
  const apart = withSharing(placingOf(3), false, 0)
  const second = withPlacement(apart, 1, { repeat: 'tile', scale: 0.2 })
  assert.deepEqual(placementParameters(second), { placements: { 1: { scale: 0.2, repeat: 'tile' } } })
  assert.equal(placementOf(second, 0), apart.frames[0])
})

test('frames that are set together again take the placement of the selected one', () => {
  const apart = withPlacement(withSharing(placingOf(3), false, 0), 2, { scale: 2 })
  const together = withSharing(apart, true, 2)
  assert.deepEqual(
    together.frames.map(({ scale }) => scale),
    [2, 2, 2],
  )
  assert.deepEqual(placementParameters(together), { placement: { scale: 2 } })
})

test('values stay within the ranges of the API', () => {
  assert.equal(fieldValue('scale', 0.001), 0.05)
  assert.equal(fieldValue('scale', 100), 20)
  assert.equal(fieldValue('x', 7), 3)
  assert.equal(fieldValue('y', 0.123_456), 0.1235)
  const extreme = { scale: fieldValue('scale', 1e9), x: fieldValue('x', -1e9), rotation: fieldValue('rotation', 1e9) }
  const { placement } = placementParameters(withPlacement(placingOf(1), 0, extreme))
  assert.ok(placementSchema.safeParse(placement).success)
})
