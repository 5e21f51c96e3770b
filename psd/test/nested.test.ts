import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Layer } from 'ag-psd'
import { adobeRgb } from '../../engine/test/color/profiles.ts'
import { chooseFrames, findCandidates } from '../src/converting/choose-frames.ts'
import { openDocument } from '../src/reading/open-document.ts'
import { asArtwork, drawImported, flatArtwork, pixelAt } from './draw-imported.ts'
import {
  CONTENT_ID,
  namedProfile,
  paint,
  pixelLayer,
  type Rgba,
  smartLayer,
  srgbProfile,
  withProfile,
  writePsd,
} from './make-psd.ts'
import { designPng } from './mockup-file.ts'

const CARD_ID = '20953ddb-9391-11ec-b4f1-c15674f50bc7'
const design = { id: CONTENT_ID, name: 'design.png', type: 'png ', data: designPng }
const paper: Rgba = [240, 230, 200]
const ground: Rgba = [100, 120, 140]
const blue = [0, 0, 255] as const

type Corners = Parameters<typeof smartLayer>[1]

/** A card of 60 x 40 pixels: paper, the design at 10..50 x 8..32, and a dark band over its left part. */
function cardPsd(more: Layer = {}): Uint8Array {
  const placed = smartLayer('Your design', [10, 8, 50, 8, 50, 32, 10, 32], { width: 48, height: 36 }, more)
  const band = pixelLayer('band', 0, 0, paint(20, 40, [128, 128, 128]), { blendMode: 'multiply' })
  return writePsd(60, 40, [pixelLayer('paper', 0, 0, paint(60, 40, paper)), placed, band], { linked: [design] })
}

/** The card in a scene of 96 x 72; a line of red lies over it. */
function scenePsd(
  corners: Corners,
  card: Uint8Array = cardPsd(),
  more: Layer = {},
  merged: Parameters<typeof paint>[2] = ground,
): Uint8Array {
  const placed = smartLayer('Card', corners, { width: 60, height: 40 }, more)
  if (placed.placedLayer) Object.assign(placed.placedLayer, { id: CARD_ID })
  const line = pixelLayer('line', 0, 35, paint(96, 2, [255, 0, 0]))
  return writePsd(96, 72, [pixelLayer('ground', 0, 0, paint(96, 72, ground)), placed, line], {
    merged: paint(96, 72, merged),
    linked: [{ id: CARD_ID, name: 'card.psb', type: '8BPS', data: card }],
  })
}

const straight: Corners = [20, 16, 80, 16, 80, 56, 20, 56]

/** What Photoshop shows of the straight one, the old design in magenta. */
function shownAt(x: number, y: number): Rgba {
  const [atX, atY] = [x - 20, y - 16]
  if (y === 35 || y === 36) return [255, 0, 0]
  if (atX < 0 || atX >= 60 || atY < 0 || atY >= 40) return ground
  const isDesign = atX >= 10 && atX < 50 && atY >= 8 && atY < 32
  const [r, g, b] = isDesign ? [255, 0, 255] : paper
  return atX < 20 ? [r / 2, g / 2, b / 2] : [r, g, b]
}

