import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFrameKernel } from '../../src/node/index.ts'
import { type FidelityCase, fidelityCases, placedCases } from './cases.ts'
import { decodeAsJpeg } from './decode-as-jpeg.ts'
import { decodeAsLossyWebp, decodeLossyByLibwebp } from './decode-as-webp.ts'
import { decodeWithSharp } from './decode-with-sharp.ts'
import { buildScene, drawCase, prepareCase, scorePicture } from './measure-case.ts'

/**
 * Truth is slow: a small scene in ordinary runs (the artwork is the harder the smaller it is: below 480 px
 * the cylinder falls short of the bar from a JPEG), the size that docs/fidelity.md is measured at with
 * VITRINE_TEST_SIZE=full. Ordinary runs measure one case of each kind.
 */
const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'

const ofEachKind = ['rotated', 'magnifying', 'cylinder', 'small-on-quad', 'contained-on-map']
const isMeasured = ({ name }: FidelityCase): boolean => isFull || ofEachKind.includes(name)

const kernel = createFrameKernel()

/** The truth of a case is for all its tests. */
const scenes = new Map<FidelityCase, ReturnType<typeof buildScene>>()
function sceneOf(measured: FidelityCase): ReturnType<typeof buildScene> {
  const scene =
    scenes.get(measured) ?? (isFull ? buildScene(measured, 2000) : buildScene(measured, 480, 5, undefined, 8))
  scenes.set(measured, scene)
  return scene
}

describe('fidelity against supersampled truth', () => {
  for (const measured of [...fidelityCases, ...placedCases].filter(isMeasured)) {
    it(`${measured.name} (${measured.what}) reaches ${measured.insideDb} dB inside, from a PNG and from a JPEG, and the fast kernel gives nothing of it away`, async () => {
      const scene = sceneOf(measured)
      for (const decode of [decodeWithSharp, decodeAsJpeg]) {
        const prepared = await prepareCase(measured, scene, decode)
        const picture = drawCase(prepared, kernel)
        const { insideDb, edgeDb } = scorePicture(picture.data, scene.truth)
        assert.ok(insideDb >= measured.insideDb, `${decode.name}, inside: ${insideDb.toFixed(2)} dB`)
        if (measured.edgeDb !== null) {
          assert.ok(edgeDb >= measured.edgeDb, `${decode.name}, edges: ${edgeDb.toFixed(2)} dB`)
        }
        if (decode === decodeWithSharp) {
          assert.deepEqual(picture.data, drawCase(prepared, null).data, 'the kernel differs from the plain reference')
        }
      }
    })
  }

  for (const measured of fidelityCases.filter(isMeasured)) {
    it(`${measured.name}: a lossy WebP is as true through our decoder as through libwebp, within 0.3 dB`, async () => {
      const scene = sceneOf(measured)
      const scores: number[] = []
      for (const decode of [decodeAsLossyWebp, decodeLossyByLibwebp]) {
        const prepared = await prepareCase(measured, scene, decode)
        scores.push(scorePicture(drawCase(prepared, kernel).data, scene.truth).insideDb)
      }
      const [ours = 0, libwebp = 0] = scores
      assert.ok(ours >= libwebp - 0.3, `${ours.toFixed(2)} and ${libwebp.toFixed(2)} dB`)
    })
  }
})
