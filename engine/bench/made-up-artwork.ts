import type { OpaquePixmap } from '../src/pixmap.ts'

const SIDE_PX = 192

/** A whole-number hash of two coordinates and a seed (Wang-style mixing): the same everywhere, 0..65535. */
function hash(x: number, y: number, seed: number): number {
  let value = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1)
  value = Math.imul(value ^ (value >>> 15), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) & 0xffff
}

function picture(colorAt: (x: number, y: number, channel: number) => number): OpaquePixmap {
  const data = new Uint8Array(3 * SIDE_PX * SIDE_PX)
  for (let i = 0; i < data.length; i++) {
    const pixel = Math.floor(i / 3)
    data[i] = Math.max(0, Math.min(255, Math.round(colorAt(pixel % SIDE_PX, Math.floor(pixel / SIDE_PX), i % 3))))
  }
  return { alpha: 'opaque', widthPx: SIDE_PX, heightPx: SIDE_PX, data }
}

/** Value noise, bilinear between hashed grid points `period` apart: -1..1. */
function noise(x: number, y: number, period: number, seed: number): number {
  const column = Math.floor(x / period)
  const row = Math.floor(y / period)
  const fx = x / period - column
  const fy = y / period - row
  const corner = (dx: number, dy: number): number => hash(column + dx, row + dy, seed) / 32767.5 - 1
  const top = corner(0, 0) * (1 - fx) + corner(1, 0) * fx
  const bottom = corner(0, 1) * (1 - fx) + corner(1, 1) * fx
  return top * (1 - fy) + bottom * fy
}

/** Like a photograph: detail of every size, with less contrast and little colour in the fine detail. */
export function photographLike(): OpaquePixmap {
  return picture((x, y, channel) => {
    let value = 128
    for (const [period, contrast] of [
      [64, 60],
      [32, 34],
      [16, 20],
      [8, 13],
      [4, 8],
      [2, 5],
    ] as const) {
      value += contrast * noise(x, y, period, period)
      if (period >= 16) value += 0.4 * contrast * noise(x, y, period, 100 * (channel + 1) + period)
    }
    return value
  })
}

/** Like lettering and flat graphics: hard strokes in a few colours on flat grounds. */
export function letteringLike(): OpaquePixmap {
  const inks = [
    [20, 20, 24],
    [190, 30, 40],
    [30, 70, 150],
  ] as const
  const grounds = [
    [250, 250, 248],
    [240, 225, 190],
  ] as const
  return picture((x, y, channel) => {
    const cellPx = y < SIDE_PX / 2 ? 12 : 28
    const column = Math.floor(x / cellPx)
    const row = Math.floor(y / cellPx)
    const inCellX = x - column * cellPx
    const inCellY = y - row * cellPx
    const ground = grounds[y < 96 ? 0 : 1][channel] ?? 255
    const shape = hash(column, row, 7)
    const strokePx = Math.max(1, Math.round(cellPx / 7))
    const isUpright = (shape & 3) > 0 && Math.abs(inCellX - ((shape >> 4) % (cellPx - 2)) - 1) < strokePx
    const isBar = (shape & 12) > 0 && Math.abs(inCellY - ((shape >> 8) % (cellPx - 2)) - 1) < strokePx
    const isSlant = (shape & 0x8000) > 0 && Math.abs(inCellX - inCellY * 0.7) < strokePx
    return isUpright || isBar || isSlant ? (inks[(shape >> 2) % 3]?.[channel] ?? 0) : ground
  })
}
