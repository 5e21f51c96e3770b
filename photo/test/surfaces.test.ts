import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { applyHomography, homographyToQuad, type Point, type Quad } from '@vitrine/engine'
import type { BodyMark } from '../src/drawing/body-mark.ts'
import { parseDrawing } from '../src/drawing/drawing.ts'
import { createRandom } from '../src/numerics/random.ts'
import { type Body, type BodyParameters, buildBody } from '../src/surfaces/body.ts'
import { buildSurface } from '../src/surfaces/build-surface.ts'
import { buildCloth, clothSurface, type Pin } from '../src/surfaces/cloth.ts'
import { fitBody } from '../src/surfaces/fit-body.ts'
import { createLens } from '../src/surfaces/lens.ts'
import { warpOfCorners, warpPoint } from '../src/surfaces/warp.ts'
import { drawingHead, smallPhoto, warpFrame } from './small-photo.ts'

const [widthPx, heightPx] = [2000, 2000]

/** A cup, narrower at its foot, seen from above. */
const cup: BodyParameters = {
  x: 1040,
  y: 1010,
  lnRadius: Math.log(330),
  tilt: 0.25,
  roll: 0.02,
  height: 2.6,
  taper: 0.22,
  from: -1,
  to: 1.1,
  lnFocal: Math.log(1.35),
  lnRim: Math.log(0.96),
}
const truth = buildBody(cup, widthPx, heightPx)
const ratio = (cup.to - cup.from) / cup.height

const angleOf = (u: number): number => cup.from + u * (cup.to - cup.from)

/** Points as a person sets them: off by the deviation, by a seed. */
function handOf(deviationPx: number, seed: number): (point: Point) => Point {
  const random = createRandom(seed)
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return ([x, y]) => [x + deviationPx * normal(), y + deviationPx * normal()]
}

function sixMarks(hand: (point: Point) => Point): BodyMark[] {
  const corners = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ] as const
  return [
    ...corners.map(([u, v]) => ({ kind: 'corner', u, v, at: hand(truth.at(angleOf(u), v)), weight: 1 }) as const),
    ...[1, 0].map(v => ({ kind: 'arc', v, at: hand(truth.at(angleOf(0.5), v)), weight: 1 }) as const),
  ]
}

/** The greatest distance between where two bodies show points of the artwork, in px. */
function distanceOf(body: Body): number {
  let most = 0
  for (const u of [0.1, 0.3, 0.5, 0.7, 0.9]) {
    for (const v of [0.1, 0.5, 0.9]) {
      const { from, to } = body.parameters
      const [x, y] = body.at(from + u * (to - from), v)
      const [tx, ty] = truth.at(angleOf(u), v)
      most = Math.max(most, Math.hypot(x - tx, y - ty))
    }
  }
  return most
}

