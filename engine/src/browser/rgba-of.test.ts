import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rgbaOf } from './rgba-of.ts'

test('opaque pixels get alpha 255, whatever their number and offset', () => {
  const bytes = Uint8Array.from({ length: 80 }, (_, index) => (index * 37 + 200) % 256)
  for (const begin of [0, 1, 4])
    for (let pixels = 0; pixels <= 17; pixels++) {
      const data = bytes.subarray(begin, begin + pixels * 3)
      const expected = Array.from({ length: pixels }, (_, pixel) => [...data.subarray(pixel * 3, pixel * 3 + 3), 255])
      assert.deepEqual([...rgbaOf(data)], expected.flat(), `${pixels} pixels from ${begin}`)
      assert.deepEqual([...rgbaOf(data, new ArrayBuffer(40))], expected.flat(), `${pixels} pixels, memory for 10`)
    }
})
