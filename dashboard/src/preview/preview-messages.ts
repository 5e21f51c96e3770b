/** What the page asks of its preview workers. */
import type { Placement } from '@vitrine/engine'
import type { ShownFrames } from '@vitrine/live'
import type { ProductColors } from '../coloring/product-colors.ts'

/**
 * Where a template's files are: at the service, below a path with the version, or on this page, in a draft.
 */
export type PreviewSource =
  | { readonly kind: 'served'; readonly folder: string }
  | { readonly kind: 'draft'; readonly files: ReadonlyMap<string, Blob> }

export type PreviewRequest = {
  readonly source: PreviewSource
  readonly widthPx: number
  /**
   * One artwork for every frame, or one per frame. With none and no colors, the template is only prepared.
   */
  readonly artworks: readonly Uint8Array[]
  /** By frame; the frames after them, or all, have their artworks cropped at the centre. */
  readonly placements?: readonly Placement[]
  readonly colors?: ProductColors
}

export type PreviewPicture = {
  readonly picture: ImageData
  readonly shown: ShownFrames
  readonly durationMs: number
}

export type PreviewCalls = {
  /** Null: it was only prepared. */
  readonly render: (request: PreviewRequest) => Promise<PreviewPicture | null>
}

/** What changes from one live picture to the next. `placements`: one per frame. */
export type LiveRequest = { readonly placements: readonly Placement[]; readonly colors: ProductColors }

/** Of the worker that draws while the pointer moves. */
export type LiveCalls = {
  /** Before everything else. `artworks`: one per frame. */
  readonly open: (request: {
    readonly folder: string
    readonly widthPx: number
    readonly artworks: readonly Uint8Array[]
  }) => Promise<void>
  readonly draw: (request: LiveRequest) => Promise<{ readonly picture: ImageData }>
}
