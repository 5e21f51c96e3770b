import type { StraightPixmap } from '../../src/pixmap.ts'

/** A small deterministic random source (mulberry32), 0..1. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

type Stroke = readonly (readonly [x: number, y: number])[]

/** Letters as strokes in a box of 1 x 1.6: straight and slanted edges, bowls and thin joins, as text has. */
const letters: Record<string, readonly Stroke[]> = {
  A: [
    [
      [0, 1.6],
      [0.5, 0],
      [1, 1.6],
    ],
    [
      [0.2, 1],
      [0.8, 1],
    ],
  ],
  C: [
    [
      [0.95, 0.3],
      [0.7, 0.05],
      [0.3, 0.05],
      [0.05, 0.4],
      [0.05, 1.2],
      [0.3, 1.55],
      [0.7, 1.55],
      [0.95, 1.3],
    ],
  ],
  E: [
    [
      [0.9, 0],
      [0, 0],
      [0, 1.6],
      [0.9, 1.6],
    ],
    [
      [0, 0.8],
      [0.7, 0.8],
    ],
  ],
  G: [
    [
      [0.95, 0.3],
      [0.7, 0.05],
      [0.3, 0.05],
      [0.05, 0.4],
      [0.05, 1.2],
      [0.3, 1.55],
      [0.7, 1.55],
      [0.95, 1.3],
      [0.95, 0.9],
      [0.6, 0.9],
    ],
  ],
  I: [
    [
      [0.5, 0],
      [0.5, 1.6],
    ],
  ],
  K: [
    [
      [0, 0],
      [0, 1.6],
    ],
    [
      [0.9, 0],
      [0, 0.9],
      [0.9, 1.6],
    ],
  ],
  M: [
    [
      [0, 1.6],
      [0, 0],
      [0.5, 0.9],
      [1, 0],
      [1, 1.6],
    ],
  ],
  N: [
    [
      [0, 1.6],
      [0, 0],
      [0.9, 1.6],
      [0.9, 0],
    ],
  ],
  O: [
    [
      [0.3, 0.05],
      [0.7, 0.05],
      [0.95, 0.4],
      [0.95, 1.2],
      [0.7, 1.55],
      [0.3, 1.55],
      [0.05, 1.2],
      [0.05, 0.4],
      [0.3, 0.05],
    ],
  ],
  P: [
    [
      [0, 1.6],
      [0, 0],
      [0.6, 0],
      [0.9, 0.25],
      [0.9, 0.65],
      [0.6, 0.9],
      [0, 0.9],
    ],
  ],
  R: [
    [
      [0, 1.6],
      [0, 0],
      [0.6, 0],
      [0.9, 0.25],
      [0.9, 0.65],
      [0.6, 0.9],
      [0, 0.9],
    ],
    [
      [0.5, 0.9],
      [0.9, 1.6],
    ],
  ],
  S: [
    [
      [0.9, 0.25],
      [0.6, 0.02],
      [0.25, 0.05],
      [0.05, 0.4],
      [0.3, 0.72],
      [0.7, 0.88],
      [0.92, 1.2],
      [0.7, 1.55],
      [0.3, 1.58],
      [0.05, 1.35],
    ],
  ],
  T: [
    [
      [0, 0],
      [1, 0],
    ],
    [
      [0.5, 0],
      [0.5, 1.6],
    ],
  ],
  U: [
    [
      [0, 0],
      [0, 1.2],
      [0.25, 1.55],
      [0.65, 1.55],
      [0.9, 1.2],
      [0.9, 0],
    ],
  ],
  V: [
    [
      [0, 0],
      [0.5, 1.6],
      [1, 0],
    ],
  ],
  Z: [
    [
      [0, 0],
      [0.95, 0],
      [0, 1.6],
      [0.95, 1.6],
    ],
  ],
}

/** Draws an anti-aliased line of a width in pixels. */
function drawLine(
  data: Uint8Array,
  widthPx: number,
  heightPx: number,
  [x0, y0]: readonly [number, number],
  [x1, y1]: readonly [number, number],
  lineWidth: number,
  color: readonly [number, number, number],
): void {
  const half = lineWidth / 2
  const left = Math.max(0, Math.floor(Math.min(x0, x1) - half - 1))
  const right = Math.min(widthPx - 1, Math.ceil(Math.max(x0, x1) + half + 1))
  const top = Math.max(0, Math.floor(Math.min(y0, y1) - half - 1))
  const bottom = Math.min(heightPx - 1, Math.ceil(Math.max(y0, y1) + half + 1))
  const dx = x1 - x0
  const dy = y1 - y0
  const square = dx * dx + dy * dy || 1
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const t = Math.max(0, Math.min(1, ((x + 0.5 - x0) * dx + (y + 0.5 - y0) * dy) / square))
      const distance = Math.sqrt((x + 0.5 - x0 - t * dx) ** 2 + (y + 0.5 - y0 - t * dy) ** 2)
      const share = Math.max(0, Math.min(1, half - distance + 0.5))
      if (share === 0) continue
      const i = (y * widthPx + x) * 4
      for (let channel = 0; channel < 3; channel++) {
        const before = data[i + channel] ?? 0
        data[i + channel] = Math.round(before + ((color[channel] ?? 0) - before) * share)
      }
    }
  }
}

