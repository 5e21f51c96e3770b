import type { ImageCodec } from '../codec.ts'
import type { PreparedFrame } from '../drawing/prepared-frame.ts'
import { homographyFromQuad } from '../geometry/homography.ts'
import { type Quad, scaleQuad } from '../geometry/quad.ts'
import { buildCoverageEdges, writeCoverageRow } from '../geometry/quad-coverage.ts'
import { clipToPicture, growRect, type Rect } from '../geometry/rect.ts'
import { linearOf } from '../hex-color.ts'
import type { ToneTables } from '../lighting/light-tables.ts'
import { findFrameRim, measureFrameRim } from '../sampling/frame-rim.ts'
import { resampleLayer } from '../sampling/resample-layer.ts'
import { type ArtworkMap, buildSamplingPlan, measureSamplingPlan } from '../sampling/sampling-plan.ts'
import { buildUvField, interpolateUvField } from '../sampling/uv-grid.ts'
import { reachOfEffects } from './effect-fields.ts'
import { hasFilters, reachOfFilters } from './filter-fields.ts'
import {
  createLayerReader,
  findReach,
  type LayerFiles,
  type OutputSize,
  type PlacedLayer,
  resampleMask,
} from './prepare-layer.ts'
import { measureLight, readLight } from './prepare-light.ts'
import type { Frame } from './template.ts'

type PlacedMask = PlacedLayer<'coverage'> & { readonly reach: Rect }
type PlacedMap = PlacedLayer<'uv'> & { readonly reach: Rect }

/** `coverage`: a byte per pixel of `region`. */
type Covered = { readonly region: Rect; readonly coverage: Uint8Array }

/** Reads a frame's layers and computes its coverage and sampling plan for one output size. */
export async function prepareFrame(
  frame: Frame,
  tone: ToneTables,
  output: OutputSize,
  files: LayerFiles,
  codec: ImageCodec,
): Promise<PreparedFrame> {
  const read = createLayerReader(output, files, codec)
  const isLit = frame.lighting !== null
  let mask: PlacedMask | null = null
  if (frame.mask) {
    const placed = await read(frame.mask, 'coverage')
    mask = { ...placed, reach: findReach(placed.layer, placed.placement, output) }
  }
  let covered: Covered
  let map: ArtworkMap
  if (frame.placement.kind === 'corners') {
    const quad = scaleQuad(frame.placement.corners, output.scaleX, output.scaleY)
    covered = trim(coverQuad(quad, mask, isLit, output))
    map = { kind: 'homography', matrix: homographyFromQuad(quad) }
  } else {
    const uvmap = await read(frame.placement.uvmap, 'uv')
    const reach = findReach(uvmap.layer, uvmap.placement, output)
    covered = trim(coverMap({ ...uvmap, reach }, mask, isLit))
    const field = buildUvField(uvmap.layer)
    const { u, v } = interpolateUvField(field, uvmap.placement, covered.region, covered.coverage)
    map = { kind: 'grid', u, v, wrapsU: field.wrapsU }
  }
  const plan = buildSamplingPlan(covered.region, map, covered.coverage)
  const light = frame.lighting && {
    tone,
    surface: linearOf(frame.surfaceColor),
    ...(await readLight(frame.lighting, covered.region, read)),
  }
  const rim = findFrameRim(plan, covered.coverage)
  const reach = reachOf(covered.region, frame, output)
  return { aspectRatio: frame.aspectRatio, plan, reach, rim, coverage: covered.coverage, light }
}

/** One pixel beyond everything that effects change, so that they see the artwork's edge. */
function reachOf(region: Rect, frame: Frame, output: OutputSize): Rect {
  if (frame.effects.length === 0 && !hasFilters(frame)) return region
  const farthest = reachOfEffects(frame.effects) + reachOfFilters(frame)
  return growRect(region, Math.ceil(farthest * Math.max(output.scaleX, output.scaleY)) + 2, output)
}

