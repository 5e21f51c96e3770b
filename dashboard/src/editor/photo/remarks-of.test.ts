import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PhotoReport } from '@vitrine/photo'
import { drawingHead, flatFrame } from '../../../../photo/test/small-photo.ts'
import { draftOfDrawing } from './drawing-of-draft.ts'
import { remarksOf } from './remarks-of.ts'

test('remarks are those of each frame by its number, and then of the product that is dyed', () => {
  const frames = [flatFrame, flatFrame]
  const draft = draftOfDrawing({ ...drawingHead, frames }, 2400, 2100)
  const ofFrame = { residualPx: null, region: [0, 0, 9, 9], color: '#ffffff', doubts: [] } as const
  const report: PhotoReport = {
    widthPx: 2400,
    heightPx: 2100,
    tone: 'srgb',
    frames: [ofFrame, { ...ofFrame, doubts: [{ kind: 'too-small', sentence: 'It is small.' }] }],
    productColor: '#202024',
    productDoubts: [{ kind: 'hard-to-dye', sentence: 'It is black.' }],
    clearDifference: 1,
  }
  assert.deepEqual(remarksOf(draft, report), ['Frame 2: It is small.', 'It is black.'])
})
