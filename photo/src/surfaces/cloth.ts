import type { Point, Quad } from '@vitrine/engine'
import { solveLinear, zeroMatrix } from '../numerics/solve-linear.ts'
import type { ArtworkPoint } from './artwork-point.ts'
import { flatSurface } from './flat.ts'

/** A point of the artwork that lies at a point of the photo. */
export type Pin = { readonly at: Point; readonly u: number; readonly v: number }

/** Pins nearer to each other than this share of the artwork would require a fold. */
const LEAST_DISTANCE = 1e-4

/** Where points of a photo lie on cloth: on a smooth plate that bulges towards the camera. */
export type Cloth = {
  readonly onPlate: (x: number, y: number) => ArtworkPoint
  /** how much it bulges, which `swellPlanes` adds */
  readonly bulge: number
}

/**
 * Cloth by its corners and pins: a thin plate through the pins' differences from the corners' homography, in
 * its rectified coordinates, which have no perspective (F. Bookstein, Principal Warps, 1989).
 */
export function buildCloth(corners: Quad, pins: readonly Pin[], bulge: number): Cloth {
  const flat = flatSurface(corners)
  const held: readonly Pin[] = [
    { at: corners[0], u: 0, v: 0 },
    { at: corners[1], u: 1, v: 0 },
    { at: corners[2], u: 1, v: 1 },
    { at: corners[3], u: 0, v: 1 },
    ...pins,
  ]
  const centers = held.map(({ at }) => flat(...at))
  const apart = held.filter((_, i) => {
    const center = centers[i]
    return center && centers.slice(0, i).every(other => distanceOf(center, other) > LEAST_DISTANCE)
  })
  const bend = pins.length === 0 ? null : fitPlate(apart, flat)
  return {
    onPlate: (x, y) => {
      const point = flat(x, y)
      const { u, v } = bend ? bend(point) : point
      // Far outside, a plate and a bulge can lead back into the artwork.
      return { u, v, isSeen: point.isSeen && isNear(point.u) && isNear(point.v) }
    },
    bulge,
  }
}

export function clothSurface({ onPlate, bulge }: Cloth): (x: number, y: number) => ArtworkPoint {
  if (bulge === 0) return onPlate
  return (x, y) => {
    const { u, v, isSeen } = onPlate(x, y)
    return { u: swell(u, bulge * heightAt(v)), v: swell(v, bulge * heightAt(u)), isSeen }
  }
}

/** From points on the plate to those of the artwork, in place. */
export function swellPlanes(us: Float32Array, vs: Float32Array, bulge: number): void {
  if (bulge === 0) return
  for (let i = 0; i < us.length; i++) {
    const u = us[i] ?? NaN
    const v = vs[i] ?? NaN
    us[i] = swell(u, bulge * heightAt(v))
    vs[i] = swell(v, bulge * heightAt(u))
  }
}

function distanceOf(a: ArtworkPoint, b: ArtworkPoint): number {
  return Math.hypot(a.u - b.u, a.v - b.v)
}

/** How far cloth continues beyond its corners, in sizes of the artwork. */
const NEAR = 0.5

function isNear(at: number): boolean {
  return at > -NEAR && at < 1 + NEAR
}

/** How much a cushion bulges along a line: 0 at its seams, 1 in the middle. */
function heightAt(at: number): number {
  return Math.max(0, 4 * at * (1 - at))
}

/** A cushion's middle is nearer to the camera than its seams; beyond them it continues straight. */
function swell(at: number, bulge: number): number {
  const x = 2 * at - 1
  const beyond = Math.abs(x) - 1
  if (beyond > 0) return 0.5 + 0.5 * Math.sign(x) * (1 + beyond * (1 + 2 * bulge))
  return 0.5 + 0.5 * (x * (1 - bulge) + bulge * x * x * x)
}

/** r² ln r², the plate's bending energy. */
function bending(square: number): number {
  return square > 1e-12 ? square * Math.log(square) : 0
}

function fitPlate(
  pins: readonly Pin[],
  flat: (x: number, y: number) => ArtworkPoint,
): (point: ArtworkPoint) => { readonly u: number; readonly v: number } {
  const us = Float64Array.from(pins, pin => flat(...pin.at).u)
  const vs = Float64Array.from(pins, pin => flat(...pin.at).v)
  const count = pins.length
  const matrix = zeroMatrix(count + 3)
  for (const [i, row] of matrix.slice(0, count).entries()) {
    for (let j = 0; j < count; j++) row[j] = bending(squareTo(i, us[j] ?? 0, vs[j] ?? 0))
    row.set([1, us[i] ?? 0, vs[i] ?? 0], count)
    for (let k = 0; k < 3; k++) {
      const side = matrix[count + k]
      if (side) side[i] = row[count + k] ?? 0
    }
  }
  function squareTo(i: number, u: number, v: number): number {
    return ((us[i] ?? 0) - u) ** 2 + ((vs[i] ?? 0) - v) ** 2
  }
  const right = (miss: (pin: Pin, i: number) => number): Float64Array => Float64Array.from([...pins.map(miss), 0, 0, 0])
  const forU = solveLinear(
    matrix,
    right((pin, i) => pin.u - (us[i] ?? 0)),
  )
  const forV = solveLinear(
    matrix,
    right((pin, i) => pin.v - (vs[i] ?? 0)),
  )
  return ({ u, v }) => {
    let moveU = (forU[count] ?? 0) + (forU[count + 1] ?? 0) * u + (forU[count + 2] ?? 0) * v
    let moveV = (forV[count] ?? 0) + (forV[count + 1] ?? 0) * u + (forV[count + 2] ?? 0) * v
    for (let i = 0; i < count; i++) {
      const energy = bending(squareTo(i, u, v))
      moveU += (forU[i] ?? 0) * energy
      moveV += (forV[i] ?? 0) * energy
    }
    return { u: u + moveU, v: v + moveV }
  }
}
