import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chooseFrames, findCandidates } from '../src/converting/choose-frames.ts'
import { meshOf } from '../src/geometry/mesh-of-warp.ts'
import { MAX_CANVAS_PIXELS, MAX_CANVAS_SIDE_PX, MAX_FRAMES, MAX_LAYER_PIXELS, MAX_MESH_POINTS } from '../src/limits.ts'
import { openDocument } from '../src/reading/open-document.ts'
import { PsdRefusedError } from '../src/refused-error.ts'
import { paint, pixelLayer, smartLayer, writePsd } from './make-psd.ts'
import { record, u16, writeRawPsd } from './write-raw-psd.ts'

const refusedWith = (sentence: RegExp) => (error: unknown) => {
  assert.ok(error instanceof PsdRefusedError, String(error))
  assert.match(error.message, sentence)
  return true
}

describe('what is at a limit is taken, and one past it is refused', () => {
  test('the side and the pixels of a canvas', () => {
    const open = (width: number, height: number) => openDocument(writeRawPsd({ width, height, merged: u16(0) }))
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
    const open = (records: readonly Buffer[]) => openDocument(writeRawPsd({ width, height, merged: u16(0), records }))
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
})
