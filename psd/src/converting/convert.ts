import type { Rect } from '@vitrine/engine'
import { composeSet, type Drawing } from '../compositing/compose-layers.ts'
import { createPicture, type FloatPicture } from '../compositing/float-picture.ts'
import type { PsdDocument } from '../reading/open-document.ts'
import type { ChosenColor } from './choose-colors.ts'
import type { FrameCandidate } from './choose-frames.ts'
import { Converter } from './converter.ts'
import type { LayerOutcome } from './layer-outcome.ts'
import { type FrameOperation, framesOf, type Operation } from './operation.ts'

/** A document as a scene and the operations drawn over it. */
export type Conversion = {
  /** in the order of drawing */
  readonly operations: readonly Operation[]
  readonly frames: readonly FrameOperation[]
  /** what lies below the first frame, over the matte; opaque */
  readonly drawScene: (rect: Rect) => FloatPicture
  /** what became of each visible layer */
  readonly outcomes: readonly LayerOutcome[]
}

/** A colour, 0..1. */
export type Matte = readonly [number, number, number]

/**
 * Bakes everything below the first frame or changeable colour and records everything from it on as
 * operations. Nothing is drawn yet. @throws PsdRefusedError
 */
export function convertDocument(
  document: PsdDocument,
  chosen: readonly FrameCandidate[],
  colors: readonly ChosenColor[],
  drawing: Drawing,
  matte: Matte,
): Conversion {
  const converter = new Converter(document, chosen, colors, drawing)
  converter.run()
  const { baked, operations, outcomes } = converter
  const frames = framesOf(operations)
  const drawScene = (rect: Rect): FloatPicture => {
    const scene = createPicture(rect)
    for (let i = 0; i < scene.color.length; i += 3) scene.color.set(matte, i)
    scene.alpha.fill(1)
    for (const set of baked) composeSet(set, scene, drawing)
    return scene
  }
  return { operations, frames, drawScene, outcomes }
}
