import { buildContentMap, type ContentPlacement, type Mesh, meshPoint, type Point, type Rect } from '@vitrine/engine'
import type { SurfaceMap } from './frame-surface.ts'
import type { Lens } from './lens.ts'
import { clampReach, coverageOf } from './rasterize-surface.ts'
import { fillMap, type MapPlanes, sparseGrid } from './sparse-map.ts'

const SEARCHED_STEPS = 64

/** A point of the patch, at given shares of its artwork. */
export function warpPoint(points: readonly Point[], u: number, v: number): Point {
  return meshPoint({ columns: 4, rows: 4, points, sliceX: [0, 1], sliceY: [0, 1] }, u, v)
}

/**
 * The map of a bicubic Bezier patch of 4 x 4 points, as in Photoshop's warp. With a `stepPx` above 1 it is
 * exact at every `stepPx`-th pixel, and interpolated between them.
 */
export function rasterizeWarp(
  points: readonly Point[],
  aspectRatio: number,
  widthPx: number,
  heightPx: number,
  lens: Lens,
  stepPx: number,
): SurfaceMap {
  // The size of the content only bounds how far the patch continues beyond its edges, in px of the photo.
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
  const { u, v } = mapPatch(forward, contentWidth, contentHeight, rect, stepPx)
  return { rect, u, v, coverage: coverageOf(rect, u, v, stepPx > 1) }
}

function mapPatch(
  forward: (x: number, y: number) => Point,
  contentWidth: number,
  contentHeight: number,
  rect: Rect,
  stepPx: number,
): MapPlanes {
  const grid = sparseGrid(rect, stepPx)
  const [width, height] = [contentWidth / stepPx, contentHeight / stepPx]
  /** Converts pixels of the photo to those of the grid, whose points are the centres of its pixels. */
  const onGrid = ([x, y]: Point): Point => [(x - rect.left - 0.5) / stepPx + 0.5, (y - rect.top - 0.5) / stepPx + 0.5]
  const placement: ContentPlacement = {
    contentWidth: width,
    contentHeight: height,
    forward: stepPx === 1 ? forward : (x, y) => onGrid(forward(x * stepPx, y * stepPx)),
    quad: null,
    sliceX: [0, width],
    sliceY: [0, height],
  }
  const reached = stepPx === 1 ? rect : { left: 0, top: 0, widthPx: grid.columns, heightPx: grid.rows }
  const { x: u, y: v } = buildContentMap(placement, reached)
  for (let i = 0; i < u.length; i++) {
    u[i] = (u[i] ?? NaN) / width
    v[i] = (v[i] ?? NaN) / height
  }
  return stepPx === 1 ? { u, v } : fillMap({ u, v }, grid, rect)
}
