import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Draft, newDraft, withDrawing } from './draft.ts'
import { shapesOf, withoutPoint, withPointAfter, withPointAt } from './shapes.ts'

const photo = new File([], 'photo.jpg')
const triangle = [
  [10, 10],
  [50, 10],
  [50, 50],
] as const

/** A draft with a triangle in front of its frame. */
function drawn(): { draft: Draft; partId: string } {
  const empty = newDraft(photo, 100, 80)
  const partId = empty.frames[0]?.id ?? ''
  return { draft: withDrawing(empty, { frameId: partId, points: triangle }), partId }
}
const shapeIn = ({ frames }: Draft) => frames.flatMap(({ mask }) => shapesOf(mask))[0]

test('a point of a shape is moved, and stays on the photo', () => {
  const { draft, partId } = drawn()
  const moved = withPointAt(draft, { partId, shape: 0, point: 1 }, [130, -5])
  assert.deepEqual(shapeIn(moved), [
    [10, 10],
    [100, 0],
    [50, 50],
  ])
  assert.deepEqual(shapeIn(draft), triangle, 'what is undone to is as it was')
})

test('a point is added halfway to the next one, after the last one to the first', () => {
  const { draft, partId } = drawn()
  assert.deepEqual(shapeIn(withPointAfter(draft, { partId, shape: 0, point: 2 })), [...triangle, [30, 30]])
})

test('a point is removed, and with the third last one the shape and its mask', () => {
  const { draft, partId } = drawn()
  const four = withPointAfter(draft, { partId, shape: 0, point: 0 })
  const three = withoutPoint(four, { partId, shape: 0, point: 1 })
  assert.deepEqual(shapeIn(three), triangle)
  assert.deepEqual(withoutPoint(three, { partId, shape: 0, point: 1 }).frames[0]?.mask, { kind: 'none' })
})

test('what has no such shape stays as it is', () => {
  const { draft } = drawn()
  assert.deepEqual(withPointAt(draft, { partId: 'another', shape: 0, point: 0 }, [1, 1]), draft)
})
