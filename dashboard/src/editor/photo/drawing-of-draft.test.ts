import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDrawing } from '@vitrine/photo'
import { bodyFrame, clothFrame, drawingHead, flatFrame, warpFrame } from '../../../../photo/test/small-photo.ts'
import { draftOfDrawing, drawingOfDraft } from './drawing-of-draft.ts'
import { productKinds } from './photo-draft.ts'
import { startFrame } from './start-frames.ts'

const stroke = { points: [[100, 90] as const, [120.5, 95]], radius: 9, erases: false }

test('a drawing that is opened and saved again says the same', () => {
  const marks = [
    { at: [90, 70], side: 'left' },
    { at: [90, 70], v: 0 },
    { at: [230, 70], side: 'right' },
    { at: [226, 200], side: 'right' },
    { at: [160, 224], v: 1 },
  ]
  const outlined = {
    ...bodyFrame,
    aspect_ratio: undefined,
    measures: 'mug-11oz',
    marks,
    print: { left: -60, right: 60, top: 0.1, bottom: 0.9 },
  }
  const json = {
    ...drawingHead,
    lens: 0.05,
    tone: 'srgb',
    frames: [
      { ...flatFrame, color: 'auto', brightness: 1.5, gloss: 0.5, front: [{ ...stroke, erases: true }] },
      bodyFrame,
      JSON.parse(JSON.stringify(outlined)),
      { ...clothFrame, inset: 4, sheen: 0.01, clean: false },
      warpFrame,
    ],
    product: { name: 'shirt', color: '#37373b', strokes: [stroke], suggestions: [{ name: 'Navy', value: '#1f2a44' }] },
  }
  const draft = draftOfDrawing(json, 320, 280)
  assert.equal(draft.frames[2]?.shape.kind === 'body' && draft.frames[2].shape.points.length, 4, 'one handle a place')
  const again = drawingOfDraft(draft)
  assert.deepEqual(parseDrawing(again), parseDrawing(json))
  assert.deepEqual(drawingOfDraft(draftOfDrawing(again, 320, 280)), again)
})

test('each kind of product begins with a drawing that can be read', () => {
  for (const kind of productKinds) {
    const size = { widthPx: 900, heightPx: 700 }
    const frames = [startFrame(kind, size), startFrame(kind, size, 1)]
    const { frames: read } = parseDrawing(drawingOfDraft({ ...size, lens: 0, tone: 'auto', frames, product: null }))
    assert.equal(read.length, 2, kind)
  }
})
