import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchColors } from './match-colors.ts'

const shirt = { colors: [{ name: 'shirt' }, { name: 'collar' }] }
const mug = { colors: [{ name: 'mug' }] }
const poster = { colors: [] }

test('a colour needs one template that has its area', () => {
  matchColors([], [poster])
  matchColors([['shirt', '#1f2a44']], [poster, shirt])
  matchColors(
    [
      ['mug', '#1f2a44'],
      ['collar', '#ffffff'],
    ],
    [shirt, mug],
  )
})

test('unknown areas are named beside those that there are', () => {
  assert.throws(
    () =>
      matchColors(
        [
          ['shrit', '#1f2a44'],
          ['mug', '#1f2a44'],
        ],
        [shirt, mug, shirt],
      ),
    { failure: { kind: 'unknown-colors', unknown: ['shrit'], known: ['shirt', 'collar', 'mug'] } },
  )
})