describe('a design in a smart object in the scene', () => {
  test('is found, named by its path, and drawn with what lies below and above it there', async () => {
    const { drawn, template, report } = await drawImported(
      scenePsd(straight, cardPsd(), {}, shownAt),
      flatArtwork(blue),
    )
    assert.deepEqual(
      report.frames.map(({ name, kind }) => [name, kind]),
      [['Card / Your design', 'corners']],
    )
    assert.equal(template.frames.length, 1)
    assert.deepEqual(pixelAt(drawn, 60, 30), [...blue])
    assert.deepEqual(pixelAt(drawn, 36, 30), [0, 0, 128], 'under the band')
    assert.deepEqual(pixelAt(drawn, 75, 30), paper.slice(0, 3))
    assert.deepEqual(pixelAt(drawn, 24, 30), [120, 115, 100])
    assert.deepEqual([pixelAt(drawn, 10, 10), pixelAt(drawn, 60, 36)], [ground.slice(0, 3), [255, 0, 0]])
  })

  test('lies as both transforms say', async () => {
    // A quarter turn to the right, half as large again: the card's left end is up.
    const turned: Corners = [78, 2, 78, 70, 10, 70, 10, 2]
    const { template, drawn } = await drawImported(scenePsd(turned), flatArtwork(blue))
    const [frame] = template.frames
    const corners = frame?.placement.kind === 'corners' ? frame.placement.corners : []
    const expected = [
      [64.4, 13.333],
      [64.4, 58.667],
      [23.6, 58.667],
      [23.6, 13.333],
    ]
    for (const [index, corner] of expected.entries()) {
      for (const axis of [0, 1] as const) {
        assert.ok(Math.abs((corners[index]?.[axis] ?? 0) - (corner[axis] ?? 0)) < 0.01, JSON.stringify(corners))
      }
    }
    assert.deepEqual([pixelAt(drawn, 40, 50), pixelAt(drawn, 40, 18)], [[...blue], [0, 0, 128]])
  })

  test('is cut by its card, and changes in every instance of it', async () => {
    const wide: Corners = [-20, -20, 80, -20, 80, 60, -20, 60]
    const inner = smartLayer('Your design', wide, { width: 48, height: 36 })
    const card = writePsd(60, 40, [inner], { linked: [design] })
    const instance = (name: string, left: number): Layer => {
      const [right, corners] = [left + 30, [left, 16, left + 30, 16, left + 30, 36, left, 36] as const]
      const placed = smartLayer(name, corners, { width: 60, height: 40 })
      if (placed.placedLayer) Object.assign(placed.placedLayer, { id: CARD_ID })
      return { ...placed, right }
    }
    const file = writePsd(
      96,
      72,
      [pixelLayer('ground', 0, 0, paint(96, 72, ground)), instance('a', 10), instance('b', 50)],
      {
        merged: paint(96, 72, ground),
        linked: [{ id: CARD_ID, name: 'card.psb', type: '8BPS', data: card }],
      },
    )
    const { report, template, drawn } = await drawImported(file, flatArtwork(blue))
    assert.deepEqual(
      report.frames.map(({ name }) => name),
      ['a / Your design', 'b / Your design'],
    )
    assert.deepEqual(new Set(template.frames.map(({ slot }) => slot)).size, 1)
    for (const x of [12, 38, 52, 78]) assert.deepEqual(pixelAt(drawn, x, 26), [...blue], `${x}`)
    for (const x of [7, 45, 85]) assert.deepEqual(pixelAt(drawn, x, 26), ground.slice(0, 3), `${x}`)
    assert.equal(template.stack, null, 'frames alone say all of it')
  })

  test('has the effects of its layer as large as the card', async () => {
    const stroke = {
      enabled: true,
      size: { units: 'Pixels' as const, value: 4 },
      position: 'outside' as const,
      color: { r: 0, g: 255, b: 0 },
      opacity: 1,
    }
    const card = cardPsd({ effects: { stroke: [stroke] } })
    const { template } = await drawImported(scenePsd([20, 16, 50, 16, 50, 36, 20, 36], card), flatArtwork(blue))
    const [effect] = template.frames[0]?.effects ?? []
    assert.ok(effect?.kind === 'stroke' && Math.abs(effect.width - 2) < 0.01, JSON.stringify(effect))
  })

  test('lies on the colours of its card as they are seen, in another profile than the scene', async () => {
    // 255, 0, 0 of sRGB, and a colour of it in Adobe RGB, both ways.
    const inAdobe: Rgba = [219, 0, 0]
    const cardOf = (color: Rgba): Uint8Array => {
      const placed = smartLayer('Your design', [20, 8, 50, 8, 50, 32, 20, 32], { width: 48, height: 36 })
      return writePsd(60, 40, [pixelLayer('paper', 0, 0, paint(60, 40, color)), placed], { linked: [design] })
    }
    const data = new Uint8Array(48 * 36 * 4)
    for (let k = 0; k < 48 * 36; k++) if (k % 48 < 24) data.set([...blue, 255], 4 * k)
    const leftHalf = asArtwork({ alpha: 'straight', widthPx: 48, heightPx: 36, data })
    for (const [card, scene] of [
      [withProfile(cardOf(inAdobe), adobeRgb.profile), null],
      [withProfile(cardOf(inAdobe), adobeRgb.profile), adobeRgb.profile],
      [withProfile(cardOf([255, 0, 0]), srgbProfile()), adobeRgb.profile],
    ] as const) {
      const file = scenePsd(straight, card)
      const { drawn, report } = await drawImported(withProfile(file, scene ?? srgbProfile()), leftHalf)
      const [red = 0, green = 0, other = 0] = pixelAt(drawn, 60, 30)
      assert.ok(red >= 254 && green <= 2 && other <= 2, `${red}, ${green}, ${other}`)
      assert.deepEqual(pixelAt(drawn, 45, 30), [...blue])
      assert.ok(report.notes.every(({ text }) => !text.includes('not converted')))
    }
  })

  test('lies on a card whose profile cannot be read, and says so', async () => {
    const file = scenePsd(straight, withProfile(cardPsd(), namedProfile('A monitor')))
    const { report } = await drawImported(withProfile(file, srgbProfile()), flatArtwork(blue))
    assert.ok(report.notes.some(({ layer, text }) => layer === 'Card' && text.includes('are not converted')))
  })

  test('is found in a file whose id is that of a file in it', async () => {
    const placed = smartLayer('Card', straight, { width: 60, height: 40 })
    const file = writePsd(96, 72, [pixelLayer('ground', 0, 0, paint(96, 72, ground)), placed], {
      linked: [{ id: CONTENT_ID, name: 'card.psb', type: '8BPS', data: cardPsd() }],
    })
    const { report } = await drawImported(file, flatArtwork(blue))
    assert.deepEqual(
      report.frames.map(({ name }) => name),
      ['Card / Your design'],
    )
  })

  test('is not looked for where the name of the smart object around it says that it is replaced', () => {
    const names = (name: string, asked: readonly string[] = []): string[] => {
      const document = openDocument(scenePsd(straight, cardPsd(), { name }))
      return chooseFrames(document, findCandidates(document), asked).map(each => each.name)
    }
    assert.deepEqual(names('Double click to edit'), ['Double click to edit'])
    assert.deepEqual(names('Your artwork'), ['Your artwork'])
    assert.deepEqual(names('Front'), ['Front / Your design'])
    assert.deepEqual(names('Your artwork', ['Your artwork / Your design']), ['Your artwork / Your design'])
    assert.throws(() => names('Front', ['Front', 'Front / Your design']), /"Front \/ Your design" lies in "Front"/)
  })
})
