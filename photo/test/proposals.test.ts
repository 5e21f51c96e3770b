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
  for (let i = 0; i < data.length; i++) {
    const pixel = Math.floor(i / 3)
    data[i] = isDark((pixel % WIDTH) + 0.5, Math.floor(pixel / WIDTH) + 0.5) ? 180 : 220
  }
  return { widthPx: WIDTH, heightPx: HEIGHT, data }
}
const plain = photoOf(() => false)

const isWithin = (polygon: readonly Point[], x: number, y: number): boolean =>
  polygon.reduce((inside, [ax, ay], i) => {
    const [bx, by] = polygon[(i + 1) % polygon.length] ?? [ax, ay]
    return ay > y !== by > y && x < ax + ((y - ay) * (bx - ax)) / (by - ay) ? !inside : inside
  }, false)

const distance = ([ax, ay]: Point, [bx, by]: Point): number => Math.hypot(ax - bx, ay - by)

/** A disc: no side of it is straight. */
const disc = coverageOf((x, y) => Math.hypot(x - 200, y - 160) < 100)

describe('what an outline proposes', () => {
  test('is a cylinder or cone with its handle, by its sides, its base and both halves of its rim', () => {
    for (const [tilt, taper] of [
      [0.3, 0],
      [0.45, 0],
      [0.35, 0.15],
    ] as const) {
      const parameters = { x: 190, y: 165, lnRadius: Math.log(85), tilt, roll: 0.02, height: 2.3, taper }
      const more = { from: -1, to: 1, lnFocal: Math.log(1.8), lnRim: 0 }
      const body = buildBody({ ...parameters, ...more }, WIDTH, HEIGHT)
      const [left, right] = body.sides
      const steps = Array.from({ length: 33 }, (_, i) => i / 32)
      const outline = [
        // Around behind the rim, then down the right side, along the base and up the left one.
        ...steps.map(share => body.at(left - share * (2 * Math.PI - (right - left)), 0, LIP)),
        ...steps.map(share => body.at(right - share * (right - left), 1, LIP)),
      ]
      const isHandle = (x: number, y: number): boolean => {
        const away = Math.hypot((x - 275) / 1.1, y - 165)
        return x > 240 && away < 52 && away > 34
      }
      const brushed = coverageOf((x, y) => isWithin(outline, x, y) || isHandle(x, y))
      const opening = Array.from({ length: 64 }, (_, i) => body.at((2 * Math.PI * i) / 64, 0, LIP))
      const isInRim = (x: number, y: number): boolean => isWithin(opening, x, y)
      const found = proposeBody(brushed, 2.3 / 2, photoOf(isInRim))
      assert.ok(found)
      const wanted = [body.at(left, 0), body.at(right, 0), body.at(right, 1), body.at(left, 1)]
      for (const [i, corner] of found.corners.entries())
        assert.ok(
          distance(corner, wanted[i] ?? [0, 0]) < 10,
          `tilt ${tilt}, taper ${taper}, corner ${i}: ${corner.join()}, not ${wanted[i]?.join()}`,
        )
      assert.ok(distance(found.fronts[1], body.at(0, 1, LIP)) < 3, `base ${found.fronts[1].join()}`)
      assert.ok(distance(found.fronts[0], body.at(0, 0, LIP)) < 3, `rim ${found.fronts[0].join()}`)
    }
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

  test('is below the hood of what is longer than a shirt', () => {
    const hoodie = coverageOf(
      (x, y) => (Math.abs(x - 200) < 60 && y > 80 && y < 260) || Math.hypot(x - 200, y - 70) < 40,
    )
    const [top] = proposePrint(hoodie) ?? []
    assert.ok(top !== undefined && top[1] > 105, `${top?.join()}`)
  })

  test('is nothing where no side is straight, or nothing was brushed over', () => {
    const nothing = coverageOf(() => false)
    for (const outline of [disc, nothing]) {
      assert.equal(proposeBody(outline, null, plain), null)
      assert.equal(proposePrint(outline), null)
    }
  })
})
