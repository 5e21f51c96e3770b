import type { BlendMode } from '../src/blending/blend-modes.ts'
import type { Rect } from '../src/index.ts'
import type { PictureOperation, PreparedOperation } from '../src/operations/operation.ts'
import type { PreparedTemplate } from '../src/template/prepare-template.ts'

/** What the scene under all frames is. */
export function findScene({ drawing }: PreparedTemplate): Extract<PreparedOperation, { readonly kind: 'scene' }> {
  const scene = drawing.operations.find(operation => operation.kind === 'scene')
  if (!scene) throw new Error('Expected a drawing that begins with its scene.')
  return scene
}

/** A half-transparent picture over a region. */
export function buildHalfClearOverlay(region: Rect, blendMode: BlendMode): PictureOperation {
  const data = new Uint8Array(region.widthPx * region.heightPx * 4)
  for (let i = 0; i < data.length; i += 4) data.set([(i >> 2) & 127, (i >> 4) & 127, (i >> 6) & 127, 128], i)
  return { kind: 'picture', region, data, blendMode, opacity: 1, fill: 1 }
}

/** The same template with frames in another blending mode. */
export function inMode(prepared: PreparedTemplate, blendMode: BlendMode): PreparedTemplate {
  const operations = prepared.drawing.operations.map(operation =>
    operation.kind === 'frame' ? { ...operation, blendMode } : operation,
  )
  return { ...prepared, drawing: { ...prepared.drawing, operations } }
}
