import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { meshPoint, type Point } from '@vitrine/engine'
import type { Warp } from 'ag-psd'
import { styledMesh } from '../src/geometry/named-styles.ts'
import { drawImported, type Imported, pixelAt, ramp } from './draw-imported.ts'
import { smartLayer } from './make-psd.ts'
import { mockupPsd } from './mockup-file.ts'

const px = (value: number) => ({ units: 'Pixels' as const, value })
const bounds = { top: px(0), left: px(0), bottom: px(36), right: px(48) }
const plain: Warp = {
  value: 0,
  perspective: 0,
  perspectiveOther: 0,
  rotate: 'horizontal',
  bounds,
  uOrder: 4,
  vOrder: 4,
}

type Corners = readonly [number, number, number, number, number, number, number, number]

/** A mockup of a warped design of 48 x 36 pixels; `corners`: those of the bounds of the warp's points. */
function draw(warp: Warp, corners: Corners): Promise<Imported> {
  const { placedLayer, ...layer } = smartLayer('', corners, { width: 48, height: 36 })
  assert.ok(placedLayer)
  const design = { ...layer, name: 'Your design here', blendMode: 'normal' as const }
  const file = mockupPsd({ above: [], design: { ...design, placedLayer: { ...placedLayer, warp } } })
  return drawImported(file, ramp)
}

/** The point of a Bezier curve, by de Casteljau's construction. */
function along(points: readonly Point[], t: number): Point {
  const [first = [0, 0]] = points
  if (points.length === 1) return first
  const mixed = points.slice(1).map(([x, y], i): Point => {
    const [fromX, fromY] = points[i] ?? [0, 0]
    return [fromX + (x - fromX) * t, fromY + (y - fromY) * t]
  })
  return along(mixed, t)
}

/** The colour between pixels' centres. */
function colorAt({ drawn }: Imported, x: number, y: number): number[] {
  const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)]
  const [right, below] = [x - 0.5 - left, y - 0.5 - top]
  const corner = (dx: 0 | 1, dy: 0 | 1) => pixelAt(drawn, left + dx, top + dy)
  const [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)]
  return a.map((value, i) => {
    const upper = value + right * ((b[i] ?? 0) - value)
    const lower = (c[i] ?? 0) + right * ((d[i] ?? 0) - (c[i] ?? 0))
    return upper + below * (lower - upper)
  })
}

/** Asserts that each part of the design is drawn where a function says; `at`: shares of its sides. */
function assertLies(found: Imported, where: (u: number, v: number) => Point): void {
  assert.deepEqual(
    found.report.frames.map(({ kind }) => kind),
    ['uvmap'],
  )
  for (const v of [0.1, 0.3, 0.5, 0.7, 0.9]) {
    for (const u of [0.08, 0.25, 0.4, 0.6, 0.75, 0.92]) {
      const [x, y] = where(u, v)
      const color = colorAt(found, x, y)
      const wanted = [5 * (48 * u - 0.5), 7 * (36 * v - 0.5), 0]
      const isNear = wanted.every((value, c) => Math.abs(value - (color[c] ?? 0)) <= 3)
      assert.ok(isNear, `${u}, ${v} at ${x}, ${y}: ${color.join()}, not ${wanted.join()}`)
    }
  }
}

/** Rows of points as a file has them. */
const meshOf = (rows: readonly (readonly Point[])[]) => ({ meshPoints: rows.flat().map(([x, y]) => ({ x, y })) })

