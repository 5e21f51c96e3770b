import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Layer, LayerEffectStroke } from 'ag-psd'
import { asArtwork, drawImported, flatArtwork, pixelAt } from './draw-imported.ts'
import { CONTENT_ID, paint, pixelLayer, type Rgba, smartLayer, writePsd } from './make-psd.ts'
import { designPng } from './mockup-file.ts'

const ground: Rgba = [200, 100, 50]
const green = flatArtwork([0, 255, 0])
const px = (value: number) => ({ units: 'Pixels' as const, value })

/** The design at 20..68 x 16..52, in what a function puts around it. */
function filePsd(around: (design: Layer) => Layer[], look: Layer = {}, hasGround = true): Uint8Array {
  const design = smartLayer('Your design', [20, 16, 68, 16, 68, 52, 20, 52], { width: 48, height: 36 }, look)
  const below = hasGround ? [pixelLayer('ground', 0, 0, paint(96, 72, ground))] : []
  return writePsd(96, 72, [...below, ...around(design)], {
    merged: paint(96, 72, ground),
    linked: [{ id: CONTENT_ID, name: 'design.png', type: 'png ', data: designPng }],
  })
}

const group = (more: Layer, ...children: Layer[]): Layer => ({ name: 'group', blendMode: 'normal', children, ...more })
const stroke: LayerEffectStroke = {
  enabled: true,
  size: px(4),
  position: 'outside',
  color: { r: 0, g: 0, b: 255 },
  opacity: 1,
}
const shade = {
  enabled: true,
  size: px(0),
  distance: px(8),
  angle: 180,
  color: { r: 0, g: 0, b: 0 },
  opacity: 1,
  blendMode: 'normal' as const,
  useGlobalLight: false,
}

describe('a group around the design', () => {
  test('has its fill opacity, isolated or not', async () => {
    for (const blendMode of ['normal', 'pass through'] as const) {
      const { drawn } = await drawImported(
        filePsd(design => [group({ blendMode, fillOpacity: 0.5 }, design)]),
        green,
      )
      const [red = 0, other = 0, blue = 0] = pixelAt(drawn, 40, 30)
      assert.ok(Math.abs(red - 100) <= 1 && Math.abs(other - 177) <= 1 && Math.abs(blue - 25) <= 1, blendMode)
    }
  })

  test('draws its effects along the new artwork, isolated or not', async () => {
    const data = new Uint8Array(48 * 36 * 4)
    for (let k = 0; k < 48 * 36; k++) if (k % 48 < 24) data.set([0, 255, 0, 255], 4 * k)
    const half = asArtwork({ alpha: 'straight', widthPx: 48, heightPx: 36, data })
    for (const blendMode of ['normal', 'pass through'] as const) {
      const effects = { stroke: [stroke], dropShadow: [shade] }
      const { drawn, report } = await drawImported(
        filePsd(design => [group({ blendMode, effects }, design)]),
        half,
      )
      assert.deepEqual(
        [17, 30, 46].map(x => pixelAt(drawn, x, 30)),
        [
          [0, 0, 255],
          [0, 255, 0],
          [0, 0, 255],
        ],
      )
      assert.deepEqual(
        [50, 60].map(x => pixelAt(drawn, x, 30)),
        [[0, 0, 0], ground.slice(0, 3)],
      )
      assert.ok(report.notes.every(({ text }) => !text.includes('effects')))
    }
  })

  test('with more in it draws them along its saved shape, and says so where another shape could be seen', async () => {
    const effects = { stroke: [stroke], dropShadow: [shade] }
    // The whole frame, and all of it but a column of pixels.
    for (const [left, isCovered] of [
      [10, true],
      [21, false],
    ] as const) {
      const badge = pixelLayer('badge', left, 10, paint(80 - left, 46, [255, 255, 255]))
      for (const blendMode of ['normal', 'pass through'] as const) {
        const { drawn, report } = await drawImported(
          filePsd(design => [group({ blendMode, effects }, badge, design)]),
          green,
        )
        assert.deepEqual([pixelAt(drawn, 40, 30), pixelAt(drawn, 82, 30)], [[0, 255, 0], ground.slice(0, 3)], blendMode)
        const isTold = report.notes.some(
          ({ kind, text }) => kind === 'approximated' && text.includes('shape that is saved'),
        )
        assert.equal(isTold, !isCovered, `${left}, ${blendMode}`)
      }
    }
  })

  test('whose rest is half clear, or ends within the frame, says so', async () => {
    const effects = { stroke: [stroke] }
    for (const badge of [
      pixelLayer('badge', 10, 10, paint(60, 46, [255, 255, 255, 128])),
      pixelLayer('badge', 10, 10, paint(60, 46, [255, 255, 255]), { opacity: 0.5 }),
      pixelLayer('badge', 10, 10, paint(40, 46, [255, 255, 255])),
    ]) {
      const { report } = await drawImported(
        filePsd(design => [group({ effects }, badge, design)]),
        green,
      )
      assert.ok(report.notes.some(({ text }) => text.includes('shape that is saved')))
    }
  })

  test('of two, with multiply in the inner one, is drawn as the layers are', async () => {
    const { drawn } = await drawImported(
      filePsd(design => [group({ blendMode: 'pass through', effects: { dropShadow: [shade] } }, design)], {
        blendMode: 'multiply',
      }),
      green,
    )
    assert.deepEqual(pixelAt(drawn, 40, 30), [0, 100, 0])
  })
})

