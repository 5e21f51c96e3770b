import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { codeLengths } from './code-lengths.ts'

const total = (frequencies: readonly number[], lengths: Uint8Array): number =>
  frequencies.reduce((sum, frequency, symbol) => sum + frequency * (lengths[symbol] ?? 0), 0)

/** Huffman coding without a length limit: its cost is a lower bound. */
function unlimitedCost(frequencies: readonly number[]): number {
  const queue = frequencies.filter(frequency => frequency > 0)
  let cost = 0
  while (queue.length > 1) {
    queue.sort((a, b) => b - a)
    const merged = (queue.pop() ?? 0) + (queue.pop() ?? 0)
    cost += merged
    queue.push(merged)
  }
  return cost
}

test('code lengths fill the code space, respect the limit, and cost the same as Huffman if the limit is not reached', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(1_000_000), { minLength: 2, maxLength: 60 }),
      fc.integer({ min: 6, max: 16 }),
      (frequencies, limit) => {
        const lengths = codeLengths(frequencies, limit)
        const used = frequencies.filter(frequency => frequency > 0).length
        lengths.forEach((length, symbol) => {
          assert.equal(length > 0, (frequencies[symbol] ?? 0) > 0)
          assert.ok(length <= limit)
        })
        if (used < 2) return
        assert.equal(
          lengths.reduce((sum, length) => sum + (length > 0 ? 2 ** -length : 0), 0),
          1,
        )
        const unlimited = codeLengths(frequencies, 50)
        assert.equal(total(frequencies, unlimited), unlimitedCost(frequencies))
        assert.ok(total(frequencies, lengths) >= unlimitedCost(frequencies))
        if (Math.max(...unlimited) <= limit) assert.equal(total(frequencies, lengths), unlimitedCost(frequencies))
      },
    ),
  )
})

test('a single symbol gets one bit, and no symbols get no bits', () => {
  assert.deepEqual([...codeLengths([0, 5, 0], 15)], [0, 1, 0])
  assert.deepEqual([...codeLengths([0, 0], 15)], [0, 0])
  assert.deepEqual([...codeLengths([], 15)], [])
})

test('invalid frequencies and too many symbols are refused', () => {
  assert.throws(() => codeLengths([1, Number.NaN], 15), RangeError)
  assert.throws(() => codeLengths([1, -1], 15), RangeError)
  assert.throws(() => codeLengths([1, 1, 1, 1, 1], 2), RangeError)
  assert.deepEqual([...codeLengths([1, 1, 1, 1], 2)], [2, 2, 2, 2])
})
