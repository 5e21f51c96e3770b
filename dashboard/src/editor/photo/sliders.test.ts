import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDrawing } from '@vitrine/photo'
import { drawingOfDraft } from './drawing-of-draft.ts'
import { newPhotoDraft } from './open-product-photo.ts'
import { type PhotoDraft, productKinds } from './photo-draft.ts'
import { cameraSliders, lightSliders, type SliderOf, shapeSliders, withValue } from './sliders.ts'

const size = { widthPx: 400, heightPx: 300 }
const asked = [-1e6, -1, 0, 0.5, 1, 1e6]

/** Names of the sliders that something has, each of whose values makes a drawing. */
function slidersOf<Of>(sliders: readonly SliderOf<Of>[], of: Of, draftWith: (of: Of) => PhotoDraft): string[] {
  const own = sliders.filter(({ read }) => read(of) !== null)
  for (const slider of own)
    for (const value of asked) {
      const set = withValue(slider, of, value)
      parseDrawing(drawingOfDraft(draftWith(set)))
      const read = slider.read(set)
      assert.ok(read !== null && read >= slider.from && read <= slider.to, `${slider.name} ${value}: ${read}`)
      assert.notEqual(slider.words(read, set), '')
    }
  return own.map(({ name }) => name)
}

test('whatever a slider is set to makes a drawing, and each kind of frame has its own', () => {
  const own = productKinds.map(kind => {
    const draft = newPhotoDraft({ photo: new Blob(), ...size, notice: null }, 'a', kind)
    const names = draft.frames.flatMap(frame =>
      slidersOf([...shapeSliders(draft), ...lightSliders], frame, set => ({ ...draft, frames: [set] })),
    )
    return [kind, ...names, ...slidersOf(cameraSliders, draft, set => set)].join(' ')
  })
  assert.deepEqual(own, [
    'flat gloss lens',
    'body width turn top bottom gloss lens',
    'shirt bulge gloss lens',
    'cushion bulge gloss lens',
    'warp gloss lens',
  ])
})

test('artwork keeps its width however it is turned', () => {
  const { frames } = newPhotoDraft({ photo: new Blob(), ...size, notice: null }, 'a', 'body')
  const [width, turn] = ['width', 'turn'].map(name => shapeSliders(size).find(slider => slider.name === name))
  assert.ok(width && turn && frames[0])
  const turned = withValue(turn, withValue(width, frames[0], 280), -120)
  assert.deepEqual([width.read(turned), turn.read(turned)], [280, -120])
})

test('a brightness of prints is for a colour that the photo tells, a distance for an outline that is known', () => {
  const draft = newPhotoDraft({ photo: new Blob(), ...size, notice: null }, 'a', 'cushion')
  const stroke = { points: [[100, 100] as const], radius: 20, erases: false }
  const product = { name: 'cover', color: null, strokes: [stroke], dyes: true, suggestions: [] }
  const names = draft.frames.flatMap(frame => {
    const { shape } = frame
    assert.ok(shape.kind === 'cloth')
    const own = { ...frame, color: null, shape: { ...shape, inset: 3 } }
    const sliders = [...shapeSliders(draft), ...lightSliders]
    return slidersOf(sliders, own, set => ({ ...draft, product, frames: [set] }))
  })
  assert.deepEqual(names, ['bulge', 'inset', 'brightness'])
})
