import { invertTone, type Rect, type Tone } from '@vitrine/engine'
import type { PhotoPixels } from './photo-pixels.ts'

/** Blocks along the longer side of a surface: their means are even for noise and weave, not for prints. */
const BLOCKS = 64

/** Of a block's pixels: with fewer on the surface, the block lies on its edge. */
const LEAST_COVERED_SHARE = 0.98

/** Fewer blocks are not evaluated. */
const LEAST_BLOCKS = 60

/** Linear light that is added to all colours: in dark ones a camera's noise is as large. */
const NOISE_LIGHT = 0.02

/** A change of light across two blocks by more than this share is not smooth shading. */
const STEP_SHARE = 0.25

const [FIRST, LAST] = [0.01, 0.99] as const

/** How uneven a surface is that should be blank. */
export type Unevenness = {
  /** how far apart its colours are, by the ratios of red and of blue to all light */
  readonly colors: number
  /** the share of it that lies at steps of light */
  readonly steps: number
  /** the share of its light's variance that two levels explain; about 0.64 if light varies evenly */
  readonly levels: number
  /** how far apart the levels are, in logarithms of light */
  readonly apart: number
}

/** Null if too little of a surface is visible. */
export function findUnevenness(photo: PhotoPixels, rect: Rect, mask: Uint8Array, tone: Tone): Unevenness | null {
  const side = Math.max(1, Math.ceil(Math.max(rect.widthPx, rect.heightPx) / BLOCKS))
  const [columns, rows] = [Math.floor(rect.widthPx / side), Math.floor(rect.heightPx / side)]
  const blocks = Array.from({ length: columns * rows }, (_, i) =>
    blockOf(photo, rect, mask, tone, (i % columns) * side, Math.floor(i / columns) * side, side),
  )
  const seen = blocks.filter(block => block !== null)
  if (seen.length < LEAST_BLOCKS) return null
  let [compared, steps] = [0, 0]
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const at = y * columns + x
      const [left, right] = x > 0 && x < columns - 1 ? [blocks[at - 1], blocks[at + 1]] : []
      const [above, below] = y > 0 ? [blocks[at - columns], blocks[at + columns]] : []
      if (!left || !right || !above || !below) continue
      compared++
      if (Math.max(stepOf(left.light, right.light), stepOf(above.light, below.light)) > STEP_SHARE) steps++
    }
  }
  return {
    ...levelsOf(seen.map(({ light }) => Math.log(light))),
    colors: Math.max(spreadOf(seen.map(({ red }) => red)), spreadOf(seen.map(({ blue }) => blue))),
    steps: compared === 0 ? 0 : steps / compared,
  }
}

type Block = { readonly light: number; readonly red: number; readonly blue: number }

/** Null if a block is not entirely on the surface. */
function blockOf(
  photo: PhotoPixels,
  rect: Rect,
  mask: Uint8Array,
  tone: Tone,
  left: number,
  top: number,
  side: number,
): Block | null {
  const sums: [number, number, number] = [0, 0, 0]
  let covered = 0
  for (let y = top; y < top + side; y++) {
    let at = ((rect.top + y) * photo.widthPx + rect.left + left) * 3
    for (let x = left; x < left + side; x++, at += 3) {
      covered += (mask[y * rect.widthPx + x] ?? 0) / 255
      for (let c = 0; c < 3; c++) sums[c] = (sums[c] ?? 0) + (photo.data[at + c] ?? 0)
    }
  }
  const count = side * side
  if (covered < LEAST_COVERED_SHARE * count) return null
  const [red = 0, green = 0, blue = 0] = sums.map(sum => NOISE_LIGHT + invertTone(tone, sum / count / 255))
  const light = (red + green + blue) / 3
  return { light, red: red / light, blue: blue / light }
}

/** Two levels by Otsu's method: the split of values that leaves least variance within its parts. */
function levelsOf(values: readonly number[]): { readonly levels: number; readonly apart: number } {
  const sorted = values.toSorted((a, b) => a - b)
  const all = sorted.reduce((sum, value) => sum + value, 0)
  const mean = all / sorted.length
  const total = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  let [best, apart, below] = [0, 0, 0]
  for (const [index, value] of sorted.slice(0, -1).entries()) {
    below += value
    const [low, high] = [index + 1, sorted.length - index - 1]
    const difference = (all - below) / high - below / low
    const between = ((low * high) / sorted.length) * difference ** 2
    if (between > best) [best, apart] = [between, difference]
  }
  return { levels: total === 0 ? 0 : best / total, apart }
}

const stepOf = (one: number, other: number): number => Math.abs(one - other) / Math.max(one, other)

function spreadOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 0
  return at(LAST) - at(FIRST)
}
