import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Outlined, placeLabels } from './label-places.ts'

const square = (name: string, left: number, top: number, side: number): Outlined => ({
  name,
  outline: [
    [left, top],
    [left + side, top],
    [left + side, top + side],
    [left, top + side],
  ],
})

test('a label stands in the middle of its smart object', () => {
  const [label] = placeLabels([square('A', 0.125, 0.25, 0.5)])
  assert.deepEqual(label?.at, [0.375, 0.5])
})

test('labels of smart objects that lie in one another do not cover each other', () => {
  const nested = [0, 0.05, 0.1, 0.15].map(inset => square(`Card ${inset}`, inset, inset, 1 - 2 * inset))
  const heights = placeLabels(nested)
    .map(({ at }) => at[1])
    .toSorted((a, b) => a - b)
  assert.equal(heights.length, nested.length)
  for (const [index, height] of heights.slice(1).entries())
    assert.ok(height - (heights[index] ?? 0) >= 0.0999, heights.join(', '))
})

test('instances on one another have one label, and instances apart one each', () => {
  const names = (objects: readonly Outlined[]) => placeLabels(objects).map(({ name }) => name)
  assert.deepEqual(names([square('A', 0.1, 0.1, 0.5), square('A', 0.1, 0.12, 0.5)]), ['A'])
  assert.deepEqual(names([square('A', 0, 0, 0.3), square('A', 0.6, 0.6, 0.3)]), ['A', 'A'])
})

test('a picture that is full of labels still has all of them', () => {
  assert.equal(placeLabels(Array.from({ length: 40 }, (_, i) => square(`${i}`, 0.4, 0.4, 0.2))).length, 40)
})
