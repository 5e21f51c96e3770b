import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OpaquePixmap, StraightPixmap } from '@vitrine/engine'
import type { Layer, LayerEffectsInfo } from 'ag-psd'
import { asArtwork, drawImported, pixelAt } from './draw-imported.ts'
import { CONTENT_ID, paint, pixelLayer, type Rgba, smartLayer, writePsd } from './make-psd.ts'
import { designPng } from './mockup-file.ts'

const ground = [200, 180, 150] as const
const old = [255, 0, 255] as const
const px = (value: number) => ({ units: 'Pixels' as const, value })
const red = { r: 255, g: 0, b: 0 }

/** A design at 20..68 x 16..52 of 96 x 72; all that Photoshop shows of it and its effects is magenta. */
function filePsd(effects: LayerEffectsInfo, more: Layer = {}, below: Layer[] = []): Uint8Array {
  const design = smartLayer(
    'Your design here',
    [20, 16, 68, 16, 68, 52, 20, 52],
    { width: 48, height: 36 },
    { effects, ...more },
  )
  const isOld = (x: number, y: number): boolean => x >= 16 && x < 72 && y >= 12 && y < 56
  return writePsd(96, 72, [pixelLayer('ground', 0, 0, paint(96, 72, ground)), ...below, design], {
    merged: paint(96, 72, (x, y): Rgba => (isOld(x, y) ? old : ground)),
    linked: [{ id: CONTENT_ID, name: 'design.png', type: 'png ', data: designPng }],
  })
}

/** Blue in its left half, clear in the right one. */
const half: StraightPixmap = { alpha: 'straight', widthPx: 48, heightPx: 36, data: new Uint8Array(48 * 36 * 4) }
for (let k = 0; k < 48 * 36; k++) if (k % 48 < 24) half.data.set([0, 0, 255, 255], 4 * k)
const artwork = asArtwork(half)
const importAndDraw = (file: Uint8Array, widthPx?: number) =>
  drawImported(file, artwork, widthPx === undefined ? {} : { widthPx })
const at = pixelAt

