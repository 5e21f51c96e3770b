import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Point } from '@vitrine/engine'
import { type Coverage, type PhotoPixels, proposeBody, proposePrint } from '../src/index.ts'
import { buildBody } from '../src/surfaces/body.ts'

const [WIDTH, HEIGHT] = [400, 320]

/** A lip is narrower than the sides. */
const LIP = 0.96

function coverageOf(isInside: (x: number, y: number) => boolean): Coverage {
  const data = new Uint8Array(WIDTH * HEIGHT)
  for (let y = 0, i = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++, i++) data[i] = isInside(x + 0.5, y + 0.5) ? 255 : 0
  return { widthPx: WIDTH, heightPx: HEIGHT, data }
}

/** A photo whose inside of a rim is darker than the rest. */
const photoOf = (isDark: (x: number, y: number) => boolean): PhotoPixels => {
  const data = new Uint8Array(3 * WIDTH * HEIGHT)
  for (let y = 0, i = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++, i += 3) data.fill(isDark(x + 0.5, y + 0.5) ? 180 : 220, i, i + 3)
  return { widthPx: WIDTH, heightPx: HEIGHT, data }
}
const plain = photoOf(() => false)

/** Whether a point lies inside. Points of a row have the same crossings with the sides. */
function insideOf(polygon: readonly Point[]): (x: number, y: number) => boolean {
  const sides = polygon.map((from, i) => [from, polygon[(i + 1) % polygon.length] ?? from] as const)
  const rows = new Map<number, readonly number[]>()
  const crossingsOf = (y: number): readonly number[] =>
    sides
      .filter(([[, ay], [, by]]) => ay > y !== by > y)
      .map(([[ax, ay], [bx, by]]) => ax + ((y - ay) * (bx - ax)) / (by - ay))
  return (x, y) => {
    const crossings = rows.get(y) ?? crossingsOf(y)
    rows.set(y, crossings)
    return crossings.reduce((inside, crossing) => (x < crossing ? !inside : inside), false)
  }
}

const distance = ([ax, ay]: Point, [bx, by]: Point): number => Math.hypot(ax - bx, ay - by)

/** A disc: no side of it is straight. */
const disc = coverageOf((x, y) => Math.hypot(x - 200, y - 160) < 100)

/** A mug on which a lip is narrower than the sides, what of a photo it covers, and its handle. */
function mugOf({ x = 190, tilt, taper = 0 }: { x?: number; tilt: number; taper?: number }) {
  const parameters = { x, y: 165, lnRadius: Math.log(85), tilt, roll: 0.02, height: 2.3, taper }
  const more = { from: -1, to: 1, lnFocal: Math.log(1.8), lnRim: 0 }
  const body = buildBody({ ...parameters, ...more }, WIDTH, HEIGHT)
  const [left, right] = body.sides
  const steps = Array.from({ length: 33 }, (_, i) => i / 32)
  const outline = [
    // Around behind the rim, then down the right side, along the base and up the left one.
    ...steps.map(share => body.at(left - share * (2 * Math.PI - (right - left)), 0, LIP)),
    ...steps.map(share => body.at(right - share * (right - left), 1, LIP)),
  ]
  const opening = Array.from({ length: 64 }, (_, i) => body.at((2 * Math.PI * i) / 64, 0, LIP))
  return {
    body,
    isInside: insideOf(outline),
    photo: photoOf(insideOf(opening)),
    handle: (px: number, py: number) => {
      const away = Math.hypot((px - 275) / 1.1, py - 165)
      return px > 240 && away < 52 && away > 34
    },
  }
}

/** A mug is found by its outline with what was brushed over beside it. */
function assertFound(
  { body, isInside, photo }: ReturnType<typeof mugOf>,
  isBeside: (x: number, y: number) => boolean,
  name: string,
  frontWithinPx = 3,
): void {
  const found = proposeBody(
    coverageOf((x, y) => isInside(x, y) || isBeside(x, y)),
    2.3 / 2,
    photo,
  )
  assert.ok(found, name)
  const [left, right] = body.sides
  const wanted = [body.at(left, 0), body.at(right, 0), body.at(right, 1), body.at(left, 1)]
  for (const [i, corner] of found.corners.entries())
    assert.ok(
      distance(corner, wanted[i] ?? [0, 0]) < 10,
      `${name}, corner ${i}: ${corner.join()}, not ${wanted[i]?.join()}`,
    )
  for (const v of [0, 1] as const) {
    const front = body.at((left + right) / 2, v, LIP)
    assert.ok(
      distance(found.fronts[v], front) < frontWithinPx,
      `${name}, front ${v}: ${found.fronts[v].join()}, not ${front.join()}`,
    )
  }
}