/** Memory that a prepared frame holds. */
export function measureFrame(frame: PreparedFrame): number {
  const light = frame.light ? measureLight(frame.light) : 0
  const rim = frame.rim ? measureFrameRim(frame.rim) : 0
  return measureSamplingPlan(frame.plan) + rim + frame.coverage.byteLength + light
}

/** The output pixels that a quad touches, and their neighbours. */
export function boundQuad(quad: Quad, output: OutputSize): Rect {
  const xs = quad.map(corner => corner[0])
  const ys = quad.map(corner => corner[1])
  return clipToPicture(
    Math.min(...xs) - 0.5,
    Math.min(...ys) - 0.5,
    Math.max(...xs) + 0.5,
    Math.max(...ys) + 0.5,
    output.widthPx,
    output.heightPx,
  )
}

/** Coverage of a `corners` frame: analytic edges times mask; a lit frame's mask contains the edges. */
function coverQuad(quad: Quad, mask: PlacedMask | null, isLit: boolean, output: OutputSize): Covered {
  if (isLit && mask) return { region: mask.reach, coverage: resampleMask(mask, mask.reach) }
  const region = boundQuad(quad, output)
  const { widthPx, heightPx } = region
  const coverage = mask ? resampleMask(mask, region) : new Uint8Array(widthPx * heightPx).fill(255)
  const edges = buildCoverageEdges(quad)
  const row = new Float32Array(widthPx)
  for (let y = 0, i = 0; y < heightPx; y++) {
    writeCoverageRow(edges, region, y, row, 1)
    for (let x = 0; x < widthPx; x++, i++) coverage[i] = Math.round((coverage[i] ?? 0) * (row[x] ?? 0))
  }
  return { region, coverage }
}

/** Coverage of a `uvmap` frame: the map's alpha, if any, times the mask; in a lit frame only the mask. */
function coverMap(map: PlacedMap, mask: PlacedMask | null, isLit: boolean): Covered {
  if (mask && (isLit || !map.layer.hasCoverage)) {
    return { region: mask.reach, coverage: resampleMask(mask, mask.reach) }
  }
  const coverage = resampleMapAlpha(map, map.reach)
  if (mask) {
    const shown = resampleMask(mask, map.reach)
    for (let i = 0; i < coverage.length; i++) coverage[i] = Math.round(((coverage[i] ?? 0) * (shown[i] ?? 0)) / 255)
  }
  return { region: map.reach, coverage }
}

/** The map's own coverage over a region of the output. */
export function resampleMapAlpha({ layer, placement }: PlacedLayer<'uv'>, region: Rect): Uint8Array {
  const { widthPx, heightPx, data } = layer
  const alpha = new Uint8Array(widthPx * heightPx)
  for (let i = 0; i < alpha.length; i++) alpha[i] = Math.round((data[3 * i + 2] ?? 0) / 257)
  return resampleLayer({ widthPx, heightPx, data: alpha }, 1, placement, region, 'tent', 'clear')
}

/** The smallest part that contains every covered pixel. */
function trim({ region, coverage }: Covered): Covered {
  const { widthPx, heightPx } = region
  let left = widthPx
  let right = -1
  let top = -1
  let bottom = -1
  for (let y = 0, i = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, i++) {
      if ((coverage[i] ?? 0) === 0) continue
      if (x < left) left = x
      if (x > right) right = x
      if (top < 0) top = y
      bottom = y
    }
  }
  if (top < 0) return { region: { ...region, widthPx: 0, heightPx: 0 }, coverage: new Uint8Array(0) }
  const trimmed = {
    left: region.left + left,
    top: region.top + top,
    widthPx: right - left + 1,
    heightPx: bottom - top + 1,
  }
  if (trimmed.widthPx === widthPx && trimmed.heightPx === heightPx) return { region, coverage }
  const kept = new Uint8Array(trimmed.widthPx * trimmed.heightPx)
  for (let y = 0; y < trimmed.heightPx; y++) {
    const from = (top + y) * widthPx + left
    kept.set(coverage.subarray(from, from + trimmed.widthPx), y * trimmed.widthPx)
  }
  return { region: trimmed, coverage: kept }
}
