import {
  applyHomography,
  buildContentMap,
  type ContentPlacement,
  findQuadFault,
  homographyToQuad,
  type Mesh,
  meshPoint,
  type Point,
  type Quad,
  type Rect,
} from '@vitrine/engine'
import type { SurfaceMap } from './frame-surface.ts'
import type { Lens } from './lens.ts'
import { clampReach, coverageOf } from './rasterize-surface.ts'
import { fillMap, type MapPlanes, sparseGrid } from './sparse-map.ts'

const SEARCHED_STEPS = 64

/** A point of the patch, at given shares of its artwork. */
export function warpPoint(points: readonly Point[], u: number, v: number): Point {
  return meshPoint({ columns: 4, rows: 4, points, sliceX: [0, 1], sliceY: [0, 1] }, u, v)
}

/** Control points of a cubic Bezier curve, as weights of its points at 0, 1/3, 2/3 and 1. */
const controlWeights = [
  [1, 0, 0, 0],
  [-5 / 6, 3, -3 / 2, 1 / 3],
  [1 / 3, -3 / 2, 3, -5 / 6],
  [0, 0, 0, 1],
] as const

/** The 4 x 4 points of the patch that shows a flat print with these corners, in their perspective. */
export function warpOfCorners(corners: Quad): Point[] {
  const at = flatPointsOf(corners)
  return controlWeights.flatMap(down =>
    controlWeights.map((across): Point => {
      let [sumX, sumY] = [0, 0]
      for (const [row, weightY] of down.entries()) {
        for (const [column, weightX] of across.entries()) {
          const [x, y] = at(column / 3, row / 3)
          sumX += x * weightX * weightY
          sumY += y * weightX * weightY
        }
      }
      return [sumX, sumY]
    }),
  )
}

/** Where the points of a flat print are; one whose corners cross has no perspective. */
function flatPointsOf(corners: Quad): (u: number, v: number) => Point {
  const fault = findQuadFault(corners)
  if (fault === null || fault === 'mirrored') {
    const homography = homographyToQuad(corners)
    return (u, v) => applyHomography(homography, u, v)
  }
  const [a, b, c, d] = corners
  const mix = ([ax, ay]: Point, [bx, by]: Point, t: number): Point => [ax + (bx - ax) * t, ay + (by - ay) * t]
  return (u, v) => mix(mix(a, b, u), mix(d, c, u), v)
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