describe('effects of a design', () => {
  test('are drawn along the new artwork, and nothing is left of the old ones', async () => {
    const stroke = { enabled: true, size: px(4), position: 'outside' as const, color: red, opacity: 1 }
    const dropShadow = {
      enabled: true,
      size: px(0),
      distance: px(8),
      angle: 180,
      color: { r: 0, g: 0, b: 0 },
      opacity: 0.5,
      blendMode: 'multiply' as const,
      useGlobalLight: false,
    }
    const { drawn, report } = await importAndDraw(filePsd({ stroke: [stroke], dropShadow: [dropShadow] }))
    assert.deepEqual([at(drawn, 30, 30), at(drawn, 17, 30), at(drawn, 46, 30)], [[0, 0, 255], [...red3], [...red3]])
    assert.deepEqual(at(drawn, 50, 30), [100, 90, 75], 'the shadow of the half')
    for (const x of [60, 70, 75]) assert.deepEqual(at(drawn, x, 30), [...ground], `${x}`)
    assert.deepEqual(at(drawn, 12, 30), [...ground])
    assert.ok(report.notes.every(({ text }) => !text.includes('outline')))
  })

  test('are spared by fill opacity', async () => {
    const solidFill = [{ enabled: true, color: red, opacity: 1, blendMode: 'normal' as const }]
    const { drawn } = await importAndDraw(filePsd({ solidFill }, { fillOpacity: 0 }))
    assert.deepEqual([at(drawn, 30, 30), at(drawn, 60, 30)], [[...red3], [...ground]])
    const shadow = { innerShadow: [{ enabled: true, size: px(0), distance: px(0), color: red, opacity: 1 }] }
    const { template } = await importAndDraw(filePsd(shadow, { fillOpacity: 0.2 }))
    assert.deepEqual([template.frames[0]?.fill, template.frames[0]?.opacity], [0.2, 1])
  })

  test('inside and of gradients are drawn on the artwork alone', async () => {
    const stop = (location: number, value: number) => ({
      color: { r: value, g: value, b: value },
      location,
      midpoint: 0.5,
    })
    // 4096 in the file, which ag-psd divides by the smoothness.
    const gradient = {
      type: 'solid' as const,
      name: 'ramp',
      smoothness: 0.5,
      colorStops: [stop(0, 0), stop(2, 255)],
      opacityStops: [
        { opacity: 1, location: 0, midpoint: 0.5 },
        { opacity: 1, location: 2, midpoint: 0.5 },
      ],
    }
    const overlay = { enabled: true, gradient, angle: 0, opacity: 1, type: 'linear' as const, blendMode: 'normal' }
    const innerGlow = { enabled: true, size: px(6), color: red, opacity: 1, blendMode: 'normal' as const, range: 0.5 }
    const { drawn } = await importAndDraw(filePsd({ gradientOverlay: [overlay], innerGlow }))
    const [edge, middle] = [at(drawn, 43, 34), at(drawn, 32, 34)]
    assert.ok((edge[0] ?? 0) > 220 && (edge[1] ?? 255) < 60, edge.join())
    assert.ok(
      middle.every(value => Math.abs(value - 61) <= 2),
      middle.join(),
    )
    assert.deepEqual(at(drawn, 60, 34), [...ground])
  })

  test('at the greatest distances of Photoshop take no more time or memory, and what is not drawn is noted', async () => {
    const soft = { enabled: true, size: px(250), choke: px(100), color: red, opacity: 1, useGlobalLight: false }
    const far = { ...soft, blendMode: 'normal' as const, distance: px(30_000), angle: 200 }
    const { drawn, report, template } = await importAndDraw(filePsd({ dropShadow: [far], innerShadow: [far] }))
    assert.deepEqual(at(drawn, 30, 30), [...red3], 'the inner shadow covers everything')
    assert.deepEqual(at(drawn, 60, 34), [...ground], 'the shadow is out of sight')
    assert.deepEqual(
      template.frames[0]?.effects.map(({ kind }) => kind),
      ['inner-shadow'],
    )
    assert.ok(report.notes.every(({ text }) => !/away/.test(text)))
  })

  test('with sizes that are no numbers are noted, and the others drawn', async () => {
    const soft = { enabled: true, color: red, opacity: 1, useGlobalLight: false, blendMode: 'normal' as const }
    const stroke = { enabled: true, size: px(4), position: 'outside' as const, color: red, opacity: 1 }
    const ends = [0, 1].map(location => ({ location, midpoint: 0.5, color: red, opacity: 1 }))
    const gradient = { name: '', type: 'solid' as const, smoothness: Number.NaN, colorStops: ends, opacityStops: ends }
    const overlay = { enabled: true, opacity: 1, blendMode: 'normal' as const, type: 'linear' as const, gradient }
    const broken: readonly (readonly [LayerEffectsInfo, string])[] = [
      [{ gradientOverlay: [overlay] }, 'gradient overlay'],
      [{ dropShadow: [{ ...soft, size: px(0), distance: px(Number.NaN) }] }, 'drop shadow'],
      [{ innerShadow: [{ ...soft, size: px(Number.NaN), distance: px(4) }] }, 'inner shadow'],
      [{ outerGlow: { ...soft, size: px(Number.NaN) } }, 'outer glow'],
    ]
    for (const [effects, name] of broken) {
      const { drawn, report } = await importAndDraw(filePsd({ stroke: [stroke], ...effects }))
      assert.deepEqual([at(drawn, 30, 30), at(drawn, 17, 30)], [[0, 0, 255], [...red3]])
      assert.match(
        report.notes.map(({ text }) => text).join(),
        new RegExp(`^its damaged ${name} is not drawn: draw it`),
      )
    }
  })

  test('of more than a template holds are the upper ones, and the others are noted', async () => {
    const shadow = { enabled: true, size: px(0), distance: px(4), color: red, opacity: 1, useGlobalLight: false }
    const twelve = Array.from({ length: 12 }, () => ({ ...shadow, blendMode: 'normal' as const }))
    const { report, template } = await importAndDraw(filePsd({ dropShadow: twelve, innerShadow: twelve }))
    const kinds = template.frames[0]?.effects.map(({ kind }) => kind) ?? []
    assert.deepEqual([kinds.length, kinds.filter(kind => kind === 'inner-shadow').length], [16, 12])
    const told = report.notes.filter(({ kind }) => kind === 'left-out').map(({ text }) => text)
    assert.match(told.join(), /^its lowest drop shadow is not drawn, for it has more than 16 effects/)
  })

  test('larger than Photoshop draws them are noted, on a design, on a layer and on a group of layers', async () => {
    const glow = { enabled: true, size: px(251), color: red, opacity: 1, blendMode: 'normal' as const }
    const card = (name: string): Layer => pixelLayer(name, 30, 22, paint(24, 20, [0, 255, 0]))
    const below = [
      { ...card('card'), effects: { outerGlow: glow } },
      { name: 'group', blendMode: 'pass through' as const, children: [card('inside')], effects: { outerGlow: glow } },
    ]
    const { report } = await importAndDraw(filePsd({ innerGlow: glow }, {}, below))
    const told = report.notes.flatMap(({ kind, layer, text }) => (kind === 'approximated' ? [`${layer}: ${text}`] : []))
    const drawnAs = "is drawn with a Size of 250 px, the greatest in Photoshop's Layer Style"
    assert.deepEqual(told.toSorted(), [
      `Your design here: its inner glow ${drawnAs}`,
      `card: its outer glow ${drawnAs}`,
      `group: its outer glow ${drawnAs}`,
    ])
    const greatest = await importAndDraw(filePsd({ innerGlow: { ...glow, size: px(250) } }))
    assert.deepEqual(greatest.report.notes, [])
  })

  test('of the whole layer, not of its shape, are named', async () => {
    const glow = { enabled: true, size: px(4), color: red, opacity: 1, blendMode: 'normal' as const }
    const { report } = await importAndDraw(filePsd({ innerGlow: glow }, { transparencyShapesLayer: false }))
    const [note] = report.notes
    assert.equal(note?.text, 'its effects are drawn along its shape, though "Transparency Shapes Layer" is off')
  })

  test('are as large as the template that they are reduced to', async () => {
    const stroke = { enabled: true, size: px(8), position: 'outside' as const, color: red, opacity: 1 }
    const { template, drawn } = await importAndDraw(filePsd({ stroke: [stroke] }), 48)
    const [effect] = template.frames[0]?.effects ?? []
    assert.ok(effect?.kind === 'stroke' && effect.width === 4)
    assert.deepEqual([at(drawn, 7, 17), at(drawn, 35, 17)], [[...red3], [...ground]])
  })
})

