import { intersectRects, type Rect } from '@vitrine/engine'
import type { Conversion } from './convert.ts'
import { coverBeside, storedShape } from './frame-effects.ts'
import type { FrameOperation, Operation } from './operation.ts'

/**
 * Where Photoshop's picture shows what lies under the frames although they reach it: their own pixels are
 * transparent there, and nothing above them is drawn. Null if there is no such pixel in the rectangle.
 */
export function findKnownScene({ operations, frames }: Conversion): (rect: Rect) => Uint8Array | null {
  const removeFrames = frames.map(frame => removeOpaque(frame, frames.length))
  return rect => {
    const known = new Uint8Array(rect.widthPx * rect.heightPx).fill(1)
    return removeFrames.every(remove => remove(known, rect)) && removeDrawn(known, operations, rect) ? known : null
  }
}

type Remove = (known: Uint8Array, rect: Rect) => boolean

/** Without stored pixels, it is unknown where a frame is transparent. */
function removeOpaque(frame: FrameOperation, frameCount: number): Remove {
  const { geometry } = frame
  if (!geometry.isStored) return () => false
  const drawBeside = coverBeside(frame, wide => storedShape(geometry, wide), frameCount)
  return (known, rect) => {
    const stored = storedShape(geometry, rect)
    const beside = drawBeside?.(rect)
    return keepOnly(known, k => stored[k] === 0 && (beside?.[k] ?? 0) === 0)
  }
}

/** Cheap ones first: an adjustment without a mask ends the search. */
function removeDrawn(known: Uint8Array, operations: readonly Operation[], rect: Rect): boolean {
  const costs = { adjust: 0, color: 0, frame: 0, mix: 1, group: 1, picture: 2, affine: 2 } as const
  const sorted = operations.toSorted((a, b) => costs[a.kind] - costs[b.kind])
  return sorted.every(operation => removeOperation(known, operation, rect))
}

function removeOperation(known: Uint8Array, operation: Operation, rect: Rect): boolean {
  switch (operation.kind) {
    case 'frame':
      return true
    case 'picture':
      return removePicture(known, operation, rect)
    case 'affine':
      return operation.parts.every(part => removePicture(known, part, rect))
    case 'adjust':
    case 'color': {
      const weight = operation.weight?.(rect)
      return keepOnly(known, k => weight?.[k] === 0)
    }
    default: {
      // Layers clipped to a group show only within the group's own shape.
      const inside = known.slice()
      removeDrawn(inside, operation.operations, rect)
      const weight = operation.weight?.(rect)
      return keepOnly(known, k => inside[k] === 1 || weight?.[k] === 0)
    }
  }
}

function removePicture(
  known: Uint8Array,
  { bounds, draw }: Extract<Operation, { readonly kind: 'picture' }>,
  rect: Rect,
): boolean {
  const shared = intersectRects(bounds, rect)
  if (shared.widthPx <= 0 || shared.heightPx <= 0) return true
  const { alpha, rect: drawn } = draw(shared)
  for (let y = 0, from = 0; y < drawn.heightPx; y++) {
    let at = (drawn.top + y - rect.top) * rect.widthPx + drawn.left - rect.left
    for (let x = 0; x < drawn.widthPx; x++, from++, at++) if ((alpha[from] ?? 0) > 0) known[at] = 0
  }
  return known.includes(1)
}

/** Whether any pixel is left. */
function keepOnly(known: Uint8Array, stays: (k: number) => boolean): boolean {
  let isAny = false
  for (let k = 0; k < known.length; k++) {
    if (known[k] === 0) continue
    if (stays(k)) isAny = true
    else known[k] = 0
  }
  return isAny
}
