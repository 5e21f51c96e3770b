import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FailedBytes } from './failed-bytes.ts'
import { FAILED_BYTES_MAX, FAILED_BYTES_SPAN_MS } from './limits.ts'

test('an account may download up to the bound for failed requests, and waits for the excess', () => {
  const failed = new FailedBytes()
  assert.equal(failed.waitMs('a', 0), 0)
  failed.note('a', FAILED_BYTES_MAX, 0)
  assert.equal(failed.waitMs('a', 0), 0)
  failed.note('a', 1, 0)
  assert(failed.waitMs('a', 0) > 0)
  assert.equal(failed.waitMs('b', 0), 0)
})

test('failed downloads are forgotten at a steady rate, the whole bound within its span', () => {
  const failed = new FailedBytes()
  failed.note('a', 3 * FAILED_BYTES_MAX, 1000)
  assert.equal(failed.waitMs('a', 1000), 2 * FAILED_BYTES_SPAN_MS)
  assert.equal(failed.waitMs('a', 1000 + FAILED_BYTES_SPAN_MS), FAILED_BYTES_SPAN_MS)
  assert.equal(failed.waitMs('a', 1000 + 2 * FAILED_BYTES_SPAN_MS), 0)
  // Half of the bound was left, and another half is forgotten.
  const laterMs = 1000 + 2.5 * FAILED_BYTES_SPAN_MS
  failed.note('a', FAILED_BYTES_MAX / 2, laterMs)
  assert.equal(failed.waitMs('a', laterMs), 0)
  failed.note('a', FAILED_BYTES_MAX, laterMs)
  assert.equal(failed.waitMs('a', laterMs), FAILED_BYTES_SPAN_MS)
})
