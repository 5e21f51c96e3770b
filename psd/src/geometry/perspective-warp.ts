import {
  applyHomography,
  type ContentPlacement,
  type Homography,
  homographyFromQuad,
  homographyToQuad,
  type Point,
  type Quad,
} from '@vitrine/engine'
import type { Filter, PlacedLayer, UnitsValue } from 'ag-psd'
import { isSoundQuad, isWholeQuad, splitSlices } from './compose-placements.ts'

type PerspectiveWarp = Extract<Filter, { readonly type: 'perspective warp' }>

/** A plane of the filter: its maps from where it was to a unit square, and from that to where it lies. */
type Plane = { readonly inverse: Homography; readonly to: Homography }

/** Patches that follow the edges along which adjoining planes bend the content. */
const PATCHES = 4

/** Of a filter's planes; Photoshop's own limit is far below. */
const MOST_PLANES = 64

/** Whether a smart filter is a Perspective Warp that is drawn: at full opacity, with complete planes. */
export function isDrawnWarp(filter: Filter): filter is PerspectiveWarp {
  const { type, enabled, opacity, blendMode } = filter
  if (type !== 'perspective warp' || !enabled || opacity < 1 || blendMode !== 'normal') return false
  const { quads } = filter.filter
  return quads.length > 0 && quads.length <= MOST_PLANES && planesOf(filter).length === quads.length
}

/** A placement after the Perspective Warps of its smart object. Their points are document pixels. */
export function warpPlacement(placement: ContentPlacement, { filter }: PlacedLayer): ContentPlacement {
  const warps = filter?.enabled ? filter.list.filter(isDrawnWarp) : []
  return warps.reduce((base, warp) => bend(base, planesOf(warp)), placement)
}

function bend(placement: ContentPlacement, planes: readonly Plane[]): ContentPlacement {
  const { forward, quad, sliceX, sliceY } = placement
  const [only, ...others] = planes
  if (!only) return placement
  const move = ([x, y]: Point): Point => {
    const plane = others.length === 0 ? only : nearestPlane(planes, x, y)
    const [u, v] = applyHomography(plane.inverse, x, y)
    return applyHomography(plane.to, u, v)
  }
  const moved: Quad | null =
    quad && others.length === 0 ? [move(quad[0]), move(quad[1]), move(quad[2]), move(quad[3])] : null
  // Four corners that a plane turns over form no quad: the map is drawn as patches.
  const isQuad = moved !== null && isWholeQuad(moved)
  return {
    ...placement,
    forward: (x, y) => move(forward(x, y)),
    quad: isQuad ? moved : null,
    sliceX: isQuad ? sliceX : splitSlices(sliceX, PATCHES),
    sliceY: isQuad ? sliceY : splitSlices(sliceY, PATCHES),
  }
}

/** The plane that contains a point, or the nearest one. */
function nearestPlane(planes: readonly Plane[], x: number, y: number): Plane {
  let [best, least]: [Plane | undefined, number] = [undefined, Infinity]
  for (const plane of planes) {
    const [u, v] = applyHomography(plane.inverse, x, y)
    const outside = Math.max(0, -u, u - 1, -v, v - 1)
    const distance = Number.isFinite(outside) ? outside : Number.MAX_VALUE
    if (distance < least) [best, least] = [plane, distance]
  }
  if (!best) throw new Error('Expected a plane.')
  return best
}

/** Planes whose corners form a quad before and after. */
function planesOf({ filter }: PerspectiveWarp): readonly Plane[] {
  const before = filter.vertices.map(pointOf)
  const after = filter.warpedVertices.map(pointOf)
  return filter.quads.flatMap(indices => {
    const corners = around(indices, before)
    const from = quadOf(corners, before)
    const target = quadOf(corners, after)
    if (!from || !target) return []
    return [{ inverse: homographyFromQuad(from), to: homographyToQuad(target) }]
  })
}

function pointOf({ x, y }: { readonly x: UnitsValue; readonly y: UnitsValue }): Point {
  return [x.value, y.value]
}

/** Corners of a plane in their order around it, whatever order they are stored in. */
function around(indices: readonly number[], points: readonly Point[]): readonly number[] {
  const corners = indices.map(index => points[index] ?? [NaN, NaN])
  const [middleX, middleY] = [0, 1].map(axis => corners.reduce((sum, point) => sum + (point[axis] ?? 0) / 4, 0))
  const angleOf = (index: number): number => {
    const [x, y] = points[index] ?? [NaN, NaN]
    return Math.atan2(y - (middleY ?? 0), x - (middleX ?? 0))
  }
  return indices.toSorted((a, b) => angleOf(a) - angleOf(b))
}

function quadOf(indices: readonly number[], points: readonly Point[]): Quad | null {
  const [a, b, c, d, other] = indices.map(index => points[index])
  if (!a || !b || !c || !d || other) return null
  const quad: Quad = [a, b, c, d]
  return isSoundQuad(quad) ? quad : null
}
