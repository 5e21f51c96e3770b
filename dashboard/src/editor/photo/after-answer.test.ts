import assert from 'node:assert/strict'
import test from 'node:test'
import { afterAnswer } from './after-answer.ts'

test('an exact picture stays when a nearly exact one of an older drawing comes after it', () => {
  const nothing = { picture: null, frames: [], isExact: false, refusal: null, productColor: null }
  const moving = afterAnswer(nothing, new Error('while it moves'), false)
  assert.deepEqual([moving.isExact, moving.refusal], [false, 'while it moves'])
  const exact = afterAnswer(moving, new Error('at rest'), true)
  assert.deepEqual([exact.isExact, exact.refusal], [true, 'at rest'])
  assert.equal(afterAnswer(exact, new Error('older'), false), exact)
})
