import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outlinesOf, parseDrawing } from '@vitrine/photo'
import { smallPhoto } from '../../../../photo/test/small-photo.ts'
import { drawingOfDraft } from './drawing-of-draft.ts'
import { brushedOutline, createKnownOutlines } from './known-outlines.ts'
import { startFrame } from './start-frames.ts'

test('what was brushed over is outlined once, for the line around it and for its drawing', () => {
  const photo = smallPhoto()
  const size = { widthPx: 2999, heightPx: 2624 }
  const strokes = [1, 2, 3].map(row => ({
    points: [[1000 / 1.7, 800 * row] as const, [7000 / 3, 800 * row + 1 / 3] as const],
    radius: 400 / 3,
    erases: false,
  }))
  const known = createKnownOutlines(photo)
  const brushed = brushedOutline(photo, { strokes, ...size }, known)
  const product = { name: 'shirt', color: null, strokes, dyes: true, suggestions: [] }
  const drawing = drawingOfDraft({ ...size, lens: 0, tone: 'auto', frames: [startFrame('shirt', size)], product })
  assert.equal(outlinesOf(photo, parseDrawing(JSON.parse(JSON.stringify(drawing))), known).product, brushed)
})
