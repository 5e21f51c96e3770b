import { intersectRects, type Rect, uniteRects } from '@vitrine/engine'
import type { Weight } from '../compositing/layer-mask.ts'
import { spread, stripsOf } from '../rects.ts'
import { coverBeside, marginOf } from './frame-effects.ts'
import type { FrameGeometry } from './frame-geometry.ts'
import { type ColorOperation, type FrameOperation, type Operation, walkOperations } from './operation.ts'

/** The bit of all colours that requests may change; frames have the bits below. */
export const COLOR_BIT = 16

/** How far Photoshop's edge of a frame is followed beyond ours. */
const RIM_PX = 3

/** Where artwork or another colour can change the picture. */
export type Reach = {
  readonly rect: Rect
  /** for each pixel of the rectangle, one bit per frame that shows there; the first frame is bit 0 */
  readonly bits: Uint32Array
}

/**
 * Where the coverage of each frame times its masks is above 0, where Photoshop's edge of it or its effects
 * reach, and where a changeable colour shows.
 */
export function findReach(operations: readonly Operation[], frames: readonly FrameOperation[], canvas: Rect): Reach {
  const colors = [...findColors(operations, [])]
  const boundsOf = (frame: FrameOperation): Rect =>
    intersectRects(spread(frame.geometry.bounds, marginOf(frame)), canvas)
  const rect = uniteRects([...frames.map(boundsOf), ...colors.map(({ operation }) => operation.bounds)])
  const bits = new Uint32Array(rect.widthPx * rect.heightPx)
  const mark = (bit: number, bounds: Rect, draw: (strip: Rect) => Float32Array): void => {
    for (const strip of stripsOf(bounds)) {
      const shape = draw(strip)
      for (let y = 0, k = 0; y < strip.heightPx; y++) {
        let to = (strip.top + y - rect.top) * rect.widthPx + strip.left - rect.left
        for (let x = 0; x < strip.widthPx; x++, k++, to++) {
          if ((shape[k] ?? 0) > 0) bits[to] = (bits[to] ?? 0) | (1 << bit)
        }
      }
    }
  }
  for (const [index, frame] of frames.entries()) {
    mark(index, boundsOf(frame), withEffects(frame))
  }
  for (const { operation, weights } of colors) mark(COLOR_BIT, operation.bounds, strip => multiply(weights, strip))
  return { rect, bits }
}

/** The shape of a frame with its rim, and where effects of artwork that fills it show. */
function withEffects(frame: FrameOperation): (strip: Rect) => Float32Array {
  const { geometry } = frame
  const drawBeside = coverBeside(frame, geometry.shape, 1)
  return strip => {
    const out = withRim(geometry, strip)
    const beside = drawBeside?.(strip)
    if (beside) for (let k = 0; k < out.length; k++) out[k] = Math.max(out[k] ?? 0, beside[k] ?? 0)
    return out
  }
}

/**
 * The shape of a frame, and 1 at pixels beside it that Photoshop's edge reaches: otherwise a line of the old
 * design would show there. Farther away, the stored pixels are of something else, or outdated.
 */
function withRim({ shape, alpha, mask }: FrameGeometry, strip: Rect): Float32Array {
  const out = shape(strip)
  const stored = alpha(strip)
  const weight = mask?.(strip)
  let wide: Float32Array | null = null
  const rowPx = strip.widthPx + 2 * RIM_PX
  for (let y = 0, k = 0; y < strip.heightPx; y++) {
    for (let x = 0; x < strip.widthPx; x++, k++) {
      if ((out[k] ?? 0) > 0 || (stored[k] ?? 0) === 0 || weight?.[k] === 0) continue
      wide ??= shape(spread(strip, RIM_PX))
      if (hasNeighbour(wide, rowPx, x, y)) out[k] = 1
    }
  }
  return out
}

/** Whether any pixel within RIM_PX has a value. `x`, `y`: in the rectangle without the margin. */
function hasNeighbour(wide: Float32Array, rowPx: number, x: number, y: number): boolean {
  for (let row = y; row <= y + 2 * RIM_PX; row++) {
    for (let column = x; column <= x + 2 * RIM_PX; column++) {
      if ((wide[row * rowPx + column] ?? 0) > 0) return true
    }
  }
  return false
}

/** Changeable colours, each with its own weight and those of the groups around it. */
function* findColors(
  operations: readonly Operation[],
  around: readonly Weight[],
): Generator<{ readonly operation: ColorOperation; readonly weights: readonly Weight[] }> {
  for (const operation of operations) {
    if (operation.kind === 'color') yield { operation, weights: [...around, operation.weight] }
    else if (operation.kind === 'mix') yield* findColors(operation.operations, [...around, operation.weight])
    else if (operation.kind === 'group') {
      yield* findColors(operation.operations, [...around, operation.weight])
      yield* findColors(operation.clip, [...around, operation.weight])
    }
  }
}

function multiply(weights: readonly Weight[], rect: Rect): Float32Array {
  const product = new Float32Array(rect.widthPx * rect.heightPx).fill(1)
  for (const weight of weights) {
    const plane = weight?.(rect)
    if (plane) for (let k = 0; k < product.length; k++) product[k] = (product[k] ?? 0) * (plane[k] ?? 0)
  }
  return product
}

/** Whether requests may change colours. */
export function hasColors(operations: readonly Operation[]): boolean {
  return [...walkOperations(operations)].some(({ kind }) => kind === 'color')
}
