import { buildContentMap, type ContentPlacement, type Mesh, meshPoint, type Point } from '@vitrine/engine'
import type { SurfaceMap } from './frame-surface.ts'
import type { Lens } from './lens.ts'
import { clampReach, coverageOf } from './rasterize-surface.ts'

const SEARCHED_STEPS = 64

/** A point of the patch, at shares of its artwork. */
export function warpPoint(points: readonly Point[], u: number, v: number): Point {
  return meshPoint({ columns: 4, rows: 4, points, sliceX: [0, 1], sliceY: [0, 1] }, u, v)
}

/** The map of a bicubic Bezier patch of 4 x 4 points, as Photoshop's warp. */
export function rasterizeWarp(
  points: readonly Point[],
  aspectRatio: number,
  widthPx: number,
  heightPx: number,
  lens: Lens,
): SurfaceMap {
  // The size of the content only bounds how far the patch goes on beyond its edges, in px of the photo.
  const xs = points.map(([x]) => x)
  const contentWidth = Math.max(16, Math.max(...xs) - Math.min(...xs))
  const contentHeight = Math.max(16, contentWidth / aspectRatio)
  const mesh: Mesh = { columns: 4, rows: 4, points, sliceX: [0, contentWidth], sliceY: [0, contentHeight] }
  const forward = (x: number, y: number): Point => lens.bend(...meshPoint(mesh, x, y))
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let j = 0; j <= SEARCHED_STEPS; j++) {
    for (let i = 0; i <= SEARCHED_STEPS; i++) {
      const [x, y] = forward((contentWidth * i) / SEARCHED_STEPS, (contentHeight * j) / SEARCHED_STEPS)
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
  }
  const rect = clampReach(left, top, Math.min(right, widthPx), Math.min(bottom, heightPx), widthPx, heightPx)
  const placement: ContentPlacement = {
    contentWidth,
    contentHeight,
    forward,
    quad: null,
    sliceX: mesh.sliceX,
    sliceY: mesh.sliceY,
  }
  const { x, y } = buildContentMap(placement, rect)
  for (let i = 0; i < x.length; i++) {
    x[i] = (x[i] ?? NaN) / contentWidth
    y[i] = (y[i] ?? NaN) / contentHeight
  }
  return { rect, u: x, v: y, coverage: coverageOf(rect, x, y) }
}
