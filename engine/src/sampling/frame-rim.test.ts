import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findFrameRim, followRim, moveAllPixels } from './frame-rim.ts'
import { buildSamplingPlan, type GridMap, type SamplingPlan } from './sampling-plan.ts'

const SIZE = 32
const region = { left: 5, top: 7, widthPx: SIZE, heightPx: SIZE }

/** u is x and v is y, in regions; `change` is added to make another map. */
function buildGrid(change: (x: number, y: number) => number = () => 0): GridMap {
  const at = (i: number): readonly [number, number] => [i % SIZE, Math.floor(i / SIZE)]
  const u = Float32Array.from({ length: SIZE * SIZE }, (_, i) => (at(i)[0] + 0.5) / SIZE + change(...at(i)))
  const v = Float32Array.from({ length: SIZE * SIZE }, (_, i) => (at(i)[1] + 0.5) / SIZE)
  return { kind: 'grid', u, v, wrapsU: false }
}

/** The same coverage in every row, by column. */
function buildCoverage(columns: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: SIZE * SIZE }, (_, i) => columns[i % SIZE] ?? 255)
}

/** How many chunks contain each pixel. */
function countDrawn({ chunkCount, chunkStart, chunkLength }: SamplingPlan): readonly number[] {
  const counts = Array.from({ length: SIZE * SIZE }, () => 0)
  for (let chunk = 0; chunk < chunkCount; chunk++) {
    const start = chunkStart[chunk] ?? 0
    for (let i = start; i < start + (chunkLength[chunk] ?? 0); i++) counts[i] = (counts[i] ?? 0) + 1
  }
  return counts
}

describe('the rim of a frame with a map', () => {
  it('is sampled at the centroid of the covered part, by its extent; other pixels as before', () => {
    const coverage = buildCoverage([0, 0, 51])
    const plan = buildSamplingPlan(region, buildGrid(), coverage)
    const rim = findFrameRim(plan, coverage)
    assert.ok(rim)
    const followed = followRim(plan, rim, true)
    assert.deepEqual(countDrawn(followed), countDrawn(plan))
    const { map } = moveAllPixels(followed)
    assert.ok(map.kind === 'grid')
    for (let y = 1; y < SIZE - 1; y++) {
      const chunk = followed.rowChunk[y] ?? 0
      assert.equal(followed.chunkStart[chunk], y * SIZE + 2)
      assert.equal(followed.chunkLength[chunk], 1)
      // A fifth of the pixel, at its right.
      assert.ok(Math.abs((followed.chunkScaleU[chunk] ?? 0) - 0.2 / SIZE) < 1e-6)
      assert.ok(Math.abs((followed.chunkScaleV[chunk] ?? 0) - 1 / SIZE) < 1e-6)
      assert.ok(Math.abs((map.u[y * SIZE + 2] ?? 0) - 2.9 / SIZE) < 1e-6)
      assert.ok(Math.abs((map.v[y * SIZE + 2] ?? 0) - (y + 0.5) / SIZE) < 1e-6)
      const next = chunk + 1
      assert.equal(followed.chunkScaleU[next], plan.chunkScaleU[plan.rowChunk[y] ?? 0])
      assert.equal(map.u[y * SIZE + 3], plan.map.kind === 'grid' ? plan.map.u[y * SIZE + 3] : null)
    }
  })

  it('is as wide as an edge in a downscaled mask', () => {
    const coverage = buildCoverage([0, 60, 230])
    const rim = findFrameRim(buildSamplingPlan(region, buildGrid(), coverage), coverage)
    const middle = (SIZE / 2) * SIZE
    const inRow = [...(rim?.moves.pixels ?? [])].filter(pixel => pixel >= middle && pixel < middle + SIZE)
    assert.deepEqual(inRow, [middle + 1, middle + 2])
  })

  it('does not exist if the coverage is blurred over several pixels, or partial everywhere', () => {
    for (const coverage of [buildCoverage([0, 20, 90, 160, 230]), buildCoverage([0, 0]).map(byte => byte * 0.7)]) {
      const rim = findFrameRim(buildSamplingPlan(region, buildGrid(), coverage), coverage)
      const rows = [...(rim?.moves.pixels ?? [])].map(pixel => Math.floor(pixel / SIZE))
      // The frame ends sharply above the first row and below the last.
      assert.deepEqual(
        rows.filter(row => row >= 2 && row < SIZE - 2),
        [],
      )
    }
  })

  it('is not moved where the map jumps next to the edge', () => {
    const coverage = buildCoverage([0, 0, 51])
    const jumps = buildGrid(x => (x > 2 ? 0.4 : 0))
    const rim = findFrameRim(buildSamplingPlan(region, jumps, coverage), coverage)
    assert.deepEqual([...(rim?.moves.pixels ?? [])], [])
  })

  it('does not exist for a frame with a homography', () => {
    const coverage = buildCoverage([0, 0, 51])
    const matrix = [1 / SIZE, 0, 0, 0, 1 / SIZE, 0, 0, 0, 1] as const
    assert.equal(findFrameRim(buildSamplingPlan(region, { kind: 'homography', matrix }, coverage), coverage), null)
  })
})
