import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BezierPath, BooleanOperation, Layer, LayerMaskData } from 'ag-psd'
import { drawImported, flatArtwork, pixelAt } from './draw-imported.ts'
import { paint, pixelLayer, type Rgba } from './make-psd.ts'
import { MOCKUP_HEIGHT, MOCKUP_WIDTH, mockupPsd } from './mockup-file.ts'

const ground = (x: number, y: number): Rgba => [200 - x, 180 - y, 150]

/** How much of a design at 20..68 x 16..52 shows in a pixel, by how blue it is. */
async function draw(masked: Layer): Promise<(x: number, y: number) => number> {
  const file = mockupPsd({ above: [], merged: ground, design: { blendMode: 'normal', ...masked } })
  const { drawn, report } = await drawImported(file, flatArtwork([0, 0, 255]))
  assert.deepEqual(report.notes, [])
  return (x, y) => ((pixelAt(drawn, x, y)[2] ?? 0) - 150) / 105
}

function assertShares(found: (x: number, y: number) => number, wanted: readonly (readonly number[])[]): void {
  for (const [x = 0, y = 0, share = 0] of wanted)
    assert.ok(Math.abs(found(x, y) - share) <= 0.012, `${x}, ${y}: ${found(x, y)}, not ${share}`)
}

/** Hides what lies right of x = 44. */
function leftHalf(more: Partial<LayerMaskData> = {}): LayerMaskData {
  const imageData = paint(MOCKUP_WIDTH, MOCKUP_HEIGHT, x => (x < 44 ? [255, 255, 255] : [0, 0, 0]))
  return { top: 0, left: 0, bottom: MOCKUP_HEIGHT, right: MOCKUP_WIDTH, defaultColor: 0, imageData, ...more }
}

type Knots = readonly (readonly [number, number, number, number, number, number])[]

function closedPath(operation: BooleanOperation, knots: Knots): BezierPath {
  return {
    open: false,
    operation,
    fillRule: 'even-odd',
    knots: knots.map(points => ({ linked: false, points: [...points] })),
  }
}

function rectangle(operation: BooleanOperation, left: number, top: number, right: number, bottom: number) {
  const corner = (x: number, y: number) => [x, y, x, y, x, y] as const
  return closedPath(operation, [corner(left, top), corner(right, top), corner(right, bottom), corner(left, bottom)])
}

/** Quarters of a circle by their usual handles. */
function circle(x: number, y: number, radius: number) {
  const handle = 0.5523 * radius
  return closedPath('combine', [
    [x - handle, y - radius, x, y - radius, x + handle, y - radius],
    [x + radius, y - handle, x + radius, y, x + radius, y + handle],
    [x + handle, y + radius, x, y + radius, x - handle, y + radius],
    [x - radius, y + handle, x - radius, y, x - radius, y - handle],
  ])
}

/** The integral of a Gaussian of sigma 1. */
const gaussian = (x: number): number => 0.5 * (1 + Math.sign(x) * Math.sqrt(1 - Math.exp((-2 * x * x) / Math.PI)))

