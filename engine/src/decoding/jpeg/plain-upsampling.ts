import { DeclinedError } from '../declined.ts'
import type { Component, FrameHeader } from './parse-jpeg.ts'

type Plane = {
  readonly samples: Uint8Array
  /** distance between rows */
  readonly stride: number
  readonly widthPx: number
  readonly heightPx: number
}

/** A component at the picture's size, interpolated where libjpeg does (jdsample.c), otherwise repeated. */
export function upsample(plane: Plane, frame: FrameHeader, { factorX, factorY }: Component): Uint8Array {
  const [acrossTimes, downTimes] = [frame.factorX / factorX, frame.factorY / factorY]
  if (!Number.isInteger(acrossTimes) || !Number.isInteger(downTimes))
    throw new DeclinedError('doubtful', 'Sampling factors that are no multiples.')
  const { widthPx, heightPx } = frame
  const isWide = plane.widthPx > 2
  if (acrossTimes === 2 && downTimes === 2 && isWide)
    return crop(doubleBoth(plane), plane.widthPx * 2, widthPx, heightPx)
  if (acrossTimes === 2 && downTimes === 1 && isWide)
    return crop(doubleAcross(plane), plane.widthPx * 2, widthPx, heightPx)
  if (acrossTimes === 1 && downTimes === 2) return crop(doubleDown(plane), plane.widthPx, widthPx, heightPx)
  const result = new Uint8Array(widthPx * heightPx)
  for (let y = 0, to = 0; y < heightPx; y++) {
    const row = Math.floor(y / downTimes) * plane.stride
    for (let x = 0; x < widthPx; x++, to++) result[to] = plane.samples[row + Math.floor(x / acrossTimes)] ?? 0
  }
  return result
}

function crop(from: Uint8Array, stride: number, widthPx: number, heightPx: number): Uint8Array {
  if (stride === widthPx) return from.subarray(0, widthPx * heightPx)
  const result = new Uint8Array(widthPx * heightPx)
  for (let y = 0; y < heightPx; y++) result.set(from.subarray(y * stride, y * stride + widthPx), y * widthPx)
  return result
}

function doubleAcross({ samples, stride, widthPx, heightPx }: Plane): Uint8Array {
  const result = new Uint8Array(widthPx * 2 * heightPx)
  for (let y = 0, to = 0; y < heightPx; y++) {
    const at = (x: number): number => samples[y * stride + x] ?? 0
    for (let x = 0; x < widthPx; x++, to += 2) {
      result[to] = x === 0 ? at(0) : (3 * at(x) + at(x - 1) + 1) >> 2
      result[to + 1] = x === widthPx - 1 ? at(x) : (3 * at(x) + at(x + 1) + 2) >> 2
    }
  }
  return result
}

/** The neighbouring row closest to a half of row `y`; at the edges, the row itself. */
const nextRow = (y: number, half: 0 | 1, heightPx: number): number =>
  half === 0 ? Math.max(0, y - 1) : Math.min(heightPx - 1, y + 1)

function doubleDown({ samples, stride, widthPx, heightPx }: Plane): Uint8Array {
  const result = new Uint8Array(widthPx * heightPx * 2)
  let to = 0
  for (let y = 0; y < heightPx; y++) {
    for (const half of [0, 1] as const) {
      const [near, far] = [y * stride, nextRow(y, half, heightPx) * stride]
      for (let x = 0; x < widthPx; x++, to++)
        result[to] = (3 * (samples[near + x] ?? 0) + (samples[far + x] ?? 0) + 1 + half) >> 2
    }
  }
  return result
}

function doubleBoth({ samples, stride, widthPx, heightPx }: Plane): Uint8Array {
  const result = new Uint8Array(widthPx * heightPx * 4)
  let to = 0
  for (let y = 0; y < heightPx; y++) {
    for (const half of [0, 1] as const) {
      const [near, far] = [y * stride, nextRow(y, half, heightPx) * stride]
      const sum = (x: number): number => 3 * (samples[near + x] ?? 0) + (samples[far + x] ?? 0)
      for (let x = 0; x < widthPx; x++, to += 2) {
        const here = sum(x)
        result[to] = x === 0 ? (4 * here + 8) >> 4 : (3 * here + sum(x - 1) + 8) >> 4
        result[to + 1] = x === widthPx - 1 ? (4 * here + 7) >> 4 : (3 * here + sum(x + 1) + 7) >> 4
      }
    }
  }
  return result
}
