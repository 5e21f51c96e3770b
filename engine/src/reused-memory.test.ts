import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { ReusedMemory } from './reused-memory.ts'

const MIB = 1024 * 1024

test('returned memory is reused for a picture of similar size, and earlier views cannot see it', () => {
  const memory = new ReusedMemory({ maxBytes: 64 * MIB, maxCount: 4 })
  const first = memory.take(3 * MIB)
  const other = new Uint8Array(first.buffer, 5, 7)
  first.fill(77)
  memory.giveBack(first)
  assert.deepEqual([first.length, other.length, first.buffer.byteLength], [0, 0, 0])
  const second = memory.take(3 * MIB - 1000)
  assert.equal(second.length, 3 * MIB - 1000)
  // the same memory: the decoder writes every byte of it
  assert.equal(second[12345], 77)
  assert.equal(memory.idleBytes, 0)
  second.fill(1)
  assert.deepEqual([first.length, other.length], [0, 0])
})

test('no memory is handed out twice, whatever is taken and returned', () => {
  const step = fc.record({ sizeBytes: fc.integer({ min: 0, max: 3 * MIB }), which: fc.nat(5), gives: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), steps => {
      const bounds = { maxBytes: 6 * MIB, maxCount: 3 }
      const memory = new ReusedMemory(bounds)
      const held: Uint8Array[] = []
      for (const { sizeBytes, which, gives } of steps) {
        const [given] = gives ? held.splice(which, 1) : []
        if (given) {
          memory.giveBack(given)
          // returning it again has no effect
          memory.giveBack(given)
        }
        const taken = memory.take(sizeBytes)
        assert.equal(taken.length, sizeBytes)
        assert.ok(held.every(({ buffer }) => buffer !== taken.buffer))
        assert.ok(held.every(({ length, buffer }) => length === 0 || buffer.byteLength > 0))
        assert.ok(taken.buffer.byteLength <= Math.max(sizeBytes / 0.6, sizeBytes))
        held.push(taken)
        assert.ok(memory.idleBytes <= bounds.maxBytes)
      }
    }),
  )
})

test('a small picture does not occupy a large picture’s memory, and foreign memory is ignored', () => {
  const memory = new ReusedMemory({ maxBytes: 64 * MIB, maxCount: 4 })
  memory.giveBack(memory.take(16 * MIB))
  assert.equal(memory.idleBytes, 16 * MIB)
  memory.take(4 * MIB)
  assert.equal(memory.idleBytes, 16 * MIB)
  const foreign = new Uint8Array(MIB)
  memory.giveBack(foreign)
  assert.equal(foreign.length, MIB)
  assert.equal(memory.idleBytes, 16 * MIB)
})

test('idle memory stays within the limits, and the longest idle is freed first', () => {
  const memory = new ReusedMemory({ maxBytes: 8 * MIB, maxCount: 2 })
  const [one, two, three] = [memory.take(MIB), memory.take(2 * MIB), memory.take(4 * MIB)]
  for (const taken of [one, two, three]) memory.giveBack(taken)
  assert.equal(memory.idleBytes, 6 * MIB)
  memory.giveBack(memory.take(16 * MIB))
  assert.equal(memory.idleBytes, 0)
})
