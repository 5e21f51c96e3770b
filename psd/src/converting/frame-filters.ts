import { BLUR_REACH, type Point } from '@vitrine/engine'
import type { Filter, PlacedLayer } from 'ag-psd'
import type { Weight } from '../compositing/layer-mask.ts'

/** Filters that change a frame's artwork and its edges, in this order; lengths in document pixels. */
export type FrameFilters = {
  /** of a Gaussian; 0: none */
  readonly blurPx: number
  readonly motion: { readonly lengthPx: number; readonly angle: number } | null
  readonly sharpen: { readonly amount: number; readonly radiusPx: number; readonly threshold: number } | null
  /** how visible they are */
  readonly weight: Weight
}

/** Blurs of larger radii are for backgrounds. */
const MAX_BLUR_PX = 1_000
const MAX_AMOUNT = 5

/** Photoshop's Unsharp Mask of radius 2.5 px weighs pixels (Patchy, MIT) as a Gaussian of 2.34 px does. */
const SIGMA_OF_RADIUS = 0.936

/** Smart filters that a frame draws as filters. A sharpening before a blur is left out. */
export function filtersOfFrame({ filter }: Pick<PlacedLayer, 'filter'>): readonly Filter[] {
  const whole = filter?.enabled ? filter.list.filter(isWhole) : []
  const blurs = whole.filter(({ type }) => type === 'gaussian blur')
  const motion = whole.find(({ type }) => type === 'motion blur')
  const sharpen = whole.findLast(({ type }) => type === 'unsharp mask')
  const drawn = [...blurs, ...(motion ? [motion] : [])]
  const isLast = sharpen && drawn.every(each => whole.indexOf(each) < whole.indexOf(sharpen))
  return isLast ? [...drawn, sharpen] : drawn
}

function isWhole({ enabled, opacity, blendMode }: Filter): boolean {
  return enabled && opacity >= 1 && blendMode === 'normal'
}

/** Null if a smart object has none. `weight`: that of the mask of all its filters. */
export function readFrameFilters(placed: Pick<PlacedLayer, 'filter'>, weight: Weight): FrameFilters | null {
  const drawn = filtersOfFrame(placed)
  const radii = drawn.map(each => (each.type === 'gaussian blur' ? within(each.filter.radius?.value, MAX_BLUR_PX) : 0))
  const blurPx = Math.min(MAX_BLUR_PX, Math.hypot(...radii))
  let [motion, sharpen]: [FrameFilters['motion'], FrameFilters['sharpen']] = [null, null]
  for (const each of drawn) {
    if (each.type === 'motion blur') {
      const { distance, angle } = each.filter
      // A line of this many steps touches one pixel more.
      const lengthPx = within(distance?.value, MAX_BLUR_PX - 1) + 1
      motion = { lengthPx, angle: degreesOf(angle) % 360 }
    } else if (each.type === 'unsharp mask') {
      const { amount, radius, threshold } = each.filter
      const radiusPx = SIGMA_OF_RADIUS * within(radius?.value, MAX_BLUR_PX)
      sharpen = { amount: within(amount, MAX_AMOUNT), radiusPx, threshold: within(threshold, 255) }
    }
  }
  return blurPx > 0 || motion || sharpen ? { blurPx, motion, sharpen, weight } : null
}

/** A number, or from scripts a value with its unit, which ag-psd's types do not have. */
function degreesOf(angle: unknown): number {
  const value = typeof angle === 'object' && angle !== null && 'value' in angle ? angle.value : angle
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}

/** A damaged descriptor may lack fields that are required in ag-psd's types. */
function within(value: number | undefined, most: number): number {
  return value !== undefined && Number.isFinite(value) ? Math.min(most, Math.max(0, value)) : 0
}

/** How far filters reach beyond a frame. */
export function reachOfFilters(filters: FrameFilters | null): number {
  return filters ? Math.ceil(BLUR_REACH * filters.blurPx + (filters.motion?.lengthPx ?? 0) / 2) : 0
}

/** `move`: of an offset; `scaleWeight`: where their mask lies in another picture. */
export function scaleFilters(
  { blurPx, motion, sharpen, weight }: FrameFilters,
  scale: number,
  move: (offset: Point) => Point,
  scaleWeight: (weight: Weight) => Weight,
): FrameFilters {
  return {
    blurPx: blurPx * scale,
    motion: motion && moveMotion(motion, move),
    sharpen: sharpen && { ...sharpen, radiusPx: sharpen.radiusPx * scale },
    weight: scaleWeight(weight),
  }
}

function moveMotion({ lengthPx, angle }: NonNullable<FrameFilters['motion']>, move: (offset: Point) => Point) {
  const radians = (angle * Math.PI) / 180
  const [x, y] = move([lengthPx * Math.cos(radians), -lengthPx * Math.sin(radians)])
  return { lengthPx: Math.min(MAX_BLUR_PX, Math.hypot(x, y)), angle: (Math.atan2(-y, x) * 180) / Math.PI }
}
