import type { Rect } from '../geometry/rect.ts'
import type { UvPixmap } from '../pixmap.ts'
import type { Placement } from './resample-layer.ts'

/** A uv map as floats at its stored size; NaN outside the map. */
export type UvField = {
  readonly widthPx: number
  readonly heightPx: number
  readonly u: Float32Array
  readonly v: Float32Array
  /** u jumps from 1 to 0 between neighbours: the artwork's right edge continues at its left one */
  readonly wrapsU: boolean
}

/** Stored pixels by which a map is extrapolated beyond its rim, for authors who do not dilate it by 2. */
const CONTINUED_PX = 3

/** A larger step of u between neighbours is the wrap. */
const WRAP_STEP = 0.5

/**
 * Reads a stored map and extrapolates it linearly beyond its rim, so that interpolation there never mixes in
 * the zeros outside. A pixel is outside if u, v and, if stored, the coverage are 0.
 */
export function buildUvField(map: UvPixmap): UvField {
  const { widthPx, heightPx, data, hasCoverage } = map
  const count = widthPx * heightPx
  const u = new Float32Array(count)
  const v = new Float32Array(count)
  for (let i = 0, from = 0; i < count; i++, from += 3) {
    const storedU = data[from] ?? 0
    const storedV = data[from + 1] ?? 0
    const isOutside = storedU === 0 && storedV === 0 && (!hasCoverage || data[from + 2] === 0)
    u[i] = isOutside ? Number.NaN : storedU / 65535
    v[i] = isOutside ? Number.NaN : storedV / 65535
  }
  const wrapsU = findWrap(u, widthPx, heightPx)
  for (let step = 0; step < CONTINUED_PX; step++) continueRim(u, v, widthPx, heightPx, wrapsU)
  return { widthPx, heightPx, u, v, wrapsU }
}

function findWrap(u: Float32Array, widthPx: number, heightPx: number): boolean {
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const i = y * widthPx + x
      const here = u[i] ?? Number.NaN
      if (x > 0 && Math.abs(here - (u[i - 1] ?? Number.NaN)) > WRAP_STEP) return true
      if (y > 0 && Math.abs(here - (u[i - widthPx] ?? Number.NaN)) > WRAP_STEP) return true
    }
  }
  return false
}

const neighbours = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
] as const

/** Fills every empty pixel next to the map with the mean of the linear extrapolations from its neighbours. */
function continueRim(u: Float32Array, v: Float32Array, widthPx: number, heightPx: number, wrapsU: boolean): void {
  const found: number[] = []
  const foundU: number[] = []
  const foundV: number[] = []
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const i = y * widthPx + x
      if (!Number.isNaN(u[i] ?? 0)) continue
      let sumU = 0
      let sumV = 0
      let sumWeight = 0
      let anchor = Number.NaN
      for (const [dx, dy] of neighbours) {
        if (x + dx < 0 || x + dx >= widthPx || y + dy < 0 || y + dy >= heightPx) continue
        const near = i + dy * widthPx + dx
        const nearU = u[near] ?? Number.NaN
        if (Number.isNaN(nearU)) continue
        let nextU = nearU
        let nextV = v[near] ?? 0
        const inside = x + 2 * dx >= 0 && x + 2 * dx < widthPx && y + 2 * dy >= 0 && y + 2 * dy < heightPx
        const far = near + dy * widthPx + dx
        let weight = 0.25
        if (inside && !Number.isNaN(u[far] ?? 0)) {
          const slope = nearU - (u[far] ?? 0)
          nextU = nearU + (wrapsU ? slope - Math.round(slope) : slope)
          nextV = 2 * nextV - (v[far] ?? 0)
          weight = 1
        }
        if (Number.isNaN(anchor)) anchor = nearU
        if (wrapsU) nextU -= Math.round(nextU - anchor)
        sumU += weight * nextU
        sumV += weight * nextV
        sumWeight += weight
      }
      if (sumWeight === 0) continue
      found.push(i)
      foundU.push(sumU / sumWeight)
      foundV.push(sumV / sumWeight)
    }
  }
  for (let k = 0; k < found.length; k++) {
    const i = found[k] ?? 0
    u[i] = foundU[k] ?? 0
    v[i] = foundV[k] ?? 0
  }
}

