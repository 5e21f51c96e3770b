import type { BlendMode, ColorRanges, Rect } from '@vitrine/engine'
import type { Layer } from 'ag-psd'
import type { Adjustment } from '../adjusting/adjustment.ts'
import type { Rgb } from '../compositing/blend-formulas.ts'
import type { GradientOverlay, LayerEffect } from '../compositing/effects.ts'
import type { FloatPicture } from '../compositing/float-picture.ts'
import type { Weight } from '../compositing/layer-mask.ts'
import type { PsdDocument } from '../reading/open-document.ts'
import type { FrameFilters } from './frame-filters.ts'
import type { FrameGeometry } from './frame-geometry.ts'

/**
 * The operations drawn over the scene, in order. Pixels are drawn on demand, in any rectangle of the
 * document, so that no operation is ever in memory as a whole.
 */
export type Operation =
  | PictureOperation
  | FrameOperation
  | AdjustOperation
  | ColorOperation
  | GroupOperation
  | MixOperation
  | AffineOperation

type Named = {
  /** names of the layers it is made from */
  readonly names: readonly string[]
}

/** A picture; its alpha includes masks and opacity. */
export type PictureOperation = Named & {
  readonly kind: 'picture'
  readonly mode: BlendMode
  /** below 1 only in modes in which it differs from opacity */
  readonly fill: number
  readonly bounds: Rect
  readonly draw: (rect: Rect) => FloatPicture
}

export type FrameOperation = Named & {
  readonly kind: 'frame'
  readonly layer: Layer
  /** the file that has the layer */
  readonly document: PsdDocument
  readonly geometry: FrameGeometry
  readonly mode: BlendMode
  readonly opacity: number
  readonly fill: number
  /** drawn on the artwork, within its shape */
  readonly inner: readonly Operation[]
  /** drawn from the artwork's shape, from the bottom to the top */
  readonly effects: readonly FrameEffect[]
  /** filters that change the artwork and its edges; null: none */
  readonly filters: FrameFilters | null
  /** how far effects that are not drawn reach beyond the artwork in Photoshop's picture */
  readonly undrawnPx: number
}

/** An effect of a frame; for an overlay of more than one colour, its picture. */
export type FrameEffect =
  | Exclude<LayerEffect, GradientOverlay>
  | (Pick<LayerEffect, 'name' | 'mode' | 'opacity'> & { readonly kind: 'picture'; readonly picture: PictureOperation })

export type AdjustOperation = Named & {
  readonly kind: 'adjust'
  readonly adjustment: Adjustment
  readonly mode: BlendMode
  readonly opacity: number
  readonly weight: Weight
}

/** A colour that requests may change. */
export type ColorOperation = Named & {
  readonly kind: 'color'
  /** its name in the template */
  readonly area: string
  /** as the file has it, sRGB, 0..1 */
  readonly color: Rgb
  readonly mode: BlendMode
  readonly opacity: number
  readonly bounds: Rect
  readonly weight: Weight
}

/** Drawn on a transparent backdrop, then over what is below. */
export type GroupOperation = Named & {
  readonly kind: 'group'
  readonly operations: readonly Operation[]
  /** drawn on the group's colour, within its alpha */
  readonly clip: readonly Operation[]
  readonly mode: BlendMode
  readonly opacity: number
  readonly fill: number
  readonly weight: Weight
  /** which of its colours are visible */
  readonly where: ColorRanges | null
}

/** Drawn on what is below; the result is mixed with what was before. */
export type MixOperation = Named & {
  readonly kind: 'mix'
  readonly operations: readonly Operation[]
  readonly opacity: number
  readonly weight: Weight
  /** the colours below, on which it is drawn */
  readonly where: ColorRanges | null
}

/** A run of normal, multiply and screen on an opaque backdrop: b * multiply + add, per channel. */
export type AffineOperation = Named & {
  readonly kind: 'affine'
  readonly bounds: Rect
  readonly parts: readonly PictureOperation[]
}

/** All operations of a list and those inside them, outer ones first. */
export function* walkOperations(operations: readonly Operation[]): Generator<Operation> {
  for (const operation of operations) {
    yield operation
    if (operation.kind === 'group') {
      yield* walkOperations(operation.operations)
      yield* walkOperations(operation.clip)
    } else if (operation.kind === 'mix') yield* walkOperations(operation.operations)
    else if (operation.kind === 'frame') yield* walkOperations(operation.inner)
  }
}

/** Frames of a list and of those in it, in the order of drawing. */
export function framesOf(operations: readonly Operation[]): readonly FrameOperation[] {
  return [...walkOperations(operations)].filter(operation => operation.kind === 'frame')
}

/** How deeply lists are nested, as a bundle counts: a frame's own list starts again at 0. */
export function depthOfLists(operations: readonly Operation[]): number {
  const depths = operations.map(operation => {
    if (operation.kind === 'group')
      return 1 + Math.max(depthOfLists(operation.operations), depthOfLists(operation.clip))
    if (operation.kind === 'mix') return 1 + depthOfLists(operation.operations)
    return operation.kind === 'frame' && operation.inner.length > 0 ? 1 + depthOfLists(operation.inner) : 0
  })
  return Math.max(0, ...depths)
}