const red3 = [255, 0, 0] as const

describe('effects that are not drawn', () => {
  test('leave nothing of the old design beside the new one', async () => {
    const { drawn, report } = await importAndDraw(filePsd({ bevel: { enabled: true, size: px(6), style: 'emboss' } }))
    for (const x of [17, 60, 71]) assert.deepEqual(at(drawn, x, 30), [...ground], `${x}`)
    assert.ok(report.notes.some(({ kind, text }) => kind === 'left-out' && /bevel/.test(text)))
  })
})

describe('effects of the layer that a design is clipped to', () => {
  /** The design clipped to a green card of 24 x 20 at (30, 22). */
  async function drawClipped(more: Layer): Promise<OpaquePixmap> {
    const card = pixelLayer('card', 30, 22, paint(24, 20, [0, 255, 0]), more)
    const { drawn } = await importAndDraw(filePsd({}, { clipping: true }, [card]))
    return drawn
  }

  test('are drawn over the design, and shadows under it', async () => {
    const stroke = { enabled: true, size: px(3), position: 'inside' as const, color: red, opacity: 1 }
    const innerShadow = { enabled: true, size: px(0), distance: px(8), angle: 180, color: red, useGlobalLight: false }
    const dropShadow = { ...innerShadow, distance: px(6), opacity: 1, blendMode: 'normal' as const }
    const drawn = await drawClipped({ effects: { stroke: [stroke], dropShadow: [dropShadow] } })
    assert.deepEqual([at(drawn, 31, 30), at(drawn, 36, 30), at(drawn, 51, 30)], [[...red3], [0, 0, 255], [...red3]])
    assert.deepEqual([at(drawn, 57, 30), at(drawn, 27, 30)], [[...red3], [...ground]], 'the shadow')
    const inner = { ...innerShadow, blendMode: 'normal' as const, opacity: 1 }
    const dark = await drawClipped({ effects: { innerShadow: [inner] } })
    assert.deepEqual([at(dark, 35, 30), at(dark, 40, 30)], [[...red3], [0, 0, 255]])
  })

  test('are those of a shape too: its stroke', async () => {
    const drawn = await drawClipped({
      vectorStroke: { strokeEnabled: true, lineWidth: px(3), content: { type: 'color', color: red }, opacity: 1 },
    })
    assert.deepEqual([at(drawn, 31, 30), at(drawn, 36, 30), at(drawn, 51, 30)], [[...red3], [0, 0, 255], [...red3]])
  })

  test('are those of a shape at any width of its stroke', async () => {
    const content = { type: 'color' as const, color: red }
    // Photoshop's greatest is 1,200 px at 300 pixels per inch.
    const drawn = await drawClipped({ vectorStroke: { strokeEnabled: true, lineWidth: px(1e6), content, opacity: 1 } })
    assert.deepEqual([at(drawn, 31, 30), at(drawn, 42, 32), at(drawn, 27, 30)], [[...red3], [...red3], [...ground]])
  })
})

describe('effects of a layer under the design', () => {
  test('come from any distance, beyond the canvas too', async () => {
    const shadow = { enabled: true, size: px(0), color: red, angle: 180, opacity: 1, useGlobalLight: false }
    const dropShadow = [{ ...shadow, blendMode: 'normal' as const, distance: px(320) }]
    const card = pixelLayer('card', -270, 20, paint(12, 20, [0, 255, 0]), { effects: { dropShadow } })
    const { drawn } = await importAndDraw(filePsd({}, {}, [card]))
    const row = [48, 49, 50, 61, 62, 63].map(x => at(drawn, x, 30).join())
    assert.deepEqual(row, [ground, ground, red3, red3, ground, ground].map(String))
  })

  test('are spared by fill opacity', async () => {
    const solidFill = [{ enabled: true, color: red, opacity: 1, blendMode: 'normal' as const }]
    const card = pixelLayer('card', 0, 0, paint(96, 72, [0, 255, 0]), { fillOpacity: 0, effects: { solidFill } })
    const { drawn } = await importAndDraw(filePsd({}, {}, [card]))
    assert.deepEqual(at(drawn, 60, 34), [...red3])
  })
})
