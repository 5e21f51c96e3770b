import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createFrameKernel, createSharpCodec } from '@vitrine/engine/node'
import { MemoryStore } from '../../engine/test/memory-store.ts'
import { chooseFrames, findCandidates } from '../src/converting/choose-frames.ts'
import { meshOf } from '../src/geometry/mesh-of-warp.ts'
import { importPsd } from '../src/import-psd.ts'
import {
  MAX_CANVAS_PIXELS,
  MAX_CANVAS_SIDE_PX,
  MAX_CONTENT_BYTES,
  MAX_CONTENT_PIXELS,
  MAX_FRAMES,
  MAX_LAYER_PIXELS,
  MAX_MESH_POINTS,
  MAX_OPERATIONS,
  MAX_SCENE_PIXELS,
  MAX_SCENE_SIDE_PX,
} from '../src/limits.ts'
import { openDocument } from '../src/reading/open-document.ts'
import { PsdRefusedError } from '../src/refused-error.ts'
import { readContent } from '../src/verifying/read-content.ts'
import { CONTENT_ID, paint, pixelLayer, smartLayer, writePsd } from './make-psd.ts'
import { MOCKUP_HEIGHT, MOCKUP_WIDTH, mockupPsd } from './mockup-file.ts'
import { record, writeRawPsd } from './write-raw-psd.ts'

const refusedWith = (sentence: RegExp) => (error: unknown) => {
  assert.ok(error instanceof PsdRefusedError, String(error))
  assert.match(error.message, sentence)
  return true
}

const codec = createSharpCodec()
const kernel = createFrameKernel()
const importFile = (bytes: Uint8Array) =>
  importPsd(bytes, { name: 'limit', frames: [], matte: [255, 255, 255] }, { codec, kernel, store: new MemoryStore() })

describe('what is at a limit is taken, and one past it is refused', () => {
  test('the side and the pixels of a canvas', () => {
    const open = (width: number, height: number) =>
      openDocument(writeRawPsd({ width, height, merged: Buffer.alloc(0) }))
    const rows = MAX_CANVAS_PIXELS / MAX_CANVAS_SIDE_PX
    assert.equal(open(MAX_CANVAS_SIDE_PX, rows).widthPx, MAX_CANVAS_SIDE_PX)
    assert.throws(() => open(MAX_CANVAS_SIDE_PX + 1, 1), refusedWith(/too large/))
    assert.throws(() => open(MAX_CANVAS_SIDE_PX, rows + 1), refusedWith(/too large/))
  })
  test('the pixels of all layers together', () => {
    const [width, height] = [10_000, 10_000]
    const whole = Array.from({ length: MAX_LAYER_PIXELS / (width * height) }, () =>
      record({ bottom: height, right: width }),
    )
    const open = (records: readonly Buffer[]) =>
      openDocument(writeRawPsd({ width, height, merged: Buffer.alloc(0), records }))
    assert.equal(open(whole).layers.length, whole.length)
    assert.throws(() => open([...whole, record({})]), refusedWith(/megapixels together/))
  })
  test('the frames of a template', () => {
    const choose = (count: number) => {
      const ground = pixelLayer('ground', 0, 0, paint(8, 8, [9, 9, 9]))
      const design = () => smartLayer('Your design', [0, 0, 4, 0, 4, 4, 0, 4], { width: 4, height: 4 })
      const document = openDocument(writePsd(8, 8, [ground, ...Array.from({ length: count }, design)]))
      return chooseFrames(document, findCandidates(document), [])
    }
    assert.equal(choose(MAX_FRAMES).length, MAX_FRAMES)
    assert.throws(() => choose(MAX_FRAMES + 1), refusedWith(/17 smart objects for designs, and a template up to 16/))
  })
  test('the points of a warp', () => {
    const warp = (columns: number) =>
      meshOf(
        {
          style: 'custom',
          deformNumCols: columns,
          deformNumRows: 4,
          customEnvelopeWarp: { meshPoints: Array.from({ length: columns * 4 }, (_, i) => ({ x: i % columns, y: i })) },
        },
        8,
        8,
      )
    assert.equal(warp(MAX_MESH_POINTS)?.columns, MAX_MESH_POINTS)
    assert.throws(() => warp(MAX_MESH_POINTS + 3), refusedWith(/is not understood \(67 x 4\)/))
  })
  test('the sides and the pixels of a scene', async () => {
    const empty = (width: number, height: number) => importFile(writeRawPsd({ width, height, merged: Buffer.alloc(0) }))
    const rows = MAX_SCENE_PIXELS / MAX_SCENE_SIDE_PX
    await assert.rejects(empty(MAX_SCENE_SIDE_PX, rows), refusedWith(/no smart object/))
    await assert.rejects(
      empty(MAX_SCENE_SIDE_PX + 1, 1),
      refusedWith(/8001 x 1 pixels is larger .* \(8000 a side, 40 m/),
    )
    await assert.rejects(empty(MAX_SCENE_SIDE_PX, rows + 1), refusedWith(/8000 x 5001 pixels is larger/))
  })
  test('the operations of a template, the frame among them', async () => {
    // Neighbours of two modes are not joined.
    const above = (count: number) =>
      Array.from({ length: count }, (_, i) =>
        pixelLayer(`layer ${i}`, 0, 0, paint(MOCKUP_WIDTH, MOCKUP_HEIGHT, [i, 99, 200, 90]), {
          blendMode: i % 2 === 0 ? 'overlay' : 'soft light',
        }),
      )
    const { report } = await importFile(mockupPsd({ above: above(MAX_OPERATIONS - 1) }))
    assert.equal(report.above.pictures, MAX_OPERATIONS - 1)
    await assert.rejects(importFile(mockupPsd({ above: above(MAX_OPERATIONS) })), refusedWith(/65 layers .* up to 64/))
  })
  test('the bytes and the pixels of an embedded file', async () => {
    const read = async (data: Uint8Array) => {
      const content = await readContent({ id: CONTENT_ID, name: 'a', data }, codec)
      return content.kind === 'none' ? content.reason : `${content.picture.widthPx} x ${content.picture.heightPx}`
    }
    assert.match(await read(new Uint8Array(MAX_CONTENT_BYTES)), /not a picture that is read/)
    assert.match(await read(new Uint8Array(MAX_CONTENT_BYTES + 1)), /has 201 MB, and up to 200 MB are read/)
    const rows = MAX_CONTENT_PIXELS / 30_000 + 1
    const nested = (height: number) => read(writeRawPsd({ width: 30_000, height, merged: Buffer.alloc(0) }))
    assert.match(await nested(rows), /has 30000 x 2001 pixels, and up to 60 megapixels are read/)
    assert.equal(await read(writeRawPsd({ width: 300, height: 20, merged: Buffer.alloc(0) })), '300 x 20')
  })
})
