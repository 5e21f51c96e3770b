import assert from 'node:assert/strict'
import { test } from 'node:test'
import { warpOfCorners } from '@vitrine/photo'
import type { Point } from '../draft.ts'
import type { Quad } from '../quad.ts'
import { withWarpPoint } from './photo-draft.ts'

const begun: Quad = [
  [100, 100],
  [300, 100],
  [300, 260],
  [100, 260],
]
const placed: Quad = [
  [80, 90],
  [330, 120],
  [310, 220],
  [90, 280],
]
const inWarp = [0, 3, 15, 12] as const

/** A patch after its corners were moved one after the other. */
const withCorners = (mesh: readonly Point[], corners: Quad): readonly Point[] =>
  inWarp.reduce((before, which, i) => withWarpPoint(before, which, corners[i] ?? [0, 0]), mesh)

const isNear = ([ax, ay]: Point, [bx, by]: Point): boolean => Math.hypot(ax - bx, ay - by) < 1e-9

test('the points of a free shape follow its corners in their perspective, whichever way these came', () => {
  const wanted = warpOfCorners(placed)
  const crossed = withWarpPoint(withCorners(warpOfCorners(begun), placed), 0, [500, 500])
  for (const mesh of [withCorners(warpOfCorners(begun), placed), withWarpPoint(crossed, 0, placed[0])]) {
    assert.ok(mesh.every((point, i) => isNear(point, wanted[i] ?? [0, 0])))
  }
})

test('a point that was moved retains its distance from where the corners have it', () => {
  const flat = warpOfCorners(begun)
  const [x, y] = flat[5] ?? [0, 0]
  const bent = withWarpPoint(flat, 5, [x + 12, y - 7])
  assert.deepEqual(bent, flat.with(5, [x + 12, y - 7]), 'no other point moves with it')
  const [atX, atY] = warpOfCorners(placed)[5] ?? [0, 0]
  assert.ok(isNear(withCorners(bent, placed)[5] ?? [0, 0], [atX + 12, atY - 7]))
})
