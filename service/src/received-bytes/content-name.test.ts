import assert from 'node:assert/strict'
import { test } from 'node:test'
import { array, assert as assertProperty, integer, property, uint8Array } from 'fast-check'
import { ContentName } from './content-name.ts'

function nameOf(pieces: readonly Uint8Array[]): string {
  const name = new ContentName()
  for (const piece of pieces) name.update(piece)
  return name.end()
}

test('the same content has the same name, however it is split', () => {
  assertProperty(
    property(uint8Array({ maxLength: 200 }), array(integer({ min: 0, max: 200 }), { maxLength: 5 }), (bytes, cuts) => {
      const edges = [0, ...cuts.map(cut => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length]
      const pieces = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
      assert.equal(nameOf(pieces), nameOf([bytes]))
      assert.match(nameOf([bytes]), /^[0-9a-f]{64}$/)
    }),
  )
})

test('different contents have different names: another length, order, or any bit changed', () => {
  const bytes = Buffer.from(Uint8Array.from({ length: 300 }, (_, index) => index * 7))
  const names = new Set([
    nameOf([bytes]),
    nameOf([]),
    nameOf([bytes.subarray(1)]),
    nameOf([bytes.subarray(0, 299)]),
    nameOf([bytes, Buffer.alloc(1)]),
    nameOf([bytes.toReversed()]),
  ])
  for (let bit = 0; bit < 8 * bytes.length; bit++) {
    const changed = Buffer.from(bytes)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    names.add(nameOf([changed]))
  }
  assert.equal(names.size, 6 + 8 * bytes.length)
})
