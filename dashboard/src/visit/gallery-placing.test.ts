import assert from 'node:assert/strict'
import { test } from 'node:test'
import { centredCover } from '@vitrine/engine'
import { croppedShare, hasClearParts, movedBy, restingLines } from '@vitrine/live'
import { findCropped } from '../gallery/find-cropped.ts'
import { badgesOf } from '../scenes/scene-facts.ts'
import {
  beginGalleryPlacing,
  changeGalleryPlacing,
  galleryPlacementOf,
  hasOwn,
  keyChangeOnGallery,
  placingOf,
} from './gallery-placing.ts'

const print = { id: 'poster', is_product_template: false, surface_type: null }
const otherPrint = { id: 'canvas', is_product_template: false, surface_type: null }
const mug = { id: 'mug', is_product_template: true, surface_type: 'ceramic' }
const wide = { width: 2000, height: 1000, aspectRatio: 1 }

test('artwork that is moved in one scene moves in all scenes of its kind, and with Alt in this one alone', () => {
  let state = beginGalleryPlacing()
  state = changeGalleryPlacing(state, { kind: 'place', template: print, change: { scale: 2 }, isOwn: false })
  state = changeGalleryPlacing(state, { kind: 'rest' })
  assert.equal(galleryPlacementOf(state.history.present, otherPrint).scale, 2)
  assert.equal(galleryPlacementOf(state.history.present, mug).scale, 1)
  state = changeGalleryPlacing(state, { kind: 'place', template: otherPrint, change: { scale: 3 }, isOwn: true })
  state = changeGalleryPlacing(state, { kind: 'rest' })
  assert.equal(galleryPlacementOf(state.history.present, print).scale, 2)
  assert.ok(hasOwn(state.history.present, otherPrint))
  state = changeGalleryPlacing(state, { kind: 'place', template: print, change: { rotation: 90 }, isOwn: false })
  assert.equal(galleryPlacementOf(state.history.present, otherPrint).rotation, 0, 'its own placement is unchanged')
  state = changeGalleryPlacing(state, { kind: 'reset', template: otherPrint })
  assert.equal(galleryPlacementOf(state.history.present, otherPrint).rotation, 90, 'it follows its kind again')
})

test('a gesture is one undo step, however many frames were drawn', () => {
  let state = beginGalleryPlacing()
  for (const scale of [1.1, 1.2, 1.3])
    state = changeGalleryPlacing(state, { kind: 'place', template: print, change: { scale }, isOwn: false })
  state = changeGalleryPlacing(state, { kind: 'rest' })
  state = changeGalleryPlacing(state, { kind: 'place', template: print, change: { scale: 4 }, isOwn: false })
  state = changeGalleryPlacing(state, { kind: 'undo' })
  assert.equal(galleryPlacementOf(state.history.present, print).scale, 1.3)
  state = changeGalleryPlacing(state, { kind: 'undo' })
  assert.equal(galleryPlacementOf(state.history.present, print).scale, 1)
  state = changeGalleryPlacing(state, { kind: 'redo' })
  assert.equal(galleryPlacementOf(state.history.present, print).scale, 1.3)
})

test('artwork that fills its frame moves by its focus, along the side that is cropped, and never leaves a gap', () => {
  assert.deepEqual(movedBy(centredCover, wide, [0.1, 0.3], [0, 0]).focus, [0.45, 0.5])
  assert.deepEqual(movedBy(centredCover, wide, [3, 0], [0, 0]).focus, [0.25, 0.5], 'it stops at the edge')
  assert.deepEqual(movedBy(centredCover, wide, [0.34, 0], [0.02, 0.02]).focus, [1 / 3, 0.5].map(round), 'a third')
  const half = { ...centredCover, fit: 'contain' as const }
  assert.deepEqual(movedBy(half, wide, [0.1, -0.2], [0, 0]), { x: 0.6, y: 0.3 })
  assert.deepEqual(movedBy(half, wide, [0.01, -0.01], [0.02, 0.02]), { x: 0.5, y: 0.5 }, 'it snaps to the middle')
  assert.deepEqual(restingLines(half), { across: true, down: true })
  assert.deepEqual(restingLines({ ...half, x: 0.6 }), { across: false, down: true })
})

const round = (share: number): number => Math.round(share * 10_000) / 10_000