describe('a cylinder or cone', () => {
  it('is found by six exact points and the ratio of its print', () => {
    const { body, residualPx } = fitBody(
      sixMarks(point => point),
      { aspectRatio: ratio, slenderness: null },
      widthPx,
      heightPx,
      false,
    )
    assert.ok(residualPx < 0.5, `${residualPx} px`)
    assert.ok(distanceOf(body) < 1.5, `${distanceOf(body)} px`)
  })

  it('is found within some px by points that are off by 1.5 px, its taper too', () => {
    for (let seed = 1; seed <= 6; seed++) {
      const marks = sixMarks(handOf(1.5, seed))
      const { body } = fitBody(marks, { aspectRatio: ratio, slenderness: null }, widthPx, heightPx, false)
      assert.ok(distanceOf(body) < 8, `seed ${seed}: ${distanceOf(body)} px`)
      assert.ok(Math.abs(body.parameters.taper - cup.taper) < 0.1, `seed ${seed}: taper ${body.parameters.taper}`)
    }
  })

  it('is exactly the same body though the last bits of a computation differ', () => {
    const marks = sixMarks(handOf(1.5, 1))
    const bodyOf = (offPx: number): BodyParameters => {
      const moved = marks.map(mark => ({ ...mark, at: [mark.at[0] + offPx, mark.at[1]] as const }))
      return fitBody(moved, { aspectRatio: ratio, slenderness: null }, widthPx, heightPx, false).body.parameters
    }
    for (const offPx of [1e-12, -1e-12, 3e-12]) assert.deepEqual(bodyOf(offPx), bodyOf(0))
  })

  it('is found by its outline and rims, where the product is known', () => {
    const [left, right] = truth.sides
    const rim = Math.exp(cup.lnRim)
    const sides = [0.1, 0.5, 0.9].flatMap(v => [
      { kind: 'side', side: 'left', at: truth.at(left, v), weight: 1 } as const,
      { kind: 'side', side: 'right', at: truth.at(right, v), weight: 1 } as const,
    ])
    const rims = [-0.9, 0, 0.9].flatMap(angle =>
      [0, 1].map(v => ({ kind: 'arc', v, at: truth.at(angle, v, rim), weight: 1 }) as const),
    )
    const knowledge = { aspectRatio: null, slenderness: cup.height / 2 }
    const { body } = fitBody([...sides, ...rims], knowledge, widthPx, heightPx, false)
    // Where the artwork lies around it is not marked: the middle line tells the shape.
    for (const v of [0.1, 0.5, 0.9]) {
      const [[x, y], [tx, ty]] = [body.at(0, v), truth.at(0, v)]
      assert.ok(Math.hypot(x - tx, y - ty) < 4, `${Math.hypot(x - tx, y - ty)} px at ${v}`)
    }
  })

  it('says what its points show, and that nothing is seen beside it', () => {
    const [x, y] = truth.at(angleOf(0.3), 0.6)
    const { u, v, isSeen } = truth.toArtwork(x, y)
    assert.ok(isSeen && Math.abs(u - 0.3) < 1e-9 && Math.abs(v - 0.6) < 1e-9)
    assert.equal(truth.toArtwork(100, 1000).isSeen, false)
  })

  it('shows the part in front of artwork that goes on across its back', () => {
    // 280 degrees, turned to the left: it begins behind the product.
    const [from, to] = [(-230 * Math.PI) / 180, (50 * Math.PI) / 180]
    const wrapped = buildBody({ ...truth.parameters, from, to }, widthPx, heightPx)
    for (const angle of [-1, -0.4, 0, 0.5, 0.8]) {
      const { u, isSeen } = wrapped.toArtwork(...wrapped.at(angle, 0.5))
      assert.ok(isSeen && Math.abs(u - (angle - from) / (to - from)) < 1e-9, `${u} at ${angle}`)
    }
  })

  it('ends once beside a handle that comes forward, for maps too', () => {
    // The gap is from 20 to 100 degrees, and the camera sees some 75.
    const [from, to] = [(-260 * Math.PI) / 180, (20 * Math.PI) / 180]
    const { at, toArtwork } = buildBody({ ...truth.parameters, from, to }, widthPx, heightPx)
    for (const angle of [-1, 0, 0.3, 0.8, 1.1, 1.2]) {
      const { u, isSeen } = toArtwork(...at(angle, 0.5))
      assert.ok(isSeen && Math.abs(u - (angle - from) / (to - from)) < 1e-9, `${u} at ${angle}`)
    }
  })
})

describe('a label around a bottle', () => {
  const [width, height] = [800, 1000]
  const parameters: BodyParameters = {
    ...cup,
    x: 395,
    y: 560,
    lnRadius: Math.log(140),
    tilt: 0.07,
    roll: 0,
    taper: 0,
    from: -1.3,
    to: 1.3,
  }
  const bottle = buildBody(parameters, width, height)
  const place = (u: number): number => parameters.from + u * (parameters.to - parameters.from)
  const photo = { widthPx: width, heightPx: height, data: new Uint8Array(width * height * 3) }
  for (let i = 0; i < width * height; i++) {
    const { u, v, isSeen } = bottle.toArtwork((i % width) + 0.5, Math.floor(i / width) + 0.5)
    const isLabel = u >= 0 && u <= 1 && v >= 0 && v <= 1
    photo.data.fill(isSeen ? (isLabel ? 235 : 30) : 150, 3 * i, 3 * i + 3)
  }

  it('ends where the paper is seen to end, though beside it are the sides of the bottle', () => {
    const distances: number[] = []
    for (let seed = 1; seed <= 6; seed++) {
      const hand = handOf(1.5, seed)
      const corner = (u: number, v: number): object => ({ at: hand(bottle.at(place(u), v)), u, v })
      const marks = [
        corner(0, 0),
        corner(1, 0),
        corner(1, 1),
        corner(0, 1),
        ...[0, 1].map(v => ({ at: hand(bottle.at(0, v)), v })),
      ]
      const frame = { kind: 'body', surface: 'paper', aspect_ratio: 2.6 / cup.height, marks }
      const [drawn] = parseDrawing({ format: 1, width, height, frames: [frame] }).frames
      assert.ok(drawn)
      const { toPhoto } = buildSurface(drawn, photo, createLens(0, width, height))
      for (const u of [0, 1]) {
        for (const v of [0, 0.5, 1]) {
          const [[x, y], [tx, ty]] = [toPhoto(u, v), bottle.at(place(u), v)]
          distances.push(Math.hypot(x - tx, y - ty))
        }
      }
    }
    const mean = distances.reduce((sum, distance) => sum + distance, 0) / distances.length
    assert.ok(mean < 1.1, `${mean} px`)
  })

  it('says what the camera sees of artwork that goes around the back', () => {
    const [left, right] = bottle.sides
    const marks = [0, 1].flatMap(v => [
      { at: bottle.at(left, v), side: 'left' },
      { at: bottle.at(right, v), side: 'right' },
      { at: bottle.at(0, v), v },
    ])
    const surfaceOf = (degrees: readonly [number, number]) => {
      const print = { left: degrees[0], right: degrees[1], top: 0.2, bottom: 0.8 }
      const frame = { kind: 'body', surface: 'paper', snap: false, marks, print }
      const [drawn] = parseDrawing({ format: 1, width, height, frames: [frame] }).frames
      assert.ok(drawn)
      return buildSurface(drawn, photo, createLens(0, width, height))
    }
    const { toPhoto, seen } = surfaceOf([-150, 150])
    const xs = Array.from({ length: 1001 }, (_, i) => toPhoto(i / 1000, 0.5)[0])
    const [from, to] = seen.map(u => toPhoto(u, 0.5)[0])
    assert.ok(Math.abs((from ?? 0) - Math.min(...xs)) < 0.01 && Math.abs((to ?? 0) - Math.max(...xs)) < 0.01)
    assert.ok(seen[0] > 0.1 && seen[1] < 0.9, seen.join())
    assert.deepEqual(surfaceOf([-50, 50]).seen, [0, 1])
    assert.deepEqual(surfaceOf([100, 140]).seen, [0, 0])
  })
})

