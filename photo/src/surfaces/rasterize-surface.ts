import { contentCoverage, type Rect } from '@vitrine/engine'
import type { ArtworkPoint } from './artwork-point.ts'
import { type Cloth, swellPlanes } from './cloth.ts'
import type { SurfaceMap } from './frame-surface.ts'
import { fillMap, type MapPlanes, type SparseGrid, sparseGrid } from './sparse-map.ts'

/** A margin around the artwork, in pixels, for filters of light and half-size maps. */
export const MARGIN_PX = 12

/** Samples per side of a pixel, along a silhouette. */
const SILHOUETTE_POINTS = 4

type ToArtwork = (x: number, y: number) => ArtworkPoint

const isOnArtwork = ({ u, v }: Omit<ArtworkPoint, 'isSeen'>): boolean => u >= 0 && u <= 1 && v >= 0 && v <= 1

/** The map over a rectangle of a surface that gives the artwork's coordinates at each point of the photo. */
export function rasterizeSurface(toArtwork: ToArtwork, rect: Rect): SurfaceMap {
  const count = rect.widthPx * rect.heightPx
  const [u, v, unseen] = [new Float32Array(count), new Float32Array(count), new Uint8Array(count)]
  for (let y = 0, i = 0; y < rect.heightPx; y++) {
    for (let x = 0; x < rect.widthPx; x++, i++) {
      const point = toArtwork(rect.left + x + 0.5, rect.top + y + 0.5)
      u[i] = point.u
      v[i] = point.v
      unseen[i] = point.isSeen ? 0 : 1
    }
  }
  const coverage = coverageOf(rect, u, v)
  cutSilhouette(toArtwork, rect, unseen, coverage)
  return { rect, u, v, coverage }
}

/**
 * The map of a surface whose plate is exact at every `stepPx`-th pixel and interpolated between them; exact
 * near a silhouette, which no step may cross.
 */
export function rasterizeSparsely({ onPlate, bulge }: Cloth, rect: Rect, stepPx: number): SurfaceMap {
  const grid = sparseGrid(rect, stepPx)
  const { columns, rows } = grid
  const points = { u: new Float32Array(columns * rows), v: new Float32Array(columns * rows) }
  const unseenPoints = new Uint8Array(columns * rows)
  for (let y = 0, k = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++, k++) {
      const point = onPlate(rect.left + x * stepPx + 0.5, rect.top + y * stepPx + 0.5)
      points.u[k] = point.isSeen ? point.u : NaN
      points.v[k] = point.isSeen ? point.v : NaN
      unseenPoints[k] = point.isSeen ? 0 : 1
    }
  }
  const { u, v } = fillMap(points, grid, rect)
  const unseen = unseenPoints.includes(1) ? followSilhouette(onPlate, rect, grid, unseenPoints, { u, v }) : null
  swellPlanes(u, v, bulge)
  const coverage = coverageOf(rect, u, v, unseen === null)
  if (unseen) cutSilhouette(onPlate, rect, unseen, coverage)
  return { rect, u, v, coverage }
}

/** The number of points within which a surface turns too much for interpolation. */
const SILHOUETTE_REACH = 2

/** Computes the pixels near a silhouette exactly, into `map`. 1 for each pixel that is not visible. */
function followSilhouette(
  onPlate: ToArtwork,
  rect: Rect,
  { columns, rows, stepPx }: SparseGrid,
  unseenPoints: Uint8Array,
  map: MapPlanes,
): Uint8Array {
  const pointsRect = { left: 0, top: 0, widthPx: columns, heightPx: rows }
  const seenPoints = unseenPoints.map(value => 1 - value)
  const isTurning = beside(unseenPoints, pointsRect, SILHOUETTE_REACH)
  const isNearSeen = beside(seenPoints, pointsRect, 1)
  const unseen = new Uint8Array(rect.widthPx * rect.heightPx)
  /** Whether a corner of the cell below and right of a point is marked. */
  const hasCorner = (marks: Uint8Array, x: number, y: number): boolean => {
    const k = y * columns + x
    const [right, below] = [x + 1 < columns ? 1 : 0, y + 1 < rows ? columns : 0]
    return (marks[k] || marks[k + right] || marks[k + below] || marks[k + right + below]) === 1
  }
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (!hasCorner(isTurning, column, row)) continue
      const isHidden = !hasCorner(isNearSeen, column, row)
      const [right, bottom] = [
        Math.min(rect.widthPx, (column + 1) * stepPx),
        Math.min(rect.heightPx, (row + 1) * stepPx),
      ]
      for (let y = row * stepPx; y < bottom; y++) {
        for (let x = column * stepPx, i = y * rect.widthPx + x; x < right; x++, i++) {
          if (isHidden) {
            unseen[i] = 1
            continue
          }
          const point = onPlate(rect.left + x + 0.5, rect.top + y + 0.5)
          map.u[i] = point.u
          map.v[i] = point.v
          unseen[i] = point.isSeen ? 0 : 1
        }
      }
    }
  }
  return unseen
}

/** Pixels that need no look of their own in a smooth map. */
const MOST_SKIPPED_PX = 32

/** Coverage by the artwork's four edges. */
export function coverageOf(rect: Rect, u: Float32Array, v: Float32Array, isSmooth = false): Float32Array {
  const map = { rect, x: u, y: v }
  return contentCoverage({ contentWidth: 1, contentHeight: 1 }, map, isSmooth ? MOST_SKIPPED_PX : 0)
}

