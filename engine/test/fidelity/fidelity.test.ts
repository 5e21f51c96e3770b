import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fidelityCases } from './cases.ts'
import { decodeAsJpeg } from './decode-as-jpeg.ts'
import { decodeWithSharp } from './decode-with-sharp.ts'
import { buildScene, renderCase, scorePicture } from './measure-case.ts'

/** Truth is slow: a small scene in ordinary runs, the size that docs/fidelity.md is measured at with VITRINE_TEST_SIZE=full. */
const SCENE_WIDTH_PX = process.env['VITRINE_TEST_SIZE'] === 'full' ? 2000 : 320
const SAMPLES_PER_AXIS = 16

describe('fidelity against supersampled truth', () => {
  for (const measured of fidelityCases) {
    it(`${measured.name} (${measured.what}) reaches ${measured.insideDb} dB inside, from a PNG and from a JPEG`, async () => {
      const scene = buildScene(measured, SCENE_WIDTH_PX, SAMPLES_PER_AXIS)
      for (const decode of [decodeWithSharp, decodeAsJpeg]) {
        const picture = await renderCase(measured, scene, decode)
        const { insideDb, edgeDb } = scorePicture(picture.data, scene.truth)
        assert.ok(insideDb >= measured.insideDb, `${decode.name}, inside: ${insideDb.toFixed(2)} dB`)
        if (measured.edgeDb !== null) {
          assert.ok(edgeDb >= measured.edgeDb, `${decode.name}, edges: ${edgeDb.toFixed(2)} dB`)
        }
      }
    })
  }
})
