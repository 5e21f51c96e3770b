import assert from 'node:assert/strict'
import { test } from 'node:test'
import { releaseBytes } from './release-bytes.ts'

test('bytes with an unshared buffer are freed at once', () => {
  const sizeBytes = 64 * 1024 * 1024
  const before = process.memoryUsage().arrayBuffers
  const bytes = Buffer.alloc(sizeBytes)
  assert(process.memoryUsage().arrayBuffers >= before + sizeBytes)
  releaseBytes(bytes)
  assert.equal(bytes.length, 0)
  assert(process.memoryUsage().arrayBuffers < before + sizeBytes / 2)
  releaseBytes(bytes)
})

test('bytes with a shared buffer are not freed', () => {
  const whole = Buffer.from('x'.repeat(100_000))
  for (const part of [whole.subarray(0, 99_999), whole.subarray(1), Buffer.from('short')]) {
    const content = part.toString()
    releaseBytes(part)
    assert.equal(part.toString(), content)
  }
  const shared = new Uint8Array(new SharedArrayBuffer(8))
  releaseBytes(shared)
  assert.equal(shared.length, 8)
})
