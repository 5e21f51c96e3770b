import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Stroke } from '../src/drawing/drawing.ts'
import { type Coverage, contoursOf, createOutliner, outlinesOf, parseDrawing } from '../src/index.ts'
import { createRandom } from '../src/numerics/random.ts'
import { drawingHead, flatFrame, PHOTO_HEIGHT, PHOTO_WIDTH, smallPhoto } from './small-photo.ts'

/** The light surface of the photo: 60..260 x 40..240. */
const isSurface = (x: number, y: number): boolean => x >= 60 && x < 260 && y >= 40 && y < 240

/** Thick strokes over the surface, that end some pixels before its edge or beyond it. */
const rows = [62, 84, 106, 128, 150, 172, 194, 216]
const painted: Stroke[] = rows.map((y, i) => ({
  points: [
    [80 + (i % 3) * 3, y],
    [242 - (i % 2) * 5, y + 2],
  ],
  radius: 18,
  erases: false,
}))

function overlap({ data }: Coverage, isInside: (x: number, y: number) => boolean): number {
  let [both, either] = [0, 0]
  for (let y = 0, i = 0; y < PHOTO_HEIGHT; y++) {
    for (let x = 0; x < PHOTO_WIDTH; x++, i++) {
      const [found, wanted] = [(data[i] ?? 0) > 127, isInside(x, y)]
      if (found && wanted) both++
      if (found || wanted) either++
    }
  }
  return both / either
}

describe('the outline of what a brush was drawn over', () => {
  const photo = smallPhoto()
  const outliner = createOutliner(photo)

  test('follows the edge of the photo where strokes end near it', () => {
    const outline = outliner.outline(painted)
    assert.deepEqual([outline.widthPx, outline.heightPx], [PHOTO_WIDTH, PHOTO_HEIGHT])
    const share = overlap(outline, isSurface)
    assert.ok(share > 0.99, `IoU ${share}`)
  })

  test('leaves out what a later stroke erases, and takes back what one adds after it', () => {
    const eraser: Stroke = { points: [[160, 140]], radius: 24, erases: true }
    const without = outliner.outline([...painted, eraser])
    const at = 140 * PHOTO_WIDTH + 160
    assert.equal(without.data[at], 0)
    assert.ok(overlap(without, isSurface) > 0.9)
    const again: Stroke = { points: [[160, 140]], radius: 30, erases: false }
    assert.equal(outliner.outline([...painted, eraser, again]).data[at], 255)
  })

  test('is the same whether other strokes were outlined before or not', () => {
    const eraser: Stroke = { points: [[100, 100]], radius: 24, erases: true }
    for (const strokes of [painted.slice(0, 3), [...painted, eraser], painted]) {
      assert.deepEqual(outliner.outline(strokes), createOutliner(photo).outline(strokes))
    }
  })

  test('is nothing where no stroke adds, or none lies on the photo', () => {
    const far: Stroke = { points: [[-500, -500]], radius: 9, erases: false }
    for (const strokes of [[], [far], painted.map(stroke => ({ ...stroke, erases: true }))]) {
      assert.ok(outliner.outline(strokes).data.every(byte => byte === 0))
    }
  })

  test('is found for all that a drawing brushes over, at the size of the photo', () => {
    const half = (strokes: readonly Stroke[]): object[] =>
      strokes.map(({ points, radius }) => ({ points: points.map(([x, y]) => [x / 2, y / 2]), radius: radius / 2 }))
    const leaf: Stroke = { points: [[30, 30]], radius: 12, erases: false }
    const corners = flatFrame.corners.map(([x, y]) => [x / 2, y / 2])
    const drawing = parseDrawing({
      ...drawingHead,
      width: PHOTO_WIDTH / 2,
      height: PHOTO_HEIGHT / 2,
      frames: [
        { ...flatFrame, corners },
        { ...flatFrame, corners, front: half([leaf]) },
      ],
      product: { strokes: half(painted) },
    })
    const { product, fronts } = outlinesOf(photo, drawing)
    assert.deepEqual(product, outliner.outline(painted))
    assert.deepEqual(fronts, [null, outliner.outline([leaf])])
  })
})