test('a scene says how much it crops and enlarges, unless it is too little to notice', () => {
  assert.equal(croppedShare(centredCover, wide), 0.5)
  assert.equal(croppedShare({ ...centredCover, fit: 'contain' }, wide), 0)
  assert.equal(croppedShare(centredCover, { width: 1000, height: 1000, aspectRatio: 1 }), 0)
  assert.deepEqual(badgesOf(0.24, 8, 480, 2000), ['24 % cropped'])
  assert.deepEqual(badgesOf(0.02, 1, 480, 2000), ['enlarged 4.2 ×'])
  assert.deepEqual(badgesOf(0.02, 4, 480, 2000), [])
  assert.deepEqual(badgesOf(0.24, 1, 480, null), [], 'not shown to customers')
})

test('a logo is initially whole on products and fills prints, and is moved from there', () => {
  const state = beginGalleryPlacing()
  const start = galleryPlacementOf(state.history.present, mug, true)
  assert.deepEqual([start.fit, start.scale], ['contain', 0.8])
  assert.deepEqual(galleryPlacementOf(state.history.present, mug, false), centredCover)
  assert.deepEqual(galleryPlacementOf(state.history.present, print, true), centredCover)
  const pixels = (alpha: readonly number[]) => new Uint8Array(alpha.flatMap(value => [1, 2, 3, value]))
  assert.equal(hasClearParts({ isOpaque: false, data: pixels([255, 0, 255, 255]) }), true)
  assert.equal(hasClearParts({ isOpaque: true, data: pixels([255, 0, 255, 255]) }), false)
  const corner = Array.from({ length: 100 }, (_, index) => (index === 0 ? 0 : 255))
  assert.equal(hasClearParts({ isOpaque: false, data: pixels(corner) }), false, 'a rounded corner')
  assert.equal(hasClearParts({ isOpaque: false, data: pixels(corner.map(() => 200)) }), false, 'a glaze')
})

test('mockups that crop their artwork are counted before payment and made to fit in one step', () => {
  const logo = new File([], 'logo.png')
  const looks = new Map([[logo, { width: 2000, height: 1000, isClear: true }]])
  const scenes = [print, otherPrint, mug].map(scene => ({ ...scene, frames: [{ index: 0, aspect_ratio: 1 }] }))
  const cells = scenes.map(template => ({ artwork: logo, template }))
  let state = beginGalleryPlacing()
  const cropped = findCropped(cells, state.history.present, looks)
  assert.deepEqual([cropped.count, cropped.of, cropped.templates.map(({ id }) => id)], [2, 3, ['poster', 'canvas']])
  state = changeGalleryPlacing(state, { kind: 'fit', fit: 'contain', templates: cropped.templates })
  assert.equal(findCropped(cells, state.history.present, looks).count, 0)
  state = changeGalleryPlacing(state, { kind: 'fit', fit: 'cover', templates: scenes })
  assert.equal(findCropped(cells, state.history.present, looks).count, 3)
  state = changeGalleryPlacing(changeGalleryPlacing(state, { kind: 'undo' }), { kind: 'undo' })
  assert.equal(findCropped(cells, state.history.present, looks).count, 2)
})

test('keys fit, fill, turn, scale and move, and leave the rest to the page', () => {
  const press = (key: string, shiftKey = false) =>
    keyChangeOnGallery(centredCover, wide, { key, shiftKey, altKey: false })
  assert.equal(press('f')?.fit, 'contain')
  assert.equal(press('C')?.fit, 'cover')
  assert.equal(press('r')?.rotation, 90)
  assert.equal(press('+')?.scale, 1.05)
  assert.deepEqual(press('ArrowRight', true)?.focus, [0.495, 0.5])
  assert.equal(press('ArrowRight'), null)
  assert.equal(press('x'), null)
})

test('placements from a link are shared by kind where they agree, and each is restored exactly', () => {
  const large = { ...centredCover, scale: 2 }
  const turned = { ...centredCover, rotation: 90 }
  const said = { poster: large, canvas: { ...large }, mug: turned }
  const agreed = placingOf([print, otherPrint, mug], said)
  assert.deepEqual(agreed.own, {})
  const differing = placingOf([print, otherPrint, mug], { ...said, canvas: turned })
  assert.deepEqual(Object.keys(differing.own), ['canvas'])
  for (const [placing, canvas] of [
    [agreed, large],
    [differing, turned],
  ] as const) {
    assert.deepEqual(galleryPlacementOf(placing, print), large)
    assert.deepEqual(galleryPlacementOf(placing, otherPrint), canvas)
    assert.deepEqual(galleryPlacementOf(placing, mug), turned)
  }
})
