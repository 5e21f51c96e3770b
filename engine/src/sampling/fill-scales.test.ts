import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fillScales } from './fill-scales.ts'
import { buildSamplingPlan } from './sampling-plan.ts'

describe('the scales of a map', () => {
  it('are taken from the previous chunk at the right rim', () => {
    // 33 covered pixels of 40: the scale of the last group would be read outside the map.
    const region = { left: 0, top: 0, widthPx: 40, heightPx: 3 }
    const coverage = Uint8Array.from({ length: 120 }, (_, i) => (i % 40 < 33 ? 255 : 0))
    const grid = (value: (x: number, y: number) => number): Float32Array =>
      Float32Array.from({ length: 120 }, (_, i) => (i % 40 < 33 ? value(i % 40, Math.floor(i / 40)) : Number.NaN))
    const map = { kind: 'grid', u: grid(x => x / 64), v: grid((_, y) => y / 32), wrapsU: false } as const
    const plan = buildSamplingPlan(region, map, coverage)
    assert.deepEqual([...plan.chunkLength], [32, 1, 32, 1, 32, 1])
    assert.deepEqual([...plan.chunkScaleU], [1 / 64, 0, 1 / 64, 0, 1 / 64, 0])
    const { chunkScaleU, chunkScaleV } = fillScales(plan)
    assert.deepEqual(
      [...chunkScaleU],
      Array.from({ length: 6 }, () => 1 / 64),
    )
    assert.deepEqual(
      [...chunkScaleV],
      Array.from({ length: 6 }, () => 1 / 32),
    )
  })

  it('are taken from the first chunk that has any if none precedes, and 0 if no chunk has any', () => {
    const region = { left: 0, top: 0, widthPx: 1, heightPx: 3 }
    const plan = buildSamplingPlan(
      region,
      { kind: 'grid', u: new Float32Array(3), v: new Float32Array(3), wrapsU: false },
      new Uint8Array(3).fill(255),
    )
    const scales = (chunkScaleU: readonly number[]) =>
      fillScales({ ...plan, chunkScaleU: Float32Array.from(chunkScaleU) }).chunkScaleU
    assert.deepEqual([...scales([0, 0.5, 0.25])], [0.5, 0.5, 0.25])
    assert.deepEqual([...scales([0, 0, 0])], [0, 0, 0])
  })
})
