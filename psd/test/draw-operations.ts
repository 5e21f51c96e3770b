import type { Rect } from '@vitrine/engine'
import { adjustmentFormula } from '../src/adjusting/adjustment.ts'
import { weightsBelow, weightsOf } from '../src/compositing/blend-if.ts'
import { blendOver } from '../src/compositing/blend-over.ts'
import { applyAdjustment } from '../src/compositing/compose-layers.ts'
import {
  anyAlpha,
  createPicture,
  type FloatPicture,
  mixPictures,
  multiplyPlane,
} from '../src/compositing/float-picture.ts'
import { drawAffine } from '../src/converting/fold.ts'
import type { FrameOperation, Operation } from '../src/converting/operation.ts'

/** Artwork as a frame shows it: colour, and alpha that has the artwork's own transparency alone. */
export type DrawArtwork = (frame: FrameOperation, rect: Rect) => FloatPicture

/** Draws operations over a picture in floats, in place: the definition that the engine is tested against. */
export function drawOperations(operations: readonly Operation[], out: FloatPicture, artwork: DrawArtwork): void {
  for (const operation of operations) drawOperation(operation, out, artwork)
}

function drawOperation(operation: Operation, out: FloatPicture, artwork: DrawArtwork): void {
  const { rect } = out
  switch (operation.kind) {
    case 'picture':
      blendOver(out, operation.draw(rect), operation.mode, 1, operation.fill)
      return
    case 'frame': {
      const source = artwork(operation, rect)
      const inside: FloatPicture = { ...source, alpha: new Float32Array(source.alpha.length).fill(1) }
      drawOperations(operation.inner, inside, artwork)
      multiplyPlane(source.alpha, operation.geometry.shape(rect))
      blendOver(out, { ...source, color: inside.color }, operation.mode, operation.opacity, operation.fill)
      return
    }
    case 'adjust': {
      const weight = operation.weight?.(rect) ?? null
      applyAdjustment(out, adjustmentFormula(operation.adjustment), operation.mode, operation.opacity, weight)
      return
    }
    case 'color': {
      const source = createPicture(rect)
      source.color.forEach((_, i) => (source.color[i] = operation.color[i % 3] ?? 0))
      source.alpha.fill(1)
      const weight = operation.weight?.(rect)
      if (weight) multiplyPlane(source.alpha, weight)
      blendOver(out, source, operation.mode, operation.opacity, 1)
      return
    }
    case 'mix': {
      const before: FloatPicture = { ...out, color: out.color.slice(), alpha: out.alpha.slice() }
      drawOperations(operation.operations, out, artwork)
      const weight = operation.weight?.(rect) ?? new Float32Array(before.alpha.length).fill(1)
      if (operation.where) multiplyPlane(weight, weightsBelow(before, operation.where))
      mixPictures(before, out, operation.opacity, weight)
      return
    }
    case 'group': {
      const group = createPicture(rect)
      drawOperations(operation.operations, group, artwork)
      const inside: FloatPicture = { ...group, alpha: anyAlpha(group.alpha) }
      drawOperations(operation.clip, inside, artwork)
      const weight = operation.weight?.(rect)
      if (weight) multiplyPlane(group.alpha, weight)
      if (operation.where) multiplyPlane(group.alpha, weightsOf(group, operation.where))
      blendOver(out, group, operation.mode, operation.opacity, operation.fill)
      return
    }
    case 'affine': {
      const { multiply, add } = drawAffine(operation, rect)
      for (let i = 0; i < out.color.length; i++) {
        out.color[i] = Math.min(1, (out.color[i] ?? 0) * (multiply[i] ?? 1) + (add[i] ?? 0))
      }
    }
  }
}
