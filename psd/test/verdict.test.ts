import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createFrameKernel, createSharpCodec } from '@vitrine/engine/node'
import type { Layer, LinkedFile } from 'ag-psd'
import { sharp } from '../../engine/src/node/hardened-sharp.ts'
import { MemoryStore } from '../../engine/test/memory-store.ts'
import { importPsd } from '../src/import-psd.ts'
import { compareReach, judge } from '../src/verifying/compare.ts'
import { readContent } from '../src/verifying/read-content.ts'
import { CONTENT_ID, paint, pixelLayer, type Rgba, smartLayer, writePsd } from './make-psd.ts'
import { designPng, mockupPsd } from './mockup-file.ts'

const codec = createSharpCodec()
const kernel = createFrameKernel()

async function importFile(file: Uint8Array) {
  const tools = { codec, kernel, store: new MemoryStore() }
  return (await importPsd(file, { name: 'verdict', frames: [], matte: [255, 255, 255] }, tools)).report
}

describe('the comparison of a frame', () => {
  const rect = { left: 0, top: 0, widthPx: 320, heightPx: 320 }
  const bits = new Uint32Array(320 * 320).fill(1)
  const pictureOf = (at: (x: number, y: number) => number) => ({
    widthPx: 320,
    heightPx: 320,
    data: Uint8Array.from({ length: 320 * 320 * 3 }, (_, i) => at(Math.floor(i / 3) % 320, Math.floor(i / 3 / 320))),
  })
  const verdictOf = (at: (x: number, y: number) => number) => {
    const [difference] = compareReach(
      pictureOf(at),
      pictureOf(() => 100),
      { rect, bits },
      1,
    )
    assert.ok(difference)
    return { verdict: judge(difference), mean: difference.blurredMean }
  }

  test('sees a fault that is small for its mean', () => {
    const { verdict, mean } = verdictOf((x, y) => (x < 30 && y < 30 ? 140 : 100))
    assert.ok(mean < 0.5, `${mean}`)
    assert.equal(verdict, 'close')
    assert.equal(verdictOf((x, y) => (x < 60 && y < 60 ? 140 : 100)).verdict, 'different')
  })

  test('takes steps of a level or two, and thin edges, for the same', () => {
    assert.equal(verdictOf(x => (x % 2 === 0 ? 101 : 99)).verdict, 'same')
    assert.equal(verdictOf(x => (x === 160 ? 120 : 100)).verdict, 'same')
  })
})

describe('a verdict', () => {
  test('is not "verified" with a frame that was not compared', async () => {
    const corners = [4, 4, 14, 4, 14, 14, 4, 14] as const
    const other = smartLayer('Your logo here', corners, { width: 10, height: 10 })
    assert.ok(other.placedLayer)
    const lost: Layer = { ...other, placedLayer: { ...other.placedLayer, id: '20953ddb-9391-11ec-b4f1-c15674f50bff' } }
    const report = await importFile(mockupPsd({ above: [lost] }))
    assert.deepEqual(
      report.frames.map(({ check }) => check === null),
      [false, true],
    )
    assert.notEqual(report.result, 'verified')
  })

  test('is in doubt where the old design stays beside its frame', async () => {
    const at = (x: number, y: number): Rgba => [60 + 3 * x, 250 - 4 * y, 120]
    const corners = [8, 10, 56, 10, 56, 46, 8, 46] as const
    const design = smartLayer('Your design', corners, { width: 48, height: 36 })
    const stored = { ...design, imageData: paint(48, 36, at) }
    const linked: LinkedFile[] = [{ id: CONTENT_ID, name: 'design.png', type: 'png ', data: designPng }]
    const ground = pixelLayer('ground', 0, 0, paint(120, 60, [200, 200, 200]))
    const shownAt = (x: number, y: number): Rgba =>
      x >= 8 && x < 56 && y >= 10 && y < 46 ? at(x - 8, y - 10) : [200, 200, 200]
    const fileOf = (more: Partial<Layer>) =>
      writePsd(120, 60, [ground, { ...stored, ...more }], { linked, merged: paint(120, 60, shownAt) })
    const sound = await importFile(fileOf({}))
    assert.deepEqual([sound.result, sound.doubts], ['verified', []])
    // Its stored pixels go far beyond what the frame covers.
    const wide = pixelLayer(
      'Your design',
      8,
      10,
      paint(100, 36, x => at(x % 48, 4)),
    )
    const left = await importFile(fileOf(wide))
    assert.match(left.doubts.join(), /with another design the old one stays in \d+ places, the first near \d+, \d+/)
  })
})

describe('the content of a smart object', () => {
  const nested = (isReal: boolean | null) => {
    const versionInfo = { hasRealMergedData: isReal === true, writerName: 'a', readerName: 'b', fileVersion: 1 }
    return writePsd(8, 8, [pixelLayer('ground', 0, 0, paint(8, 8, [250, 0, 0]))], {
      merged: paint(8, 8, [0, 0, 250]),
      ...(isReal === null ? {} : { imageResources: { versionInfo } }),
    })
  }
  const colorOf = async (isReal: boolean | null) => {
    const content = await readContent({ id: CONTENT_ID, name: 'a.psb', data: nested(isReal) }, codec)
    assert.equal(content.kind, 'picture')
    return content.kind === 'picture' ? [...content.picture.data.subarray(0, 4)] : []
  }

  test('is the picture that is saved in it, where it says that there is one', async () => {
    assert.deepEqual(await colorOf(true), [0, 0, 250, 255])
    assert.deepEqual(await colorOf(false), [250, 0, 0, 255])
    assert.deepEqual(await colorOf(null), [250, 0, 0, 255])
  })

  test('has its numbers as they are in a document without a profile', async () => {
    const data = await sharp({ create: { width: 4, height: 4, channels: 3, background: { r: 30, g: 200, b: 60 } } })
      .withIccProfile('p3', { attach: true })
      .png()
      .toBuffer()
    const red = async (isTagged: boolean) => {
      const content = await readContent({ id: CONTENT_ID, name: 'a.png', data }, codec, isTagged)
      return content.kind === 'picture' ? content.picture.data[0] : undefined
    }
    assert.notEqual(await red(true), await red(false))
    const stored = await sharp(data, { ignoreIcc: true }).raw().toBuffer()
    assert.equal(await red(false), stored[0])
  })
})