describe('blending clipped layers not as a group', () => {
  const clip =
    (base: Layer) =>
    (design: Layer): Layer[] => [
      pixelLayer('shape', 40, 30, paint(60, 60, [255, 0, 0]), { blendClippendElements: false, ...base }),
      { ...design, clipping: true },
    ]

  test('shows a design on a base that is not filled', async () => {
    const { drawn } = await drawImported(filePsd(clip({ fillOpacity: 0 })), green)
    assert.deepEqual([pixelAt(drawn, 50, 40), pixelAt(drawn, 30, 25)], [[0, 255, 0], ground.slice(0, 3)])
  })

  test("keeps the base's mode from the design", async () => {
    const { drawn } = await drawImported(filePsd(clip({ blendMode: 'multiply' })), green)
    assert.deepEqual(pixelAt(drawn, 50, 40), [0, 255, 0])
    const multiplied = await drawImported(
      filePsd(clip({ blendMode: 'multiply' }), { blendMode: 'multiply' }),
      flatArtwork([128, 255, 255]),
    )
    assert.deepEqual(pixelAt(multiplied.drawn, 50, 40), [100, 0, 0])
  })

  test('of layers above the design blends each with it', async () => {
    const base = pixelLayer('light', 30, 20, paint(20, 20, [255, 0, 0]), {
      fillOpacity: 0,
      blendClippendElements: false,
    })
    const clipped = pixelLayer('clipped', 30, 20, paint(20, 20, [0, 128, 0]), { clipping: true, blendMode: 'multiply' })
    const { drawn } = await drawImported(
      filePsd(design => [design, base, clipped]),
      green,
    )
    assert.deepEqual(pixelAt(drawn, 40, 30), [0, 128, 0])
  })
})

