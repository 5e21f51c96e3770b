import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Rect } from '@vitrine/engine'
import { type Drawing, drawingOf } from '../src/compositing/compose-layers.ts'
import type { FloatPicture } from '../src/compositing/float-picture.ts'
import { chooseFrames, findCandidates } from '../src/converting/choose-frames.ts'
import { convertDocument } from '../src/converting/convert.ts'
import { foldOperations } from '../src/converting/fold.ts'
import { drawWhole } from '../src/converting/whole-picture.ts'
import { ImportNotes } from '../src/notes.ts'
import { openDocument } from '../src/reading/open-document.ts'
import { drawOperations } from './draw-operations.ts'
import { Random } from './random.ts'
import { randomTree, TREE_HEIGHT, TREE_WIDTH } from './random-tree.ts'

const TREES = process.env['VITRINE_TEST_SIZE'] === 'full' ? 300 : 100
const white = [1, 1, 1] as const
const canvas: Rect = { left: 0, top: 0, widthPx: TREE_WIDTH, heightPx: TREE_HEIGHT }

/** Artwork over the whole canvas, half of it clear in places. */
function randomArtwork(random: Random): FloatPicture {
  const count = TREE_WIDTH * TREE_HEIGHT
  return {
    rect: canvas,
    color: Float32Array.from({ length: count * 3 }, () => random.next()),
    alpha: Float32Array.from({ length: count }, () => (random.next() < 0.5 ? 1 : random.next())),
  }
}

/** The greatest difference of two pictures' colours, of 255. */
function worstOf(a: FloatPicture, b: FloatPicture): number {
  return a.color.reduce((worst, value, i) => Math.max(worst, Math.abs(value - (b.color[i] ?? 0)) * 255), 0)
}

test(`${TREES} random layer trees, converted and folded, draw what all their layers draw with the artwork in place`, () => {
  const random = new Random(7)
  let [before, after] = [0, 0]
  for (let tree = 0; tree < TREES; tree++) {
    const document = openDocument(randomTree(random))
    const chosen = chooseFrames(document, findCandidates(document), ['Your design'])
    const artwork = randomArtwork(random)
    const drawing = drawingOf(document, new ImportNotes())
    const { operations, frames, drawScene } = convertDocument(document, chosen, [], drawing, white)
    const [frame] = frames
    assert.ok(frame)
    const coverage = frame.geometry.coverage(canvas)
    const placed: FloatPicture = { ...artwork, alpha: artwork.alpha.map((alpha, k) => alpha * (coverage[k] ?? 0)) }
    const copy = (picture: FloatPicture): FloatPicture => ({
      ...picture,
      color: picture.color.slice(),
      alpha: picture.alpha.slice(),
    })
    const replace: Drawing['replace'] = layer => (layer === frame.layer ? copy(placed) : null)
    const wanted = drawWhole(document, canvas, { ...drawing, replace }, white)
    for (const list of [operations, foldOperations(operations)]) {
      const drawn = drawScene(canvas)
      drawOperations(list, drawn, () => copy(artwork))
      const worst = worstOf(drawn, wanted)
      assert.ok(worst < 0.001, `tree ${tree} differs by ${worst} of 255`)
    }
    before += operations.length
    after += foldOperations(operations).length
  }
  assert.ok(after < before, 'folding joins operations')
})