/** The four weights of `catmullRom` for a fraction in [0, 1). */
function writeCubicWeights(t: number, weights: Float64Array): void {
  weights[0] = ((-0.5 * t + 1) * t - 0.5) * t
  weights[1] = (1.5 * t - 2.5) * t * t + 1
  weights[2] = ((-1.5 * t + 2) * t + 0.5) * t
  weights[3] = (0.5 * t - 0.5) * t * t
}

/**
 * The map at the centres of a region's covered pixels: cubic if the surrounding 4 x 4 pixels are inside and
 * do not cross a wrap, otherwise linear from those inside; NaN elsewhere.
 */
export function interpolateUvField(
  field: UvField,
  placement: Placement,
  region: Rect,
  coverage: Uint8Array,
): { u: Float32Array; v: Float32Array } {
  const { widthPx, heightPx, wrapsU } = field
  const outU = new Float32Array(region.widthPx * region.heightPx).fill(Number.NaN)
  const outV = new Float32Array(region.widthPx * region.heightPx).fill(Number.NaN)
  const ratioX = widthPx / placement.width
  const ratioY = heightPx / placement.height
  const wx = new Float64Array(4)
  const wy = new Float64Array(4)
  for (let y = 0; y < region.heightPx; y++) {
    const sy = (region.top + y + 0.5 - placement.top) * ratioY - 0.5
    const y1 = Math.floor(sy)
    const fy = sy - y1
    writeCubicWeights(fy, wy)
    for (let x = 0; x < region.widthPx; x++) {
      const to = y * region.widthPx + x
      if ((coverage[to] ?? 0) === 0) continue
      const sx = (region.left + x + 0.5 - placement.left) * ratioX - 0.5
      const x1 = Math.floor(sx)
      const fx = sx - x1
      if (x1 >= 1 && y1 >= 1 && x1 < widthPx - 2 && y1 < heightPx - 2) {
        writeCubicWeights(fx, wx)
        let sumU = 0
        let sumV = 0
        let least = Number.POSITIVE_INFINITY
        let greatest = Number.NEGATIVE_INFINITY
        let whole = true
        for (let j = 0; j < 4 && whole; j++) {
          const row = (y1 - 1 + j) * widthPx + x1 - 1
          const weightY = wy[j] ?? 0
          for (let k = 0; k < 4; k++) {
            const value = field.u[row + k] ?? Number.NaN
            if (Number.isNaN(value)) {
              whole = false
              break
            }
            least = value < least ? value : least
            greatest = value > greatest ? value : greatest
            const weight = weightY * (wx[k] ?? 0)
            sumU += value * weight
            sumV += (field.v[row + k] ?? 0) * weight
          }
        }
        if (whole && greatest - least <= WRAP_STEP) {
          outU[to] = sumU
          outV[to] = sumV
          continue
        }
      }
      let sumU = 0
      let sumV = 0
      let sumWeight = 0
      let anchor = Number.NaN
      for (let j = 0; j < 2; j++) {
        const row = Math.max(0, Math.min(heightPx - 1, y1 + j)) * widthPx
        for (let k = 0; k < 2; k++) {
          const i = row + Math.max(0, Math.min(widthPx - 1, x1 + k))
          let value = field.u[i] ?? Number.NaN
          if (Number.isNaN(value)) continue
          const weight = (j === 0 ? 1 - fy : fy) * (k === 0 ? 1 - fx : fx) + 1e-9
          if (Number.isNaN(anchor)) anchor = value
          // Across a wrap, u continues beyond 0 or 1.
          if (wrapsU) value -= Math.round(value - anchor)
          sumU += value * weight
          sumV += (field.v[i] ?? 0) * weight
          sumWeight += weight
        }
      }
      if (sumWeight === 0) continue
      const value = sumU / sumWeight
      outU[to] = wrapsU ? value - Math.floor(value) : value
      outV[to] = sumV / sumWeight
    }
  }
  return { u: outU, v: outV }
}
