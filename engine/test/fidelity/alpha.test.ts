import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFrameKernel } from '../../src/node/index.ts'
import { buildAlphaScene, measureAlpha } from './alpha-artwork.ts'
import { alphaCases } from './cases.ts'

const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'
const size = isFull ? { widthPx: 2000 } : { widthPx: 480, samplesPerAxis: 8 }
/** Their truths take long: ordinary runs measure one. */
const cases = alphaCases.filter(({ name }) => isFull || name === 'rotated')
const kernel = createFrameKernel()

describe('fidelity of artwork with soft edges', () => {
  for (const measured of cases) {
    it(`${measured.name}: a PNG over clear and over hidden colour is no less true than a JPEG, a WebP than the bar`, async context => {
      const scene = buildAlphaScene(measured, size.widthPx, size.samplesPerAxis)
      const { overClear, overColor, asWebp, asJpeg } = await measureAlpha(measured, scene, kernel)
      const line = `${overClear.insideDb.toFixed(2)} dB, as a WebP ${asWebp.insideDb.toFixed(2)}, as a JPEG ${asJpeg.insideDb.toFixed(2)}`
      context.diagnostic(line)
      // Pixels without alpha have no colour, whatever is stored in them.
      assert.deepEqual(overColor, overClear)
      assert.ok(overClear.insideDb >= Math.max(measured.insideDb, asJpeg.insideDb), line)
      assert.ok(asWebp.insideDb >= measured.insideDb, line)
    })
  }
})
