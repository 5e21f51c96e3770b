import assert from 'node:assert/strict'
import { test } from 'node:test'
import { centredCover } from '@vitrine/engine'
import { angleBetween, keyChange, moved, ratioBetween, scaled, turned } from './gestures.ts'

test('artwork follows the pointer and snaps to the middle of its frame', () => {
  const beside = { ...centredCover, x: 0.3, y: 0.3 }
  assert.deepEqual(moved(beside, [0.1, 0.05], [0.02, 0.02]), { x: 0.4, y: 0.35 })
  assert.deepEqual(moved(beside, [0.19, 0.25], [0.02, 0.02]), { x: 0.5, y: 0.55 })
  assert.deepEqual(moved(beside, [0.19, 0.25], [0, 0]), { x: 0.49, y: 0.55 })
})

test('artwork turns up to 180 degrees either way and snaps to right angles', () => {
  const at = (rotation: number) => ({ ...centredCover, rotation })
  assert.deepEqual(turned(at(0), 30), { rotation: 30 })
  assert.deepEqual(turned(at(170), 30), { rotation: -160 })
  assert.deepEqual(turned(at(60), 27), { rotation: 90 })
  assert.deepEqual(turned(at(60), 27, true), { rotation: 87 })
  assert.deepEqual(turned(at(0), -3), { rotation: 0 })
})

test('angles and distances are measured in the frame, whatever its aspect ratio', () => {
  // A frame twice as wide as high: half its width equals its height.
  assert.equal(angleBetween([0.5, 0.5], [1, 0.5], [0.5, 1], 2), 90)
  assert.equal(ratioBetween([0.5, 0.5], [0.75, 0.5], [0.5, 1], 2), 1)
  assert.deepEqual(scaled(centredCover, ratioBetween([0, 0], [0.1, 0.1], [0.3, 0.3], 1.4)), { scale: 3 })
})

test('every gesture has a key', () => {
  const press = (key: string, held: { shiftKey?: boolean; altKey?: boolean } = {}) =>
    keyChange(centredCover, { key, shiftKey: false, altKey: false, ...held })
  assert.deepEqual(press('ArrowRight'), { x: 0.51, y: 0.5 })
  assert.deepEqual(press('ArrowUp', { shiftKey: true }), { x: 0.5, y: 0.4 })
  assert.deepEqual(press('ArrowDown', { altKey: true }), { x: 0.5, y: 0.501 })
  assert.deepEqual(press('+'), { scale: 1.05 })
  assert.deepEqual(press('-'), { scale: 0.952 })
  assert.deepEqual(press(']'), { rotation: 1 })
  assert.deepEqual(press('{', { shiftKey: true }), { rotation: -10 })
  assert.equal(press('a'), null)
})
