import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BudgetExhaustedError } from '../account-budget/budget-exhausted-error.ts'
import { ApiError } from '../http/api-error.ts'
import { GenerationError } from '../mockups/generation-error.ts'
import { ExpectedError } from './expected-error.ts'

test('an expected failure is an Error with message and cause', () => {
  const cause = new TypeError('why')
  for (const error of [
    new ApiError('SERVER_BUSY', { message: 'Too much.', cause }),
    new GenerationError({ kind: 'render-failed' }, 'Too much.'),
    new BudgetExhaustedError('arriving', 1),
  ]) {
    assert.ok(error instanceof Error)
    assert.ok(error instanceof ExpectedError)
    assert.equal(Error.prototype.toString.call(error), `${error.name}: ${error.message}`)
    assert.notEqual(error.message, '')
  }
  assert.equal(new ApiError('SERVER_BUSY', { message: 'Too much.', cause }).cause, cause)
})

test('no stack is captured for an expected failure', () => {
  assert.ok(Object.hasOwn(new Error('a defect'), 'stack'))
  assert.ok(!Object.hasOwn(new ApiError('SERVER_BUSY'), 'stack'))
  assert.ok(!Object.hasOwn(new GenerationError({ kind: 'busy', retryAfterS: 1 }), 'stack'))
  assert.ok(!Object.hasOwn(new BudgetExhaustedError('arriving', 1), 'stack'))
})
