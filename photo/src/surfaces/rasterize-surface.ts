import { contentCoverage, type Rect } from '@vitrine/engine'
import type { ArtworkPoint } from './artwork-point.ts'
import type { SurfaceMap } from './frame-surface.ts'

/** Pixels around the artwork: filters of light and half-size maps need some. */
export const MARGIN_PX = 12

/** The photo is searched for artwork on a grid of about this many points a side. */
const SEARCHED_POINTS = 512

/** Points a pixel's side is seen by, along a silhouette. */
const SILHOUETTE_POINTS = 4

type ToArtwork = (x: number, y: number) => ArtworkPoint

const isInside = ({ u, v, isSeen }: ArtworkPoint): boolean => isSeen && u >= 0 && u <= 1 && v >= 0 && v <= 1

/** The map of a surface that says what each point of the photo shows. */
export function rasterizeSurface(
  toArtwork: ToArtwork,
  widthPx: number,
  heightPx: number,
  searchedPoints = SEARCHED_POINTS,
): SurfaceMap {
  const rect = findReach(toArtwork, widthPx, heightPx, searchedPoints)
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

/** Coverage by the artwork's four edges. */
export function coverageOf(rect: Rect, u: Float32Array, v: Float32Array): Float32Array {
  return contentCoverage({ contentWidth: 1, contentHeight: 1 }, { rect, x: u, y: v })
}

/** The part of the photo that shows artwork, with a margin; even sides, so that half-size maps fit. */
function findReach(toArtwork: ToArtwork, widthPx: number, heightPx: number, searchedPoints: number): Rect {
  const step = Math.max(1, Math.max(widthPx, heightPx) / searchedPoints)
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let y = step / 2; y < heightPx; y += step) {
    for (let x = step / 2; x < widthPx; x += step) {
      if (!isInside(toArtwork(x, y))) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
  }
  return clampReach(left - step, top - step, right + step, bottom + step, widthPx, heightPx)
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

/** Where a surface turns away from the camera, pixels count by how much of them still sees it. */
function cutSilhouette(toArtwork: ToArtwork, rect: Rect, unseen: Uint8Array, coverage: Float32Array): void {
  const { widthPx, heightPx } = rect
  for (let y = 0, i = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, i++) {
      if ((coverage[i] ?? 0) === 0) continue
      let [count, all] = [0, 0]
      for (let j = Math.max(0, y - 1); j <= Math.min(heightPx - 1, y + 1); j++) {
        for (let k = Math.max(0, x - 1); k <= Math.min(widthPx - 1, x + 1); k++, all++) {
          count += unseen[j * widthPx + k] ?? 0
        }
      }
      if (count === 0) continue
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