describe('a warp of the design', () => {
  test('with 4 x 4 points bends the new artwork as its patch', async () => {
    // Sides that bend inwards and upwards, and inner points of their own.
    const rows: readonly (readonly Point[])[] = [
      [
        [0, 6],
        [16, 0],
        [32, 0],
        [48, 6],
      ],
      [
        [6, 14],
        [18, 10],
        [34, 8],
        [44, 14],
      ],
      [
        [6, 26],
        [14, 24],
        [30, 20],
        [44, 26],
      ],
      [
        [0, 36],
        [16, 30],
        [32, 30],
        [48, 36],
      ],
    ]
    const found = await draw(
      { ...plain, style: 'custom', customEnvelopeWarp: meshOf(rows) },
      [20, 16, 68, 16, 68, 52, 20, 52],
    )
    assertLies(found, (u, v) => {
      const [x, y] = along(
        rows.map(row => along(row, u)),
        v,
      )
      return [20 + x, 16 + y]
    })
  })

  test('that is split goes on from patch to patch, at the places where it is split', async () => {
    // Split at a third of the width, and twice as wide left of it as right.
    const row = (y: number): readonly Point[] => [
      [0, y],
      [10.67, y - 3],
      [21.33, y + 3],
      [32, y],
      [37.33, y - 2],
      [42.67, y + 2],
      [48, y],
    ]
    const rows = [row(3), row(13), row(23), row(33)]
    const customEnvelopeWarp = { ...meshOf(rows), quiltSliceX: [-0.6, 16, 48.6], quiltSliceY: [-0.6, 36.6] }
    const found = await draw(
      { ...plain, style: 'custom', deformNumRows: 4, deformNumCols: 7, customEnvelopeWarp },
      [20, 16, 68, 16, 68, 52, 20, 52],
    )
    const part = (u: number): readonly [from: number, share: number] => (u < 1 / 3 ? [0, 3 * u] : [3, (3 * u - 1) / 2])
    assertLies(found, (u, v) => {
      const [from, share] = part(u)
      const [x, y] = along(
        rows.map(points => along(points.slice(from, from + 4), share)),
        v,
      )
      return [20 + x, 16 + y]
    })
  })

  test('of a named style bends the new artwork, in perspective too', async () => {
    // A flag at 20 %: the inner points of its rows go up and down by 2 x 36 x 0.2.
    const rows = [0, 36].map((y): readonly Point[] => [
      [0, y],
      [16, y - 14.4],
      [32, y + 14.4],
      [48, y],
    ])
    const flag: Warp = { ...plain, style: 'flag', value: 20 }
    const flat = await draw(flag, [20, 4, 68, 4, 68, 68.8, 20, 68.8])
    assertLies(flat, (u, v) => {
      const [x, y] = along(
        rows.map(row => along(row, u)),
        v,
      )
      return [20 + x, 4 + 14.4 + y]
    })
    // The right side of the points' bounds is half as high.
    const seen = await draw(flag, [20, 4, 68, 20.2, 68, 52.6, 20, 68.8])
    const project = ([x, y]: Point): Point => {
      const depth = 1 + x / 48
      return [20 + (2 * x) / depth, 4 + 32.4 + (14.4 + y - 32.4) / depth]
    }
    assertLies(seen, (u, v) => {
      // Two rows raised to four, as the patch has them.
      const [top = [], bottom = []] = rows
      const between = [0, 1, 2, 3].map(j =>
        top.map(([x, y], i): Point => [x, y + (((bottom[i]?.[1] ?? 0) - y) * j) / 3]),
      )
      return along(
        between.map(row => along(row.map(project), u)),
        v,
      )
    })
  })

  test('around a cylinder shows its front half', async () => {
    // The ends are half ellipses, a quarter of the width deep, within the bounds.
    const cylinder: Warp = { ...plain, style: 'cylinder', values: [0, 0, 0, 0, 0.5, 0.5] }
    const found = await draw(cylinder, [20, 10, 68, 10, 68, 58, 20, 58])
    assertLies(found, (u, v) => {
      const angle = (u - 0.5) * Math.PI
      return [44 + 24 * Math.sin(angle), 10 + 36 * v + 12 * Math.cos(angle)]
    })
  })
})

