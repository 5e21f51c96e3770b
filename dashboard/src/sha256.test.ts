import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { sha256 } from './sha256.ts'

test('on plain HTTP, where browsers have no SubtleCrypto, digests are the same', async t => {
  const bytes = new Uint8Array(100_003).map((_, index) => (index * 7) % 251)
  const expected = createHash('sha256').update(bytes).digest('hex')
  for (const isSecureContext of [true, false]) {
    Object.defineProperty(globalThis, 'isSecureContext', { value: isSecureContext, configurable: true })
    t.after(() => Reflect.deleteProperty(globalThis, 'isSecureContext'))
    assert.equal(await sha256(bytes), expected)
    assert.equal(await sha256(bytes.buffer), expected)
    assert.equal(await sha256(bytes.subarray(3)), createHash('sha256').update(bytes.subarray(3)).digest('hex'))
  }
})
