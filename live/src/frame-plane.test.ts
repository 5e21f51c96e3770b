import assert from 'node:assert/strict'
import { test } from 'node:test'
import { centredCover } from '@vitrine/engine'
import {
  artworkOutline,
  type FramePlane,
  fitPlane,
  frameCorners,
  type Point,
  Samples,
  toFrame,
  toPicture,
} from './frame-plane.ts'

/** A frame over the middle half of the picture, twice as wide as it is high. */
const flat: FramePlane = { aspectRatio: 2, toFrame: [2, 0, -0.5, 0, 2, -0.5, 0, 0, 1] }
const tilted: FramePlane = { aspectRatio: 1, toFrame: [2, 0.3, -0.5, 0.1, 2.2, -0.4, 0.2, 0.4, 1] }

const near = (actual: readonly Point[], expected: readonly Point[]) =>
  assert.deepEqual(
    actual.map(point => point.map(value => Math.round(value * 1e6) / 1e6 + 0)),
    expected,
  )

test('mapping points to the frame and back gives the same points', () => {
  near(frameCorners(flat), [
    [0.25, 0.25],
    [0.75, 0.25],
    [0.75, 0.75],
    [0.25, 0.75],
  ])
  for (const point of [
    [0.3, 0.4],
    [0.9, 0.1],
  ] as const)
    near([toPicture(tilted, toFrame(tilted, point))], [point])
})

test('the outline of artwork matches what the engine draws: cropped, turned, moved', () => {
  const square = { widthPx: 100, heightPx: 100 }
  near(artworkOutline(flat, square, centredCover).corners, [
    [0.25, 0],
    [0.75, 0],
    [0.75, 1],
    [0.25, 1],
  ])
  const turned = artworkOutline(flat, square, { ...centredCover, fit: 'contain', rotation: 90, x: 0.25 })
  near(
    [turned.centre, turned.top],
    [
      [0.375, 0.5],
      [0.5, 0.5],
    ],
  )
})

test('a map is approximated by the best-fitting plane', () => {
  const samples = new Samples()
  for (const x of [0.1, 0.3, 0.6, 0.9])
    for (const y of [0.2, 0.5, 0.8]) samples.add(x, y, 2 * x + 0.5 * y - 0.1, 3 * y - x)
  const [a, b, c, d, e, f] = fitPlane(samples)
  near(
    [
      [a, b],
      [c, d],
      [e, f],
    ],
    [
      [2, 0.5],
      [-0.1, -1],
      [3, 0],
    ],
  )
  assert.deepEqual(fitPlane(new Samples()), [1, 0, 0, 0, 1, 0, 0, 0, 1])
})
