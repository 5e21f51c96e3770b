import type { Rect } from '../geometry/rect.ts'

/** An average along a line; `angle` in degrees, counter-clockwise from the right. */
export type Motion = { readonly lengthPx: number; readonly angle: number }

/**
 * Averages a plane along a line through each pixel. Lines advance one row or column at a time, interpolated
 * between two pixels; with running sums, the time does not depend on the length.
 */
export function smearPlane(
  plane: Float32Array,
  { widthPx, heightPx }: Pick<Rect, 'widthPx' | 'heightPx'>,
  { lengthPx, angle }: Motion,
): Float32Array {
  const radians = (angle * Math.PI) / 180
  const [x, y] = [Math.cos(radians), -Math.sin(radians)]
  const isAcross = Math.abs(x) >= Math.abs(y)
  const along = isAcross ? { count: widthPx, step: 1 } : { count: heightPx, step: widthPx }
  const beside = isAcross ? { count: heightPx, step: widthPx } : { count: widthPx, step: 1 }
  const slope = isAcross ? y / x : x / y
  const span = lengthPx * Math.max(Math.abs(x), Math.abs(y))
  const out = new Float32Array(plane.length)
  const margin = Math.ceil(span / 2) + 1
  const sums = new Float64Array(along.count + 2 * margin + 1)
  const last = beside.count - 1
  const rises = [0, slope * (along.count - 1)]
  // A line at `offset` is at offset + slope * i; all that touch the plane.
  for (let offset = Math.floor(-Math.max(...rises)); offset <= Math.ceil(last - Math.min(...rises)); offset++) {
    for (let i = -margin; i < along.count + margin; i++) {
      const at = Math.min(last, Math.max(0, offset + slope * i))
      const before = Math.floor(at)
      const start = Math.min(along.count - 1, Math.max(0, i)) * along.step
      const low = plane[start + before * beside.step] ?? 0
      const high = plane[start + Math.min(last, before + 1) * beside.step] ?? 0
      sums[i + margin + 1] = (sums[i + margin] ?? 0) + low + (at - before) * (high - low)
    }
    for (let i = 0; i < along.count; i++) {
      const at = offset + slope * i
      const before = Math.floor(at)
      if (before < -1 || before > last) continue
      const middle = i + margin + 0.5
      const mean = (sumTo(sums, middle + span / 2) - sumTo(sums, middle - span / 2)) / span
      const start = i * along.step
      const share = at - before
      if (before >= 0) add(out, start + before * beside.step, (1 - share) * mean)
      if (before < last) add(out, start + (before + 1) * beside.step, share * mean)
    }
  }
  return out
}

/** The sum up to a fractional position. */
function sumTo(sums: Float64Array, place: number): number {
  const before = Math.floor(place)
  const sum = sums[before] ?? 0
  return sum + (place - before) * ((sums[before + 1] ?? sum) - sum)
}

function add(out: Float32Array, at: number, value: number): void {
  out[at] = (out[at] ?? 0) + value
}
