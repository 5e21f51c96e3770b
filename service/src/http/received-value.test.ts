import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeReceived, receivedDetail, receivedFile, shown, withoutKeys } from './received-value.ts'

test('a received value is shown as it is, or described if it is too large or not representable in JSON', () => {
  for (const [value, words, detail] of [
    [undefined, 'nothing', null],
    [null, 'nothing', null],
    ['webp', '"webp"', 'webp'],
    [0, '0', 0],
    [false, 'false', false],
    [Number.POSITIVE_INFINITY, 'Infinity', 'Infinity'],
    [[], 'an empty list', 'an empty list'],
    [[1], 'a list', 'a list'],
    [{}, 'an object', 'an object'],
    [receivedFile, 'a file', 'a file'],
  ] as const)
    assert.deepEqual([describeReceived(value), receivedDetail(value)], [words, detail])
})

test('a text is truncated to 100 characters, never inside one, and anything like a key is masked', () => {
  assert.equal(shown('x'.repeat(100)), 'x'.repeat(100))
  assert.equal(shown('x'.repeat(101)), `${'x'.repeat(100)}...`)
  assert.equal(shown(`${'x'.repeat(99)}\u{1F4A5}`), `${'x'.repeat(99)}\uFFFD...`)
  assert.equal(withoutKeys(`a vt_${'k'.repeat(36)} b`), 'a vt_... b')
})
