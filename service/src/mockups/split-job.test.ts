import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import type { RenderJob } from './render-job.ts'
import { splitJob } from './split-job.ts'

function batch(...keys: readonly string[]): RenderJob {
  return {
    mockups: keys.map((key, index) => ({ bundle: { key, folder: '/' }, toFile: `mockup-${index}` })),
    accountId: 'acc_a',
    artworks: [],
    placements: { all: undefined, byFrame: [] },
    colors: [],
    output: { format: 'png', quality: 85, widthPx: 100 },
  }
}

describe('A job in parts', () => {
  it('has every mockup once, in parts that differ by at most one', () => {
    const keys = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 16 }), (keys, partCount) => {
        const job = batch(...keys)
        const parts = splitJob(job, partCount)
        assert.equal(parts.length, Math.min(partCount, keys.length))
        assert.deepEqual(
          parts.flatMap(part => part.indexes).toSorted((a, b) => a - b),
          keys.map((_, index) => index),
        )
        for (const { job: part, indexes } of parts) {
          assert.deepEqual(
            part.mockups,
            indexes.map(index => job.mockups[index]),
          )
        }
        const sizes = parts.map(part => part.indexes.length)
        assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1)
      }),
    )
  })

  it('keeps mockups of one template together, in the order of the templates', () => {
    const parts = splitJob(batch('b', 'a', 'b', 'a'), 2)
    assert.deepEqual(
      parts.map(part => part.indexes),
      [
        [0, 2],
        [1, 3],
      ],
    )
  })
})
