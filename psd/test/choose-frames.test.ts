import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Layer } from 'ag-psd'
import { chooseFrames, findCandidates } from '../src/converting/choose-frames.ts'
import { scoreName } from '../src/converting/design-names.ts'
import { openDocument } from '../src/reading/open-document.ts'
import { smartLayer, writePsd } from './make-psd.ts'

/** A square smart object of a file of its own. */
function square(name: string, sizePx: number, file: string, more: Layer = {}): Layer {
  const layer = smartLayer(name, [0, 0, sizePx, 0, sizePx, sizePx, 0, sizePx], { width: sizePx, height: sizePx }, more)
  const id = `20953ddb-9391-11ec-b4f1-${file.padStart(12, '0')}`
  if (layer.placedLayer) Object.assign(layer.placedLayer, { id })
  return layer
}

function choose(layers: Layer[], names: readonly string[] = []): string[] {
  const document = openDocument(writePsd(200, 200, layers))
  return chooseFrames(document, findCandidates(document), names).map(each => `${each.name}: ${each.chosenBecause}`)
}

test('names that say where the design goes are known in the languages of sold mockups', () => {
  const clearest = ['Your design', 'Your Logo Here', 'Dein Entwurf', 'Votre visuel', 'Tu diseño aquí', 'Seu arte']
  const others = ['La tua immagine', 'Jouw ontwerp', 'Twój projekt', 'Ваш дизайн', 'Senin tasarım', 'デザインを配置']
  for (const name of [...clearest, ...others]) assert.ok(scoreName(name) >= 4, name)
  for (const name of ['@front', 'Double click to edit', 'Doppelklick', 'Вставьте сюда', 'Place artwork']) {
    assert.ok(scoreName(name) >= 2, name)
  }
  for (const name of ['Design', 'mock-up écran', 'Plakat', 'логотип', 'ロゴ']) assert.ok(scoreName(name) >= 1, name)
})

test('a part of another word, and a name that Photoshop gave, say nothing', () => {
  const words = ['Photoshop', 'Credit', 'Discovery', 'marketplace', 'Blueprint', 'Screensaver', 'Heart', 'Imaginary']
  const given = ['Vector Smart Object', 'Vector Smart Object copy 2', 'Smart Object', 'Vektor-Smart-Objekt', 'Layer 12']
  for (const name of [...words, ...given]) assert.equal(scoreName(name), 0, name)
})

test('every instance of a chosen smart object is a frame, chosen by its name or by the user', () => {
  const layers = () => [square('Your design', 80, '1'), square('reflection', 60, '1'), square('leaf', 70, '2')]
  const expected = [
    'Your design: its name or its group says that the design goes here',
    'reflection: it shows the same file as "Your design"',
  ]
  assert.deepEqual(choose(layers()), expected)
  assert.deepEqual(choose(layers(), ['reflection']), [
    'Your design: it shows the same file as "reflection"',
    'reflection: it was chosen by its name',
  ])
})

test('an icon whose name fits is not a frame beside a large one', () => {
  assert.deepEqual(choose([square('Poster', 150, '1'), square('Photo', 10, '2')]), [
    'Poster: its name or its group says that the design goes here',
  ])
})

test('where no name tells, the largest is the frame if no other comes near it', () => {
  const ornaments = Array.from({ length: 5 }, (_, index) => square(`ornament ${index}`, 20, `${index + 2}`))
  assert.deepEqual(choose([square('Vector Smart Object', 150, '1'), ...ornaments]), [
    'Vector Smart Object: it is by far the largest smart object',
  ])
  assert.throws(() => choose(ornaments), /5 smart objects, and no name says which are for designs/)
})

test('a smart object whose descriptor has no corners is small beside others', () => {
  const document = openDocument(writePsd(200, 200, [square('Your design', 150, '1'), square('Your logo', 100, '2')]))
  const [, lost] = findCandidates(document)
  assert.ok(lost)
  Object.assign(lost.placed, { transform: undefined })
  assert.deepEqual(
    chooseFrames(document, findCandidates(document), []).map(({ name }) => name),
    ['Your design'],
  )
})

test('a smart object that is called like the product is no frame beside another one', () => {
  const largest = ': it is by far the largest smart object'
  for (const product of ['T-shirt', 'Template mug', 'Hintergrund', 'футболка']) {
    assert.deepEqual(choose([square(product, 200, '1'), square('ITA', 60, '2')]), [`ITA${largest}`], product)
  }
  assert.deepEqual(choose([square('T-shirt design', 200, '1'), square('ITA', 60, '2')]), [
    'T-shirt design: its name or its group says that the design goes here',
  ])
  assert.deepEqual(choose([square('Mug', 150, '1')]), [
    'Mug: no name says where the design goes, and there are few smart objects',
  ])
})
