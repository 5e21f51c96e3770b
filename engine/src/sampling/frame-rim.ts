import { buildCoverageEdge, findEdgeDistance } from '../geometry/quad-coverage.ts'
import { ChunkList, type Chunks } from './chunk-list.ts'
import { findCoveredPart } from './covered-part.ts'
import { fillScales } from './fill-scales.ts'
import { type GridMap, type PixelMoves, readGradient, type SamplingPlan } from './sampling-plan.ts'

/**
 * For sharp edges of a frame with a map: each partly covered pixel is sampled at the centroid of its covered
 * part; repeated artwork also with that part's footprint.
 */
export type FrameRim = {
  /** those of the plan, split so that rim pixels have their own scales */
  readonly chunks: Chunks & Pick<SamplingPlan, 'rowChunk'>
  readonly moves: PixelMoves
}

/** The greatest ratio between scales within a chunk along the rim; a smaller one costs more than it gains. */
const SCALE_TOLERANCE = 1.5

/** A rim pixel whose scale exceeds its chunk's by this factor lies where the map jumps, and is not moved. */
const GREATEST_SCALE_RATIO = 2

/** Within this distance of a sharp edge, there are both uncovered and fully covered pixels. */
const SHARP_REACH_PX = 2

/** The rim of a frame; null if no pixel lies on a sharp edge, or the frame has a homography. */
export function findFrameRim(prepared: SamplingPlan, coverage: Uint8Array): FrameRim | null {
  const { map, region } = prepared
  if (map.kind !== 'grid') return null
  const plan = fillScales(prepared)
  const locate = createRimReader(map, coverage, region.widthPx, region.heightPx)
  const chunks = new ChunkList()
  const rowChunk = new Int32Array(plan.rowChunk.length)
  const pixels: number[] = []
  const movesU: number[] = []
  const movesV: number[] = []
  for (let row = 0; row < region.heightPx; row++) {
    rowChunk[row] = chunks.count
    const endChunk = plan.rowChunk[row + 1] ?? 0
    for (let chunk = plan.rowChunk[row] ?? 0; chunk < endChunk; chunk++) {
      const scaleU = plan.chunkScaleU[chunk] ?? 0
      const scaleV = plan.chunkScaleV[chunk] ?? 0
      let start = plan.chunkStart[chunk] ?? 0
      const end = start + (plan.chunkLength[chunk] ?? 0)
      let runU = scaleU
      let runV = scaleV
      let wasNarrow = false
      for (let i = start; i < end; i++) {
        const cover = coverage[i] ?? 0
        const rim = cover > 0 && cover < 255 ? locate(i, scaleU, scaleV) : null
        const isNarrow = rim !== null && !(isNear(rim.scaleU, scaleU) && isNear(rim.scaleV, scaleV))
        const goesOn = isNarrow ? wasNarrow && isNear(rim.scaleU, runU) && isNear(rim.scaleV, runV) : !wasNarrow
        if (!goesOn) {
          if (i > start) chunks.push(start, i - start, runU, runV)
          start = i
          runU = isNarrow ? rim.scaleU : scaleU
          runV = isNarrow ? rim.scaleV : scaleV
          wasNarrow = isNarrow
        }
        if (!rim) continue
        pixels.push(i)
        movesU.push(rim.moveU)
        movesV.push(rim.moveV)
      }
      if (end > start) chunks.push(start, end - start, runU, runV)
    }
  }
  if (pixels.length === 0) return null
  rowChunk[region.heightPx] = chunks.count
  return {
    chunks: { ...chunks.toArrays(), rowChunk },
    moves: { pixels: Int32Array.from(pixels), u: Float32Array.from(movesU), v: Float32Array.from(movesV) },
  }
}

function isNear(scale: number, other: number): boolean {
  return scale <= other * SCALE_TOLERANCE && other <= scale * SCALE_TOLERANCE
}

/** The offset from the pixel's centre to the centroid of its covered part, and that part's scales. */
type RimPixel = { readonly moveU: number; readonly moveV: number; readonly scaleU: number; readonly scaleV: number }