describe('the named styles of a warp', () => {
  const bent = (warp: Warp, x: number, y: number): Point => {
    const [atX, atY] = meshPoint(styledMesh({ ...plain, ...warp }, 200, 100), x, y)
    return [Math.round(atX * 10) / 10, Math.round(atY * 10) / 10]
  }
  /** Places of a design of 200 x 100, and where a bend of 50 % moves them: a chord of 200 rises by 41.4. */
  const moves: Readonly<Record<string, readonly (readonly [from: Point, to: Point])[]>> = {
    arc: [
      [
        [0, 100],
        [0, 100],
      ],
      [
        [100, 100],
        [100, 58.6],
      ],
      [
        [100, 0],
        [100, -41.4],
      ],
      [
        [0, 0],
        [-70.7, 29.3],
      ],
    ],
    arcLower: [
      [
        [100, 0],
        [100, 0],
      ],
      [
        [100, 100],
        [100, 141.4],
      ],
    ],
    arcUpper: [
      [
        [100, 0],
        [100, -41.4],
      ],
      [
        [100, 100],
        [100, 100],
      ],
    ],
    arch: [
      [
        [100, 0],
        [100, -41.4],
      ],
      [
        [100, 100],
        [100, 58.6],
      ],
      [
        [0, 0],
        [0, 0],
      ],
    ],
    bulge: [
      [
        [100, 0],
        [100, -41.4],
      ],
      [
        [100, 100],
        [100, 141.4],
      ],
    ],
    shellLower: [
      [
        [100, 0],
        [100, 0],
      ],
      [
        [100, 100],
        [100, 141.4],
      ],
      [
        [0, 100],
        [-70.7, 70.7],
      ],
    ],
    shellUpper: [
      [
        [100, 0],
        [100, -41.4],
      ],
      [
        [100, 100],
        [100, 100],
      ],
      [
        [0, 0],
        [-70.7, 29.3],
      ],
    ],
    flag: [
      [
        [50, 0],
        [50, -28.1],
      ],
      [
        [150, 0],
        [150, 28.1],
      ],
      [
        [50, 100],
        [50, 71.9],
      ],
    ],
    wave: [
      [
        [50, 0],
        [50, 0],
      ],
      [
        [50, 50],
        [50, 64.1],
      ],
      [
        [150, 50],
        [150, 35.9],
      ],
    ],
    fish: [
      [
        [50, 0],
        [50, -28.1],
      ],
      [
        [50, 100],
        [50, 128.1],
      ],
    ],
    rise: [
      [
        [0, 0],
        [0, 100],
      ],
      [
        [100, 0],
        [100, 50],
      ],
      [
        [200, 100],
        [200, 100],
      ],
    ],
    fisheye: [
      [
        [100, 50],
        [100, 50],
      ],
      [
        [50, 0],
        [50, 0],
      ],
      [
        [50, 25],
        [39.5, 19.7],
      ],
    ],
    inflate: [
      [
        [100, 0],
        [100, -12.5],
      ],
      [
        [0, 50],
        [-25, 50],
      ],
    ],
    squeeze: [
      [
        [100, 0],
        [100, -12.5],
      ],
      [
        [0, 50],
        [25, 50],
      ],
    ],
    twist: [
      [
        [100, 50],
        [100, 50],
      ],
      [
        [50, 25],
        [65.8, 25],
      ],
      [
        [150, 25],
        [150, 32.9],
      ],
    ],
  }
  test('move the edges and the middle as their formulas say, and nothing without a bend', () => {
    for (const [name, pairs] of Object.entries(moves)) {
      // as: the names of ag-psd
      const style = name as NonNullable<Warp['style']>
      for (const [[x, y], to] of pairs) {
        assert.deepEqual(bent({ style, value: 50 }, x, y), to, `${name} at ${x}, ${y}`)
        assert.deepEqual(bent({ style, value: 0 }, x, y), [x, y], name)
      }
    }
    assert.equal(Object.keys(moves).length, 15)
  })

  test('bend the other way, across, and with distortions', () => {
    assert.deepEqual(bent({ style: 'arch', value: -50 }, 100, 0), [100, 41.4])
    assert.deepEqual(bent({ style: 'arch', value: 50, rotate: 'vertical' }, 0, 50), [-20.7, 50])
    const tapered: Warp = { style: 'arch', value: 0, perspective: 50 }
    for (const rotate of ['horizontal', 'vertical'] as const)
      assert.deepEqual(
        [bent({ ...tapered, rotate }, 0, 0), bent({ ...tapered, rotate }, 200, 0)],
        [
          [0, 25],
          [200, -25],
        ],
      )
    const lying: Warp = { style: 'arch', value: 0, perspectiveOther: 50 }
    assert.deepEqual(
      [bent(lying, 0, 0), bent(lying, 0, 100)],
      [
        [50, 0],
        [-50, 100],
      ],
    )
  })
})