describe('what an outline proposes', () => {
  test('is a cylinder or cone with its handle, by its sides, its base and both halves of its rim', () => {
    for (const [tilt, taper] of [
      [0.3, 0],
      [0.45, 0],
      [0.35, 0.15],
    ] as const) {
      const mug = mugOf({ tilt, taper })
      assertFound(mug, mug.handle, `tilt ${tilt}, taper ${taper}`)
    }
  })

  test('is a body though the opening of its handle was brushed over too', () => {
    const mug = mugOf({ tilt: 0.3, taper: 0.05 })
    assertFound(mug, (x, y) => Math.hypot((x - 275) / 1.1, y - 165) < 52, 'opening')
  })

  test('is a body of which a side is beyond the photo or hidden, by its measures alone', () => {
    const cut = mugOf({ tilt: 0.3, x: 40 })
    assertFound(cut, () => false, 'cut', 8)
    assert.equal(proposeBody(coverageOf(cut.isInside), null, cut.photo), null)
    const mug = mugOf({ tilt: 0.3 })
    assertFound(mug, (x, y) => x > 240 && Math.hypot(x - 240, y - 165) < 105, 'hidden', 8)
  })

  test('is a body one of whose sides is hidden by its handle for a third, and wavers where it is seen', () => {
    const mug = coverageOf((x, y) => {
      const waver = 1.5 * Math.sin(y / 5)
      const isBody = x > 120 + waver && x < 280 && y > 60 && y < 250
      const isHandle = Math.hypot((x - 118) / 1.2, y - 155) < 55 && Math.hypot((x - 118) / 1.2, y - 155) > 34
      return isBody || isHandle
    })
    const found = proposeBody(mug, null, plain)
    assert.ok(found)
    assert.ok(Math.abs((found.corners[0][0] + found.corners[3][0]) / 2 - 120) < 4, found.corners.join(' '))
  })

  test('is the print area of a shirt, turned as it lies', () => {
    const lean = 0.1
    // A body of 120 px with sleeves, from 40 to 208.
    const shirt = coverageOf((x, y) => {
      const across = x - 200 - lean * (y - 40)
      if (y < 40 || y > 208) return false
      return Math.abs(across) < 60 || (y < 90 && Math.abs(across) < 105)
    })
    const print = proposePrint(shirt)
    assert.ok(print)
    const [a, b, c, d] = print
    const width = distance(a, b)
    assert.ok(Math.abs(width - 0.57 * 120) < 3, `width ${width}`)
    assert.ok(Math.abs(distance(a, d) - width / 0.8) < 3)
    assert.ok(Math.abs((b[1] - a[1]) / (b[0] - a[0]) + lean) < 0.03, 'turned as it lies')
    assert.ok(Math.abs((a[0] + c[0]) / 2 - 200 - lean * ((a[1] + c[1]) / 2 - 40)) < 3, 'in its middle')
    assert.ok(a[1] > 75 && c[1] < 200, `from ${a[1]} to ${c[1]}`)
  })

  test('is as high on a shirt whose collar was brushed over as on one without it', () => {
    const topOf = (hasCollar: boolean): number | undefined => {
      const shirt = coverageOf((x, y) => {
        if (y < 40 || y > 208 || (!hasCollar && Math.hypot(x - 200, y - 36) < 24)) return false
        return Math.abs(x - 200) < 60 || (y < 90 && Math.abs(x - 200) < 105)
      })
      return proposePrint(shirt)?.[0][1]
    }
    const [whole, without] = [topOf(true), topOf(false)]
    assert.ok(whole !== undefined && without !== undefined && Math.abs(whole - without) < 3, `${whole}, ${without}`)
  })

  test('is below the hood of what is longer than a shirt', () => {
    const hoodie = coverageOf(
      (x, y) => (Math.abs(x - 200) < 60 && y > 80 && y < 260) || Math.hypot(x - 200, y - 70) < 40,
    )
    const [top] = proposePrint(hoodie) ?? []
    assert.ok(top !== undefined && top[1] > 105, `${top?.join()}`)
  })

  test('is between the hood and the pocket of a hoodie whose sleeves lie along its body', () => {
    const hoodie = coverageOf((x, y) => {
      const across = Math.abs(x - 200)
      const isBody = across < 60 && y > 90 && y < 230
      const isShoulder = across < 75 && y > 90 && y < 115
      const isSleeve = across > 66 + (y - 100) / 8 && across < 90 + (y - 100) / 8 && y > 92 && y < 215
      return isBody || isShoulder || isSleeve || Math.hypot(across, y - 68) < 30
    })
    const [a, b] = proposePrint(hoodie) ?? []
    assert.ok(a && b)
    assert.ok(Math.abs(distance(a, b) - 0.48 * 120) < 3, `from ${a.join()} to ${b.join()}`)
    assert.ok(Math.abs(a[1] - (90 + 0.31 * 120)) < 4, `from ${a.join()}`)
  })

  test('is nothing where no side is straight, or nothing was brushed over', () => {
    const nothing = coverageOf(() => false)
    for (const outline of [disc, nothing]) {
      assert.equal(proposeBody(outline, null, plain), null)
      assert.equal(proposePrint(outline), null)
    }
  })
})
