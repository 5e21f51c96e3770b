import { encodeSrgb } from '@vitrine/engine'
import { createRandom } from '../numerics/random.ts'
import type { SplitLight } from './split-light.ts'

/** Light as 8-bit RGB layers, with the scale that multiplies both. */
export type EncodedLight = { readonly shade: Uint8Array; readonly highlights: Uint8Array; readonly scale: number }

const LEAST_SCALE = 0.05
const GREATEST_SCALE = 100

/** Bins of the histogram of shades; a bin is this share larger than the one before. */
const BINS = 400
const BIN_RATIO = 1.03

/** A few pixels that are far brighter than all others must not reduce the precision of the rest. */
const BRIGHT_SHARE = 0.999
const BRIGHT_MARGIN = 1.5

/** Entries of the table that encodes light. */
const STEPS = 16_384
const encodedLight = Float32Array.from({ length: STEPS + 1 }, (_, step) => 255 * encodeSrgb((step / STEPS) ** 2))

/**
 * Shade is rounded to the nearest byte or dithered. Highlights are dithered: their steps would show as
 * contours on dark dyes; and with the same deviate in all channels, since contours would else be coloured.
 * Rounding errors are not carried over for the same reason. Light above the scale goes to the highlights.
 */
export function encodeLight(
  { shade, highlights }: SplitLight,
  weights: Float32Array,
  color: readonly [number, number, number],
  dithersShade: boolean,
  /** where the greatest shade is searched for */
  scaled = weights,
): EncodedLight {
  const count = weights.length
  const scale = findScale(shade, scaled)
  const shadeBytes = new Uint8Array(count * 3)
  const highlightBytes = new Uint8Array(count * 3)
  const random = createRandom(7)
  const encode = (light: number): number => {
    // Indexed by the square root, which gives dark light enough entries.
    const at = Math.sqrt(Math.min(1, Math.max(0, light))) * STEPS
    const step = Math.min(STEPS - 1, Math.floor(at))
    const low = encodedLight[step] ?? 0
    return low + ((encodedLight[step + 1] ?? 0) - low) * (at - step)
  }
  for (let i = 0; i < count; i++) {
    if ((weights[i] ?? 0) === 0) continue
    const deviate = random()
    for (let c = 0; c < 3; c++) {
      const value = shade[c]?.[i] ?? 0
      const beyond = value > scale ? (value - scale) * (color[c] ?? 0) : 0
      const rest = (highlights[c]?.[i] ?? 0) + beyond
      shadeBytes[3 * i + c] = Math.min(255, Math.floor(encode(value / scale) + (dithersShade ? deviate : 0.5)))
      highlightBytes[3 * i + c] = Math.min(255, Math.floor(encode(rest / scale) + deviate))
    }
  }
  return { shade: shadeBytes, highlights: highlightBytes, scale }
}

/** Floats are counted by their leading bits: a logarithm for each would take long. */
const CELL_BITS = 17
const CELLS = 2 ** (31 - CELL_BITS)

const binOf = (value: number): number =>
  Math.min(BINS - 1, Math.max(0, Math.floor(Math.log(value / 1e-3) / Math.log(BIN_RATIO))))

/** The greatest shade; if only few pixels have it, a limit above that of all others. */
function findScale(shade: SplitLight['shade'], weights: Float32Array): number {
  const cells = new Uint32Array(CELLS)
  let count = 0
  for (const plane of shade) {
    const bits = new Uint32Array(plane.buffer, plane.byteOffset, plane.length)
    for (let i = 0; i < bits.length; i++) {
      if ((weights[i] ?? 0) === 0) continue
      const cell = (bits[i] ?? 0) >>> CELL_BITS
      cells[cell] = (cells[cell] ?? 0) + 1
      count++
    }
  }
  let [cell, brighter] = [CELLS - 1, 0]
  while (cell > 0 && brighter + (cells[cell] ?? 0) <= count * (1 - BRIGHT_SHARE)) brighter += cells[cell--] ?? 0
  const [least = 0] = new Float32Array(Uint32Array.of(cell << CELL_BITS).buffer)
  // All values of the bins from the next one on are above it.
  const limit = least / BIN_RATIO ** 2
  let bin = limit === 0 ? 0 : binOf(limit) + 1
  const histogram = new Uint32Array(BINS)
  let [greatest, above] = [0, 0]
  for (const plane of shade) {
    for (let i = 0; i < plane.length; i++) {
      const value = plane[i] ?? 0
      if (value < limit || (weights[i] ?? 0) === 0) continue
      greatest = Math.max(greatest, value)
      const at = binOf(value)
      if (at < bin) continue
      histogram[at] = (histogram[at] ?? 0) + 1
      above++
    }
  }
  let below = count - above
  while (bin < BINS - 1 && below + (histogram[bin] ?? 0) < count * BRIGHT_SHARE) below += histogram[bin++] ?? 0
  const bright = 1e-3 * BIN_RATIO ** (bin + 1) * BRIGHT_MARGIN
  const wanted = Math.max(LEAST_SCALE, Math.min(greatest, bright))
  return Math.min(GREATEST_SCALE, Math.ceil(wanted * 100) / 100)
}