describe('a mask of the design', () => {
  test('of paths shows what they enclose, and of a pixel at their edge the part inside', async () => {
    const paths = [rectangle('combine', 30.5, 20.25, 60, 40), rectangle('subtract', 36, 18, 40, 50)]
    const share = await draw({ vectorMask: { paths } })
    assertShares(share, [
      [29, 30, 0],
      [30, 30, 0.5],
      [33, 20, 0.75],
      [30, 20, 0.375],
      [33, 30, 1],
      [38, 30, 0],
      [50, 39, 1],
      [50, 40, 0],
      [60, 30, 0],
    ])
    const outside = await draw({ vectorMask: { paths, invert: true } })
    assertShares(outside, [
      [30, 30, 0.5],
      [33, 30, 0],
      [38, 30, 1],
    ])
  })

  test('of curves is as round as they are', async () => {
    const share = await draw({ vectorMask: { paths: [circle(44, 34, 12)] } })
    let area = 0
    for (let y = 20; y < 48; y++) {
      for (let x = 30; x < 58; x++) {
        const distance = Math.hypot(x + 0.5 - 44, y + 0.5 - 34)
        if (Math.abs(distance - 12) > 0.8) assertShares(share, [[x, y, distance < 12 ? 1 : 0]])
        area += share(x, y)
      }
    }
    assert.ok(Math.abs(area - Math.PI * 144) < 2, `${area}`)
  })

  test('of pixels and of paths show what both do', async () => {
    const share = await draw({ mask: leftHalf(), vectorMask: { paths: [rectangle('combine', 30.5, 18, 60, 50)] } })
    assertShares(share, [
      [26, 30, 0],
      [30, 30, 0.5],
      [40, 30, 1],
      [50, 30, 0],
    ])
  })

  test('with a density hides that much', async () => {
    const share = await draw({ mask: leftHalf({ userMaskDensity: 0.4 }) })
    assertShares(share, [
      [40, 30, 1],
      [50, 30, 0.6],
    ])
    // Photoshop stores what paths enclose beside them.
    const vectorMask = { paths: [rectangle('combine', 20, 16, 44, 52)] }
    const ofPaths = await draw({ mask: leftHalf({ fromVectorData: true, vectorMaskDensity: 0.25 }), vectorMask })
    assertShares(ofPaths, [
      [40, 30, 1],
      [50, 30, 0.75],
    ])
  })

  test('of pixels and of paths hide each as much as its own density says', async () => {
    const upper = paint(MOCKUP_WIDTH, MOCKUP_HEIGHT, (_, y) => (y < 34 ? [255, 255, 255] : [0, 0, 0]))
    const densities = { userMaskDensity: 0.5, vectorMaskDensity: 0.25 }
    const share = await draw({
      mask: leftHalf({ fromVectorData: true, ...densities }),
      realMask: leftHalf({ imageData: upper }),
      vectorMask: { paths: [rectangle('combine', 20, 16, 44, 52)] },
    })
    assertShares(share, [
      [40, 30, 1],
      [50, 30, 0.75],
      [40, 40, 0.5],
      [50, 40, 0.375],
    ])
  })

  test('with a feather is soft as a Gaussian', async () => {
    const share = await draw({ mask: leftHalf({ userMaskFeather: 3 }) })
    assertShares(
      share,
      Array.from({ length: 20 }, (_, i) => [34 + i, 34, gaussian((44 - (34.5 + i)) / 3)]),
    )
  })
})

describe('a shape above the design', () => {
  const paths = [rectangle('combine', 20, 16, 44, 52)]
  /** A blue shape over the left half of the design; its stored pixels have another colour. */
  function shape(mask: Partial<LayerMaskData>, more: Layer = {}): Layer {
    const vectorFill = { type: 'color' as const, color: { r: 0, g: 0, b: 255 } }
    const stored = pixelLayer('shape', 20, 16, paint(24, 36, [0, 0, 250]))
    return { ...stored, vectorFill, vectorMask: { paths }, mask: leftHalf({ fromVectorData: true, ...mask }), ...more }
  }
  async function drawShape(layer: Layer) {
    const file = mockupPsd({ above: [layer], merged: ground, design: { blendMode: 'normal' } })
    const { drawn, report } = await drawImported(file, flatArtwork([0, 255, 150]))
    const share = (x: number, y: number): number => ((pixelAt(drawn, x, y)[2] ?? 0) - 150) / 105
    return { share, texts: report.notes.map(({ text }) => text) }
  }

  test('shows its fill outside its path as the density and the feather of its mask say', async () => {
    const dense = await drawShape(shape({ vectorMaskDensity: 0.25 }))
    assertShares(dense.share, [
      [30, 30, 1],
      [50, 30, 0.75],
      [66, 30, 0.75],
    ])
    const soft = await drawShape(shape({ vectorMaskFeather: 3 }))
    assertShares(
      soft.share,
      Array.from({ length: 20 }, (_, i) => [34 + i, 34, gaussian((44 - (34.5 + i)) / 3)]),
    )
    // Without a stored mask, its path is one.
    const ofPath = await drawShape(shape({}, { mask: { vectorMaskDensity: 0.25, disabled: true } }))
    assertShares(ofPath.share, [
      [30, 30, 1],
      [50, 30, 0.75],
    ])
    assert.deepEqual([...dense.texts, ...soft.texts, ...ofPath.texts], [])
  })

  test('with a stroke is drawn without them, which the report says', async () => {
    const content = { type: 'color' as const, color: { r: 0, g: 0, b: 255 } }
    const vectorStroke = { strokeEnabled: true, lineWidth: { units: 'Pixels' as const, value: 2 }, content }
    const { share, texts } = await drawShape(shape({ vectorMaskDensity: 0.25 }, { vectorStroke }))
    assert.ok(share(50, 30) < 0.01)
    assert.match(texts.join(), /^the density or feather of its vector mask is not drawn: choose Layer > Rasterize/)
  })
})