describe('layers clipped to an adjustment layer or a pass-through group', () => {
  const white = flatArtwork([255, 255, 255])
  const area = (name: string, color: Rgba, more: Layer = {}): Layer =>
    pixelLayer(name, 30, 20, paint(20, 20, color), more)
  const invert: Layer = { name: 'invert', adjustment: { type: 'invert' } }
  const passing = (more: Layer, ...children: Layer[]): Layer =>
    group({ blendMode: 'pass through', ...more }, ...children)
  /** In the area, and beside it: drawn into every mockup, or into the scene under a design of white light. */
  async function drawBoth(layers: Layer[]): Promise<{ above: number[][]; below: number[][]; texts: string[] }> {
    const points = (drawn: Parameters<typeof pixelAt>[0]) => [pixelAt(drawn, 40, 30), pixelAt(drawn, 60, 30)]
    const over = await drawImported(
      filePsd(design => [design, ...layers]),
      green,
    )
    const onGreen = pixelLayer('green', 0, 0, paint(96, 72, [0, 255, 0]))
    const under = await drawImported(
      filePsd(design => [onGreen, ...layers, design], { blendMode: 'multiply' }),
      white,
    )
    const texts = over.report.notes.map(({ text }) => text)
    return { above: points(over.drawn), below: points(under.drawn), texts }
  }

  test('blend with the adjusted colours, as much as the adjustment shows', async () => {
    const clipped = area('clipped', [0, 200, 255], { clipping: true, blendMode: 'multiply' })
    const { above, below, texts } = await drawBoth([{ ...invert, opacity: 0.5 }, clipped])
    const wanted = [
      [0, 128, 128],
      [128, 128, 128],
    ]
    assertNear(above, wanted)
    assertNear(below, wanted)
    assert.deepEqual(texts, [])
  })

  test('blend with what the layers of the group are blended with', async () => {
    const clipped = area('clipped', [0, 0, 255], { clipping: true, blendMode: 'screen' })
    const { above, below, texts } = await drawBoth([
      passing({}, area('red', [255, 0, 0], { blendMode: 'multiply' })),
      clipped,
    ])
    const wanted = [
      [0, 0, 255],
      [0, 255, 0],
    ]
    assertNear(above, wanted)
    assertNear(below, wanted)
    assert.deepEqual(texts, [])
  })

  test('keep adjustments of the group within its layers, as its fill opacity does', async () => {
    const clipped = area('clipped', [0, 0, 0, 0], { clipping: true })
    for (const layers of [
      [passing({}, area('red', [255, 0, 0]), invert), clipped],
      [passing({ fillOpacity: 0.5 }, area('red', [255, 0, 0]), invert)],
    ]) {
      const { above, below, texts } = await drawBoth(layers)
      const wanted = [layers.length > 1 ? [0, 255, 255] : [0, 255, 128], [0, 255, 0]]
      assertNear(above, wanted)
      assertNear(below, wanted)
      assert.deepEqual(texts, [])
    }
  })

  test('are looked for once, however groups are nested', async () => {
    let nested = passing({ fillOpacity: 0.5 }, area('red', [255, 0, 0]), invert)
    for (let depth = 0; depth < 28; depth++) nested = passing({ fillOpacity: 0.99 }, nested)
    const { drawn } = await drawImported(
      filePsd(design => [nested, design]),
      green,
    )
    assert.deepEqual(pixelAt(drawn, 60, 30), [0, 255, 0])
  })

  test('and what is not drawn as in Photoshop are named', async () => {
    const red = area('red', [255, 0, 0], { blendMode: 'multiply' })
    const clipped = area('clipped', [0, 0, 255], { clipping: true })
    const inGroup = await drawBoth([passing({}, red, invert), clipped])
    assert.match(
      inGroup.texts.join(),
      /^layers in it do not blend with what is below the group, for layers are clipped/,
    )
    const filled = await drawBoth([passing({ fillOpacity: 0.5 }, red, invert)])
    assert.match(filled.texts.join(), /^layers in it do not blend with what is below the group, for the Fill of/)
    const multiplied = await drawBoth([{ ...invert, blendMode: 'multiply' }, clipped])
    assert.deepEqual(multiplied.texts, ['what is clipped to it is drawn without its blending mode'])
  })

  test('lie on a design that multiplies in the group, within its saved shape, which is said', async () => {
    const { drawn, report } = await drawImported(
      filePsd(design => [passing({}, design), area('clipped', [0, 0, 255], { clipping: true, blendMode: 'screen' })], {
        blendMode: 'multiply',
      }),
      green,
    )
    assertNear(
      [pixelAt(drawn, 40, 30), pixelAt(drawn, 60, 30)],
      [
        [0, 100, 255],
        [0, 100, 0],
      ],
    )
    assert.deepEqual(
      report.notes.map(({ text }) => text),
      ['what is clipped to it is drawn within the shape that is saved, not within that of the artwork'],
    )
  })

  test('may be the design itself', async () => {
    const { drawn } = await drawImported(
      filePsd(design => [invert, { ...design, clipping: true }]),
      green,
    )
    assertNear([pixelAt(drawn, 40, 30)], [[0, 255, 0]])
  })
})

function assertNear(found: readonly (readonly number[])[], wanted: readonly (readonly number[])[]): void {
  const isNear = found.every((color, i) => color.every((value, c) => Math.abs(value - (wanted[i]?.[c] ?? -9)) <= 1))
  assert.ok(isNear && found.length === wanted.length, `${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`)
}

describe('an artboard', () => {
  const board =
    (right: number, more: object): ((design: Layer) => Layer[]) =>
    design => [
      {
        name: 'Artboard 1',
        blendMode: 'pass through',
        artboard: {
          rect: { left: 0, top: 0, right, bottom: 72 },
          presetName: '',
          backgroundType: 4,
          color: { r: 100, g: 160, b: 120 },
          ...more,
        },
        children: [design],
      },
    ]

  test('has its colour under the design', async () => {
    const { drawn } = await drawImported(filePsd(board(96, {}), { blendMode: 'multiply' }, false), green)
    assert.deepEqual(pixelAt(drawn, 40, 30), [0, 160, 0])
    const white = await drawImported(filePsd(board(96, { backgroundType: 1 }), { blendMode: 'multiply' }, false), green)
    assert.deepEqual(pixelAt(white.drawn, 40, 30), [0, 255, 0])
  })

  test('ends the design at its sides', async () => {
    const { drawn } = await drawImported(filePsd(board(44, {}), {}), green)
    assert.deepEqual(
      [43, 44].map(x => pixelAt(drawn, x, 30)),
      [[0, 255, 0], ground.slice(0, 3)],
    )
  })
})