test('an outline goes between a shaded rim and the shadow beside it, which have other hues', () => {
  const [widthPx, heightPx] = [320, 280]
  const random = createRandom(5)
  const data = new Uint8Array(3 * widthPx * heightPx)
  for (let y = 0, i = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, i += 3) {
      const isInside = isSurface(x, y)
      const isShaded = isInside ? x >= 252 : x >= 260 && x < 276 && y >= 44 && y < 250
      // Grey cloth on beige: its rim is darker than the cloth, and the shadow darker than the rim.
      const [cloth, ground] = isShaded ? ([100, [92, 84, 72]] as const) : ([214, [190, 176, 156]] as const)
      const color = isInside ? [cloth, cloth, cloth] : ground
      const noise = 4 * (random() - 0.5)
      for (const [channel, value] of color.entries()) data[i + channel] = Math.round(value + noise)
    }
  }
  const outline = createOutliner({ widthPx, heightPx, data }).outline(painted)
  const share = overlap(outline, isSurface)
  assert.ok(share > 0.985, `IoU ${share}`)
})

test('what is erased finely on a large photo is gone, though nothing of the photo ends there', () => {
  const [widthPx, heightPx] = [1600, 400]
  const random = createRandom(5)
  const data = Uint8Array.from({ length: 3 * widthPx * heightPx }, (_, i) => {
    const x = Math.floor(i / 3) % widthPx
    return Math.round((x >= 200 && x < 1400 ? 128 : 220) + 8 * random())
  })
  const stroke = (y: number, radius: number, erases: boolean): Stroke => ({
    points: [
      [270, y],
      [1330, y],
    ],
    radius,
    erases,
  })
  const over = [60, 130, 200, 270, 340].map(y => stroke(y, 60, false))
  const outliner = createOutliner({ widthPx, heightPx, data })
  outliner.outline(over)
  const { data: left } = outliner.outline([...over, stroke(200, 8, true)])
  for (let x = 320; x < 1280; x++) {
    let erased = 0
    for (let y = 170; y < 230; y++) erased += 1 - (left[y * widthPx + x] ?? 0) / 255
    assert.ok(erased > 7 && erased < 16, `${erased} px at ${x}`)
  }
})

describe('the lines around a coverage', () => {
  const coverageOf = (rows: readonly string[]): Coverage => ({
    widthPx: rows[0]?.length ?? 0,
    heightPx: rows.length,
    data: Uint8Array.from(rows.join(''), pixel => (pixel === '#' ? 255 : pixel === '+' ? 64 : 0)),
  })
  /** Twice the area inside: lines around holes take away. */
  const doubledArea = (lines: ReturnType<typeof contoursOf>): number =>
    lines
      .flatMap(line =>
        line.map(([x, y], i) => {
          const [nextX, nextY] = line[(i + 1) % line.length] ?? [x, y]
          return x * nextY - nextX * y
        }),
      )
      .reduce((sum, part) => sum + part, 0)

  test('close around each part and around its holes, also where it is cut by the edge of the photo', () => {
    const lines = contoursOf(coverageOf(['####..', '#..#..', '#..#.#', '####..']))
    assert.deepEqual(
      lines.map(({ length }) => length).toSorted((a, b) => a - b),
      [4, 8, 16],
    )
    // The part is 12 pixels less its 4 corners' eighths, its hole 4 pixels and 4 eighths, the pixel a half.
    assert.equal(doubledArea(lines) / 2, 16 - 0.5 - (4 - 0.5) + 0.5)
  })

  test('lie between pixels where their coverage says so', () => {
    const [line = []] = contoursOf(coverageOf(['.....', '.+##.', '.....']))
    assert.equal(Math.min(...line.map(([x]) => x)).toFixed(3), (1.5 + (127.5 - 64) / (255 - 64)).toFixed(3))
    assert.deepEqual(contoursOf(coverageOf(['..', '..'])), [])
  })

  test('part at a corner that two parts share', () => {
    assert.deepEqual(
      contoursOf(coverageOf(['#.', '.#'])).map(({ length }) => length),
      [4, 4],
    )
  })
})
