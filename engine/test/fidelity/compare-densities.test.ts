import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFrameKernel } from '../../src/node/index.ts'
import { compareDensities, LEAST_DENSITY } from './compare-densities.ts'

/** The artwork is enlarged before: from 16 both are 0.1 to 0.2 dB nearer to truth. */
const SAMPLES_PER_AXIS = 8

test('a JPEG that is decoded to 1.5 times the density stays above the bar of 36 dB, hard-edged or a photograph, and one eighth more is nearer to truth', async () => {
  assert.equal(LEAST_DENSITY, 1.5)
  const [compared] = await compareDensities(400, createFrameKernel(), 1, [4], SAMPLES_PER_AXIS, 300)
  assert.ok(compared)
  assert.equal(compared.eighths, 4)
  for (const [least, next] of [compared.hardEdgedDb, compared.photographDb]) {
    assert.ok(least >= 36, `${least.toFixed(2)} dB`)
    assert.ok(next > least, `${next.toFixed(2)} dB after ${least.toFixed(2)} dB`)
  }
  assert.ok(compared.costMs.every(cost => cost > 0))
})