function drawText(
  data: Uint8Array,
  widthPx: number,
  heightPx: number,
  text: string,
  x: number,
  y: number,
  size: number,
): void {
  let left = x
  for (const letter of text) {
    for (const stroke of letters[letter] ?? []) {
      for (let i = 1; i < stroke.length; i++) {
        const [ax, ay] = stroke[i - 1] ?? [0, 0]
        const [bx, by] = stroke[i] ?? [0, 0]
        const scale = size / 1.6
        drawLine(
          data,
          widthPx,
          heightPx,
          [left + ax * scale, y + ay * scale],
          [left + bx * scale, y + by * scale],
          Math.max(1, size / 9),
          [18, 16, 24],
        )
      }
    }
    left += size * 0.85
  }
}

/** Adds the noise of a row, times a weight and a share, to its values. */
type AddNoise = (values: Float64Array, v: number, weight: number, share: number) => void

/** Smooth noise of a picture's width: random values on a grid, cosine-interpolated. */
function createNoise(cells: number, widthPx: number, random: () => number): AddNoise {
  const grid = Float32Array.from({ length: (cells + 2) * (cells + 2) }, () => random() * 2 - 1)
  const ease = (t: number): number => t * t * (3 - 2 * t)
  const columns = Int32Array.from({ length: widthPx }, (_, x) => Math.floor((x / widthPx) * cells))
  const shares = Float64Array.from(columns, (x0, x) => ease((x / widthPx) * cells - x0))
  return (values, v, weight, share) => {
    const y0 = Math.floor(v * cells)
    const fy = ease(v * cells - y0)
    const upper = y0 * (cells + 2)
    const lower = upper + cells + 2
    for (let x = 0; x < widthPx; x++) {
      const x0 = columns[x] ?? 0
      const fx = shares[x] ?? 0
      const top = (grid[upper + x0] ?? 0) * (1 - fx) + (grid[upper + x0 + 1] ?? 0) * fx
      const bottom = (grid[lower + x0] ?? 0) * (1 - fx) + (grid[lower + x0 + 1] ?? 0) * fx
      values[x] = (values[x] ?? 0) + weight * (top * (1 - fy) + bottom * fy) * share
    }
  }
}

/**
 * The artwork that fidelity is measured with: a picture-like ground (noise of every size), a zone plate, line
 * gratings of 1 to 12 pixels, a star of thin lines and text of many sizes. Sizes follow the width, so that
 * small and large versions ask the same of the sampler.
 */
export function buildDetailArtwork(widthPx: number, heightPx: number): StraightPixmap {
  const data = new Uint8Array(widthPx * heightPx * 4)
  const random = createRandom(7)
  const octaves = [3, 6, 12, 24, 48, 96, 192, 384].map((cells, index) => ({
    weight: 70 / (1 + index * 0.9),
    noises: [0, 1, 2].map(() => createNoise(cells, widthPx, random)),
  }))
  const unit = widthPx / 3000
  const plateX = 800 * unit
  const plateY = 900 * unit
  const plateRadius = 650 * unit
  const ground = [0, 1, 2].map(() => new Float64Array(widthPx))
  for (let y = 0, i = 0; y < heightPx; y++) {
    const v = y / heightPx
    for (const [channel, values] of ground.entries()) {
      for (let x = 0; x < widthPx; x++) values[x] = 135 + 20 * Math.sin((x / widthPx) * 5 + channel * 2 + v * 3)
      for (const { weight, noises } of octaves) noises[channel]?.(values, v, weight, channel === 0 ? 1 : 0.8)
    }
    for (let x = 0; x < widthPx; x++, i += 4) {
      const square = (x - plateX) ** 2 + (y - plateY) ** 2
      if (square < plateRadius * plateRadius) {
        const value = 127.5 + 127.5 * Math.cos((Math.PI * square * 0.35) / (2 * plateRadius * Math.min(1, unit * 2)))
        data[i] = data[i + 1] = data[i + 2] = Math.round(value)
      } else {
        for (let channel = 0; channel < 3; channel++)
          data[i + channel] = Math.max(0, Math.min(255, Math.round(ground[channel]?.[x] ?? 0)))
      }
      data[i + 3] = 255
    }
  }
  for (let band = 0; band < 12; band++) {
    const top = Math.round((300 + band * 80) * unit)
    const bottom = Math.round((360 + band * 80) * unit)
    const from = Math.round(1700 * unit)
    for (let y = top; y < bottom; y++) {
      for (let x = from; x < Math.round(2900 * unit); x++) {
        const value = Math.floor((x - from) / (1 + band)) % 2 === 0 ? 240 : 20
        data.fill(value, (y * widthPx + x) * 4, (y * widthPx + x) * 4 + 3)
      }
    }
  }
  for (let ray = 0; ray < 36; ray++) {
    const angle = (ray * Math.PI) / 36
    const reach = 550 * unit
    const centre = [2300 * unit, 1900 * unit] as const
    drawLine(
      data,
      widthPx,
      heightPx,
      [centre[0] - reach * Math.cos(angle), centre[1] - reach * Math.sin(angle)],
      [centre[0] + reach * Math.cos(angle), centre[1] + reach * Math.sin(angle)],
      Math.max(1, 3 * unit),
      [0, 0, 0],
    )
  }
  let line = 2500 * unit
  for (const size of [28, 36, 48, 64, 90, 130, 190]) {
    for (let repeat = 0; repeat < 3; repeat++) {
      drawText(data, widthPx, heightPx, 'VITRINEZMOCKUPSPRINTGARNETOUR', 150 * unit, line, size * unit)
      line += size * unit * 1.35
    }
  }
  return { alpha: 'straight', widthPx, heightPx, data }
}
