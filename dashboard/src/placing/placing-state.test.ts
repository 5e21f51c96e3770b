import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginFrames, changePlacing, type PlacingAction, type PlacingState } from './placing-state.ts'

const after = (actions: readonly PlacingAction[], state: PlacingState = beginFrames(2)): PlacingState =>
  actions.reduce(changePlacing, state)
const scaleTo = (scale: number): PlacingAction => ({ kind: 'place', frame: 0, change: { scale } })
const scales = ({ history }: PlacingState) => history.present.frames.map(({ scale }) => scale)

test('a movement is undone in one step, back to the last rest', () => {
  const moved = after([scaleTo(2), scaleTo(3), { kind: 'rest' }, scaleTo(4), scaleTo(5), { kind: 'rest' }])
  assert.deepEqual(scales(moved), [5, 5])
  const back = after([{ kind: 'undo' }], moved)
  assert.deepEqual(scales(back), [3, 3])
  assert.deepEqual(scales(after([{ kind: 'undo' }, { kind: 'undo' }], back)), [1, 1])
  assert.deepEqual(scales(after([{ kind: 'redo' }], back)), [5, 5])
})

test('the exact preview shows the last rest until the pointer rests again', () => {
  const moving = after([scaleTo(2)])
  assert.ok(moving.isMoving)
  assert.deepEqual(moving.rested, beginFrames(2).rested)
  const rested = after([{ kind: 'rest' }], moving)
  assert.equal(rested.rested, rested.history.present)
  assert.ok(!rested.isMoving)
})

test('a reset is one undo step, for all frames that are set together', () => {
  const reset = after([scaleTo(2), { kind: 'rest' }, { kind: 'reset', frame: 0 }])
  assert.deepEqual(scales(reset), [1, 1])
  assert.deepEqual(scales(after([{ kind: 'undo' }], reset)), [2, 2])
  const apart = after([{ kind: 'share', isShared: false, frame: 0 }, scaleTo(2), { kind: 'rest' }])
  assert.deepEqual(scales(apart), [2, 1])
  assert.deepEqual(scales(after([{ kind: 'share', isShared: true, frame: 0 }], apart)), [2, 2])
})

test('a restore is not an undo step', () => {
  const { history } = after([scaleTo(2), { kind: 'rest' }])
  const restored = after([{ kind: 'restore', placing: history.present }])
  assert.deepEqual(scales(restored), [2, 2])
  assert.deepEqual(scales(after([{ kind: 'undo' }], restored)), [2, 2])
})

test('a restore of the placement that is there changes nothing, so that nothing is rendered again', () => {
  const state = after([{ kind: 'select', frame: 1 }])
  const { rested } = beginFrames(2)
  assert.notEqual(state.rested, rested)
  assert.equal(after([{ kind: 'restore', placing: rested }], state), state)
  const apart = { ...rested, isShared: false }
  assert.equal(after([{ kind: 'restore', placing: apart }], state).rested, apart)
})
