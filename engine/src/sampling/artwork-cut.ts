import type { AffineMap } from '../geometry/affine-map.ts'
import type { Homography } from '../geometry/homography.ts'
import { buildCoverageEdge, type CoverageEdge, shareInside, writeCoverageRow } from '../geometry/quad-coverage.ts'
import { BOUNDS_PER_CHUNK, type GridMap, readGradient, type SamplingPlan } from './sampling-plan.ts'

/** One edge of the artwork: points of the frame on its inner side have perU u + perV v + start >= 0. */
type HalfPlane = { readonly perU: number; readonly perV: number; readonly start: number }

/** An edge beyond the frame by less than this share of the artwork counts as outside. */
const ROUNDING = 1e-9

/** Pixels this close to an edge are computed individually. */
const NEAR_PX = 3

/**
 * How much of each pixel of the region lies within the artwork's edges, 0..255, as exact areas; null if no
 * edge crosses the frame. `startU` is the frame's left edge.
 */
export function buildArtworkCut(plan: SamplingPlan, toArtwork: AffineMap, startU: number): Uint8Array | null {
  const { xPerU, xPerV, x0, yPerU, yPerV, y0 } = toArtwork
  const edges: readonly HalfPlane[] = [
    { perU: xPerU, perV: xPerV, start: x0 },
    { perU: -xPerU, perV: -xPerV, start: 1 - x0 },
    { perU: yPerU, perV: yPerV, start: y0 },
    { perU: -yPerU, perV: -yPerV, start: 1 - y0 },
  ]
  // The minimum over the frame is at one of its corners.
  const cutting = edges.filter(
    ({ perU, perV, start }) => start + startU * perU + Math.min(0, perU) + Math.min(0, perV) < -ROUNDING,
  )
  if (cutting.length === 0) return null
  const { map } = plan
  return map.kind === 'homography' ? cutByMatrix(plan, map.matrix, cutting) : cutByGrid(plan, map, cutting)
}

/** Where w is positive, as it is inside a frame, a half-plane of the artwork is one of the scene. */
function cutByMatrix({ region }: SamplingPlan, m: Homography, cutting: readonly HalfPlane[]): Uint8Array {
  const cut = new Uint8Array(region.widthPx * region.heightPx)
  const edges: CoverageEdge[] = []
  for (const { perU, perV, start } of cutting) {
    const [a, b, c] = [0, 1, 2].map(i => perU * (m[i] ?? 0) + perV * (m[i + 3] ?? 0) + start * (m[i + 6] ?? 0))
    const edge = buildCoverageEdge(a ?? 0, b ?? 0, c ?? 0)
    if (edge) edges.push(edge)
    else if ((c ?? 0) < 0) return cut
  }
  for (let y = 0; y < region.heightPx; y++) {
    writeCoverageRow(edges, region, y, cut.subarray(y * region.widthPx, (y + 1) * region.widthPx), 255)
  }
  return cut
}

function locateInside({ perU, perV, start }: HalfPlane, u: number, v: number): number {
  return start + perU * u + perV * v
}

/** The least or greatest value of an edge within a chunk; NaN if the chunk has a pixel outside the map. */
function findInside(edge: HalfPlane, bounds: Float32Array, chunk: number, which: 'least' | 'greatest'): number {
  const at = chunk * BOUNDS_PER_CHUNK
  // Rounding is monotonic, so no pixel of the chunk lies beyond.
  const end = which === 'least' ? 0 : 1
  const u = bounds[at + (edge.perU < 0 ? 1 - end : end)] ?? Number.NaN
  const v = bounds[at + 2 + (edge.perV < 0 ? 1 - end : end)] ?? Number.NaN
  return locateInside(edge, u, v)
}

/** Around a pixel of a map, the artwork's edges are approximated by lines. */
function cutByGrid(plan: SamplingPlan, map: GridMap, cutting: readonly HalfPlane[]): Uint8Array {
  const { region, chunkCount, chunkStart, chunkLength, chunkScaleU, chunkScaleV, chunkBounds } = plan
  const cut = new Uint8Array(region.widthPx * region.heightPx)
  const gradient = new Float64Array(4)
  for (let chunk = 0; chunk < chunkCount; chunk++) {
    const start = chunkStart[chunk] ?? 0
    const end = start + (chunkLength[chunk] ?? 0)
    const scaleU = chunkScaleU[chunk] ?? 0
    const scaleV = chunkScaleV[chunk] ?? 0
    cut.fill(255, start, end)
    for (const edge of cutting) {
      const near = NEAR_PX * (Math.abs(edge.perU) * scaleU + Math.abs(edge.perV) * scaleV)
      // Far from the edge, all pixels of the chunk have the same share.
      if (findInside(edge, chunkBounds, chunk, 'least') > near) continue
      if (findInside(edge, chunkBounds, chunk, 'greatest') < -near) {
        cut.fill(0, start, end)
        break
      }
      for (let i = start; i < end; i++) {
        const inside = locateInside(edge, map.u[i] ?? 0, map.v[i] ?? 0)
        if (inside > near) continue
        // NaN, outside the map, counts as outside.
        if (!(inside >= -near)) {
          cut[i] = 0
          continue
        }
        readGradient(map, region, i % region.widthPx, Math.floor(i / region.widthPx), gradient)
        const [uAcross = 0, uDown = 0, vAcross = 0, vDown = 0] = gradient
        const across = edge.perU * uAcross + edge.perV * vAcross
        const down = edge.perU * uDown + edge.perV * vDown
        const local = buildCoverageEdge(across, down, inside)
        const share = local ? shareInside(local.offset, local) : inside >= 0 ? 1 : 0
        cut[i] = Math.round((cut[i] ?? 0) * share)
      }
    }
  }
  return cut
}
