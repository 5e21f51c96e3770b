import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildSamplingPlan } from './sampling-plan.ts'

const WIDTH_PX = 40
/** Densities are read in every fourth row. */
const READ_ROWS = 100

describe('the density of a map', () => {
  it('is what all but a hundredth of its pixels stay below, in whatever order they come', () => {
    const heightPx = 4 * READ_ROWS
    const u = new Float32Array(WIDTH_PX * heightPx).fill(Number.NaN)
    const coverage = new Uint8Array(u.length)
    for (let row = 0; row < READ_ROWS; row++) {
      const density = 1 + ((row * 37) % READ_ROWS)
      for (let x = 0; x < WIDTH_PX; x++) {
        u[4 * row * WIDTH_PX + x] = x / density
        coverage[4 * row * WIDTH_PX + x] = 255
      }
    }
    const region = { left: 0, top: 0, widthPx: WIDTH_PX, heightPx }
    const { densityU, densityV } = buildSamplingPlan(
      region,
      { kind: 'grid', u, v: new Float32Array(u.length), wrapsU: false },
      coverage,
    )
    assert.ok(Math.abs(densityU - (READ_ROWS - 1)) < 0.01, `${densityU}`)
    assert.equal(densityV, 1)
  })
})