/**
 * The part of the photo that shows artwork, with a margin; even sides, so that half-size maps fit. It is
 * searched for on a grid of about `searchedPoints` a side: at every `stride`-th of its points first, then
 * around those that show artwork.
 */
export function findReach(
  toArtwork: ToArtwork,
  widthPx: number,
  heightPx: number,
  searchedPoints: number,
  stride = 1,
): Rect {
  const step = Math.max(1, Math.max(widthPx, heightPx) / searchedPoints)
  const [columns, rows] = [Math.ceil(widthPx / step - 0.5), Math.ceil(heightPx / step - 0.5)]
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  /** The number of points that show artwork. */
  const search = (fromX: number, fromY: number, toX: number, toY: number, every: number): number => {
    let count = 0
    for (let row = fromY; row < toY; row += every) {
      for (let column = fromX; column < toX; column += every) {
        const point = toArtwork((column + 0.5) * step, (row + 0.5) * step)
        if (!point.isSeen || !isOnArtwork(point)) continue
        left = Math.min(left, column)
        right = Math.max(right, column)
        top = Math.min(top, row)
        bottom = Math.max(bottom, row)
        count++
      }
    }
    return count
  }
  const found = search(stride >> 1, stride >> 1, columns, rows, stride)
  if (stride > 1 && found === 0) search(0, 0, columns, rows, 1)
  for (let isLarger = stride > 1 && found > 0; isLarger; ) {
    const [l, t, r, b] = [left, top, right + 1, bottom + 1]
    const [fromX, toX] = [Math.max(0, l - stride), Math.min(columns, r + stride)]
    const above = search(fromX, Math.max(0, t - stride), toX, t, 1)
    const below = search(fromX, b, toX, Math.min(rows, b + stride), 1)
    isLarger = above + below + search(fromX, t, l, b, 1) + search(r, t, toX, b, 1) > 0
  }
  const at = (point: number): number => (point + 0.5) * step
  return clampReach(at(left) - step, at(top) - step, at(right) + step, at(bottom) + step, widthPx, heightPx)
}

/** A part of the photo with a margin, on even pixels. */
export function clampReach(
  left: number,
  top: number,
  right: number,
  bottom: number,
  widthPx: number,
  heightPx: number,
): Rect {
  if (!(right > left && bottom > top)) return { left: 0, top: 0, widthPx: 0, heightPx: 0 }
  const from = (value: number): number => Math.max(0, Math.floor((value - MARGIN_PX) / 2) * 2)
  const to = (value: number, first: number, size: number): number =>
    Math.max(0, Math.min(Math.floor((size - first) / 2), Math.ceil((value + MARGIN_PX - first) / 2)) * 2)
  const [x, y] = [from(left), from(top)]
  return { left: x, top: y, widthPx: to(right, x, widthPx), heightPx: to(bottom, y, heightPx) }
}

/** Where a surface turns away from the camera, pixels count by the share of them that still shows it. */
function cutSilhouette(toArtwork: ToArtwork, rect: Rect, unseen: Uint8Array, coverage: Float32Array): void {
  if (!unseen.includes(1)) return
  const { widthPx, heightPx } = rect
  const isBeside = beside(unseen, rect, 1)
  for (let y = 0, i = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, i++) {
      if (isBeside[i] === 0 || (coverage[i] ?? 0) === 0) continue
      let [count, all] = [0, 0]
      for (let j = Math.max(0, y - 1); j <= Math.min(heightPx - 1, y + 1); j++) {
        for (let k = Math.max(0, x - 1); k <= Math.min(widthPx - 1, x + 1); k++, all++) {
          count += unseen[j * widthPx + k] ?? 0
        }
      }
      if (count === all) {
        coverage[i] = 0
        continue
      }
      let seen = 0
      for (let b = 0; b < SILHOUETTE_POINTS; b++) {
        for (let a = 0; a < SILHOUETTE_POINTS; a++) {
          const [dx, dy] = [(a + 0.5) / SILHOUETTE_POINTS, (b + 0.5) / SILHOUETTE_POINTS]
          if (toArtwork(rect.left + x + dx, rect.top + y + dy).isSeen) seen++
        }
      }
      coverage[i] = (coverage[i] ?? 0) * (seen / SILHOUETTE_POINTS ** 2)
    }
  }
}

/** 1 where a mark is within `reach` pixels. */
function beside(marks: Uint8Array, { widthPx, heightPx }: Rect, reach: number): Uint8Array {
  const inRows = new Uint8Array(marks.length)
  for (let y = 0; y < heightPx; y++) spread(marks, inRows, y * widthPx, 1, widthPx, reach)
  const isBeside = new Uint8Array(marks.length)
  for (let x = 0; x < widthPx; x++) spread(inRows, isBeside, x, widthPx, heightPx, reach)
  return isBeside
}

/** The same along one line of `count` values, `step` apart. */
function spread(marks: Uint8Array, to: Uint8Array, first: number, step: number, count: number, reach: number): void {
  let end = 0
  for (let i = 0; i < count; i++) {
    if (marks[first + i * step] !== 1) continue
    const from = Math.max(end, i - reach)
    end = Math.min(count, i + reach + 1)
    for (let k = from; k < end; k++) to[first + k * step] = 1
  }
}
