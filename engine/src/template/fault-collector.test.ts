import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeValue } from './fault-collector.ts'

test('a received value is described as it was sent, numbers beyond the range of JSON included', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['1e999', 'Infinity'],
    ['[[-1e999, 2], {"x": 1e999}]', '[[-Infinity,2],{"x":Infinity}]'],
    ['["Infinity", null]', '["Infinity",null]'],
    [`"${'a'.repeat(90)}"`, `"${'a'.repeat(76)}...`],
  ]
  for (const [sent, described] of cases) assert.equal(describeValue(JSON.parse(sent)), described)
  assert.equal(describeValue(undefined), 'nothing')
})
