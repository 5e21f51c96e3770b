import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bestFitFirst, likelyFirst } from './scene-facts.ts'

const template = (id: string, ...ratios: readonly number[]) => ({
  id,
  frames: ratios.map((aspect_ratio, index) => ({ index, aspect_ratio })),
})
const idsOf = (templates: readonly { readonly id: string }[]) => templates.map(({ id }) => id)

test('the best fit crops the least, in its worst frame', () => {
  const templates = [
    template('upright', 0.67),
    template('both', 1.5, 0.67),
    template('wide', 1.6),
    template('exact', 1.5),
  ]
  assert.deepEqual(idsOf(bestFitFirst(templates, { width: 3000, height: 2000 })), ['exact', 'wide', 'upright', 'both'])
})

test('the templates likely to be shown first are the start of the list and the best fits for common shapes', () => {
  const strips = Array.from({ length: 20 }, (_, index) => template(`strip-${index}`, 5))
  const fitting = [template('square', 1), template('upright', 2 / 3), template('wide', 1.5)]
  const ordered = idsOf(likelyFirst([...strips, ...fitting]))
  assert.deepEqual(ordered.slice(0, 4), ['strip-0', 'wide', 'upright', 'square'])
  assert.equal(new Set(ordered).size, 23)
})
