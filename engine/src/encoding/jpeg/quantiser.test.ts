import assert from 'node:assert/strict'
import { test } from 'node:test'
import { divideByStep, MAX_TRANSFORMED, quantisationTables, stepDivisor } from './quantiser.ts'

test('division by two rounded products is exact for every step and every possible value', () => {
  for (let step = 1; step <= 255; step++) {
    const divisor = stepDivisor(step)
    assert.ok(divisor.reciprocal > 0 && divisor.reciprocal < 0x8000 && divisor.scale < 0x8000)
    for (let value = 0; value <= MAX_TRANSFORMED; value++) {
      const expected = Math.floor((value + 4 * step) / (8 * step))
      if (divideByStep(value, divisor) !== expected) assert.fail(`${value} / (8 * ${step})`)
      if (value > 0 && divideByStep(-value, divisor) !== -expected) assert.fail(`-${value} / (8 * ${step})`)
    }
  }
})

test('steps outside 1..255 and qualities outside 1..100 are refused', () => {
  for (const quality of [0, 101, 85.5, Number.NaN]) assert.throws(() => quantisationTables(quality), RangeError)
})

test('quality 50 is the standard table, 100 divides by one, and 1 stays within a byte', () => {
  assert.equal(quantisationTables(50).luma[0], 16)
  assert.equal(quantisationTables(50).chroma[63], 99)
  assert.ok(quantisationTables(100).luma.every(step => step === 1))
  assert.ok(quantisationTables(1).luma.every(step => step === 255))
})