function createRimReader(map: GridMap, coverage: Uint8Array, widthPx: number, heightPx: number) {
  const size = { widthPx, heightPx }
  const gradient = new Float64Array(4)
  const at = (x: number, y: number): number =>
    x < 0 || x >= widthPx || y < 0 || y >= heightPx ? 0 : (coverage[y * widthPx + x] ?? 0)
  return (i: number, chunkScaleU: number, chunkScaleV: number): RimPixel | null => {
    const x = i % widthPx
    const y = (i - x) / widthPx
    // A sharp edge has both next to it, even in downscaled masks; blurred or half-transparent masks do not.
    let least = 255
    let greatest = 0
    for (let dy = -SHARP_REACH_PX; dy <= SHARP_REACH_PX; dy++) {
      for (let dx = -SHARP_REACH_PX; dx <= SHARP_REACH_PX; dx++) {
        const cover = at(x + dx, y + dy)
        least = Math.min(least, cover)
        greatest = Math.max(greatest, cover)
      }
    }
    if (least > 0 || greatest < 255) return null
    const a = at(x - 1, y - 1)
    const b = at(x, y - 1)
    const c = at(x + 1, y - 1)
    const d = at(x - 1, y)
    const e = at(x + 1, y)
    const f = at(x - 1, y + 1)
    const g = at(x, y + 1)
    const h = at(x + 1, y + 1)
    const edge = buildCoverageEdge(c + 2 * e + h - a - 2 * d - f, f + 2 * g + h - a - 2 * b - c, 0)
    if (!edge) return null
    const part = findCoveredPart(edge.nx, edge.ny, findEdgeDistance((coverage[i] ?? 0) / 255, edge))
    readGradient(map, size, x, y, gradient)
    const [uAcross = 0, uDown = 0, vAcross = 0, vDown = 0] = gradient
    const fits =
      Math.hypot(uAcross, uDown) <= GREATEST_SCALE_RATIO * chunkScaleU &&
      Math.hypot(vAcross, vDown) <= GREATEST_SCALE_RATIO * chunkScaleV
    if (!fits) return null
    return {
      moveU: uAcross * part.x + uDown * part.y,
      moveV: vAcross * part.x + vDown * part.y,
      scaleU: part.extentAlong(uAcross, uDown),
      scaleV: part.extentAlong(vAcross, vDown),
    }
  }
}

/** The plan with moved rim pixels for placed artwork; with `isNarrow`, also with their footprints. */
export function followRim(plan: SamplingPlan, { chunks, moves }: FrameRim, isNarrow: boolean): SamplingPlan {
  return isNarrow ? { ...plan, ...chunks, moves, chunkBounds: new Float32Array(0) } : { ...plan, moves }
}

/** Calls `write` with the position of each moved pixel in [first, end), its index counted from `first`. */
export function movePixels(
  { u, v }: GridMap,
  moves: PixelMoves,
  first: number,
  end: number,
  write: (pixel: number, u: number, v: number) => void,
): void {
  for (let k = findFirst(moves.pixels, first); k < moves.pixels.length; k++) {
    const i = moves.pixels[k] ?? 0
    if (i >= end) return
    write(i - first, (u[i] ?? 0) + (moves.u[k] ?? 0), (v[i] ?? 0) + (moves.v[k] ?? 0))
  }
}

/** The first index of a value of at least `least` in an ascending list. */
function findFirst(values: Int32Array, least: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}

/** The plan with a map in which every pixel is at its sampling position. */
export function moveAllPixels(plan: SamplingPlan): SamplingPlan {
  const { map, moves } = plan
  if (map.kind !== 'grid' || !moves) return plan
  const u = map.u.slice()
  const v = map.v.slice()
  movePixels(map, moves, 0, u.length, (pixel, movedU, movedV) => {
    u[pixel] = movedU
    v[pixel] = movedV
  })
  return { ...plan, map: { ...map, u, v }, moves: null }
}

/** Memory of a rim, in bytes. */
export function measureFrameRim({ chunks, moves }: FrameRim): number {
  return chunks.chunkCount * 16 + chunks.rowChunk.byteLength + moves.pixels.length * 12
}
