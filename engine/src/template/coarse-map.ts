import type { PreparedFrame } from '../drawing/prepared-frame.ts'
import type { Rect } from '../geometry/rect.ts'
import type { UvPixmap } from '../pixmap.ts'
import type { Placement } from '../sampling/resample-layer.ts'
import type { GridMap } from '../sampling/sampling-plan.ts'
import { buildUvField, interpolateUvField, type UvField } from '../sampling/uv-grid.ts'

/** How many output pixels a pixel of the map may stand for, the coarsest first. */
const coarseSteps = [8, 6, 4, 3, 2, 1] as const

/** Coordinates are rounded to this fraction of an output pixel, so that the file compresses well. */
const KEPT_PARTS = 32

/** A map with fewer pixels than the output, and its area in the output. */
export type CoarseMap = { readonly layer: UvPixmap; readonly region: Rect }

/**
 * The smallest map in which each pixel of a frame is at most `tolerancePx` output pixels from its position in
 * the whole map, weighted by coverage; at worst with one pixel for each of the output. It has no coverage,
 * which must be a mask.
 */
export function coarsenMap(
  field: UvField,
  placement: Placement,
  { plan, coverage }: PreparedFrame,
  whole: GridMap,
  tolerancePx: number,
): CoarseMap {
  const unit = [quantumOf(plan.densityU), quantumOf(plan.densityV)] as const
  for (const step of coarseSteps) {
    const coarse = sampleMap(field, placement, plan.region, step, unit)
    if (step === 1 || findError(coarse, plan, coverage, whole) <= tolerancePx) return coarse
  }
  throw new Error('Expected a map at the pixels of the output at least.')
}

/** The step, in stored numbers, that stays below that fraction of an output pixel: a power of two. */
function quantumOf(density: number): number {
  return 2 ** Math.max(0, Math.min(8, Math.floor(Math.log2(65_535 / (density * KEPT_PARTS)))))
}

function sampleMap(
  field: UvField,
  { left, top, width, height }: Placement,
  region: Rect,
  step: number,
  [unitU, unitV]: readonly [number, number],
): CoarseMap {
  // One more pixel all around, so that the rim lies between pixels of the map.
  const widthPx = Math.ceil(region.widthPx / step) + 2
  const heightPx = Math.ceil(region.heightPx / step) + 2
  const grown = {
    left: region.left - step,
    top: region.top - step,
    widthPx: widthPx * step,
    heightPx: heightPx * step,
  }
  const scaled = {
    left: (left - grown.left) / step,
    top: (top - grown.top) / step,
    width: width / step,
    height: height / step,
  }
  const everywhere = new Uint8Array(widthPx * heightPx).fill(255)
  const { u, v } = interpolateUvField(field, scaled, { left: 0, top: 0, widthPx, heightPx }, everywhere)
  const data = new Uint16Array(3 * u.length)
  for (let i = 0; i < u.length; i++) {
    data[3 * i + 2] = 65_535
    if (Number.isNaN(u[i] ?? Number.NaN)) continue
    // A pixel of only zeros would count as outside the map.
    data[3 * i] = Math.max(1, stored16(u[i] ?? 0, unitU))
    data[3 * i + 1] = stored16(v[i] ?? 0, unitV)
  }
  return { layer: { alpha: 'uv', widthPx, heightPx, hasCoverage: false, data }, region: grown }
}

function stored16(share: number, unit: number): number {
  return Math.max(0, Math.min(65_535, Math.round((share * 65_535) / unit) * unit))
}

/** The greatest distance from the whole map, in output pixels at the artwork's highest density. */
function findError({ layer, region }: CoarseMap, plan: PreparedFrame['plan'], coverage: Uint8Array, whole: GridMap) {
  const field = buildUvField(layer)
  if (field.wrapsU !== whole.wrapsU) return Number.POSITIVE_INFINITY
  const at = { left: region.left, top: region.top, width: region.widthPx, height: region.heightPx }
  const { u, v } = interpolateUvField(field, at, plan.region, coverage)
  let greatest = 0
  for (let i = 0; i < coverage.length; i++) {
    const share = (coverage[i] ?? 0) / 255
    const wantedU = whole.u[i] ?? Number.NaN
    if (share === 0 || Number.isNaN(wantedU)) continue
    const stepU = (u[i] ?? Number.NaN) - wantedU
    const awayU = (whole.wrapsU ? stepU - Math.round(stepU) : stepU) * plan.densityU
    const awayV = ((v[i] ?? 0) - (whole.v[i] ?? 0)) * plan.densityV
    const error = Math.sqrt(awayU * awayU + awayV * awayV) * share
    // NaN where the coarse map has a hole.
    if (!(error <= greatest)) greatest = Number.isNaN(error) ? Number.POSITIVE_INFINITY : error
  }
  return greatest
}