describe('cloth', () => {
  const corners = [
    [100, 100],
    [900, 120],
    [880, 900],
    [110, 880],
  ] as const

  it('goes through its pins and corners', () => {
    const pins = [
      { at: [500, 520], u: 0.48, v: 0.55 },
      { at: [300, 300], u: 0.26, v: 0.22 },
    ] as const
    const surface = clothSurface(buildCloth(corners, pins, 0))
    const held: readonly Pin[] = [...pins, { at: corners[2], u: 1, v: 1 }]
    for (const { at, u, v } of held) {
      const point = surface(...at)
      assert.ok(Math.hypot(point.u - u, point.v - v) < 1e-6, JSON.stringify(point))
    }
  })

  it('swells in its middle alone, and does not come back far outside', () => {
    const [flat, cushion] = [clothSurface(buildCloth(corners, [], 0)), clothSurface(buildCloth(corners, [], 0.2))]
    const [edge, swollen] = [cushion(...corners[0]), cushion(300, 500)]
    assert.ok(Math.hypot(edge.u, edge.v) < 1e-9)
    assert.ok(swollen.u > flat(300, 500).u + 0.005)
    assert.equal(cushion(3000, 500).isSeen, false)
  })

  it('with two pins on one point is still a surface', () => {
    const pin = { at: [500, 500], u: 0.5, v: 0.5 } as const
    const { u, v } = clothSurface(buildCloth(corners, [pin, pin], 0))(510, 500)
    assert.ok(Number.isFinite(u) && Number.isFinite(v))
  })
})

describe('a free warp', () => {
  it('shows the artwork where its patch is', () => {
    const { frames } = parseDrawing({ ...drawingHead, frames: [warpFrame] })
    const [frame] = frames
    assert.ok(frame)
    const { rect, u, v, coverage } = buildSurface(frame, smallPhoto(), createLens(0, 320, 280)).rasterize()
    const i = (138 - rect.top) * rect.widthPx + 160 - rect.left
    assert.ok(Math.abs((u[i] ?? 0) - 0.5) < 0.01 && Math.abs((v[i] ?? 0) - 0.47) < 0.03, `${u[i]}, ${v[i]}`)
    assert.equal(coverage[i], 1)
    assert.equal(coverage[0], 0)
  })

  it('by four corners lies where a flat print does, in its middle and at its edges', () => {
    const quad: Quad = [
      [400, 400],
      [1400, 500],
      [1400, 1100],
      [400, 1200],
    ]
    const [mesh, flat] = [warpOfCorners(quad), homographyToQuad(quad)]
    const steps = Array.from({ length: 21 }, (_, i) => i / 20)
    const misses = steps.flatMap(v =>
      steps.map(u => {
        const [[x, y], [wantedX, wantedY]] = [warpPoint(mesh, u, v), applyHomography(flat, u, v)]
        return Math.hypot(x - wantedX, y - wantedY)
      }),
    )
    assert.ok(Math.max(...misses) < 1, `${Math.max(...misses)} px`)
  })

  it('by corners that cross is even', () => {
    const mesh = warpOfCorners([
      [0, 0],
      [90, 90],
      [90, 0],
      [0, 90],
    ])
    assert.deepEqual(
      [mesh[0], mesh[5], mesh[15]].map(point => point?.map(Math.round)),
      [
        [0, 0],
        [30, 40],
        [90, 0],
      ],
    )
  })
})

it('a lens bends what it straightened back', () => {
  for (const strength of [-0.3, -0.1, 0, 0.2, 0.3]) {
    const lens = createLens(strength, 400, 300)
    const [x, y] = lens.bend(...lens.straighten(350, 20))
    assert.ok(Math.hypot(x - 350, y - 20) < 0.01, `${strength}: ${x}, ${y}`)
  }
})
