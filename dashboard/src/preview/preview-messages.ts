/** The calls from the page to its preview workers. */
import type { Placement } from '@vitrine/engine'
import type { ShownFrames } from '@vitrine/live'
import type { ProductColors } from '../coloring/product-colors.ts'

/** The location of a template's files: a versioned path on the service, or a draft on this page. */
export type PreviewSource =
  | { readonly kind: 'served'; readonly folder: string }
  | { readonly kind: 'draft'; readonly files: ReadonlyMap<string, Blob> }

export type PreviewRequest = {
  readonly source: PreviewSource
  readonly widthPx: number
  /** One artwork for every frame, or one per frame. Without artworks and colors, it is only prepared. */
  readonly artworks: readonly Uint8Array[]
  /** By frame; frames without one have their artworks cropped at the centre. */
  readonly placements?: readonly Placement[]
  readonly colors?: ProductColors
}

export type PreviewPicture = {
  readonly picture: ImageData
  readonly shown: ShownFrames
  readonly durationMs: number
}

export type PreviewCalls = {
  /** Null if it was only prepared. */
  readonly render: (request: PreviewRequest) => Promise<PreviewPicture | null>
}

/** What changes between live pictures. `placements`: one per frame. */
export type LiveRequest = { readonly placements: readonly Placement[]; readonly colors: ProductColors }

/** The calls of the worker that draws while the pointer moves. */
export type LiveCalls = {
  /** Must be called first. `artworks`: one per frame. */
  readonly open: (request: {
    readonly folder: string
    readonly widthPx: number
    readonly artworks: readonly Uint8Array[]
  }) => Promise<void>
  readonly draw: (request: LiveRequest) => Promise<{ readonly picture: ImageData }>
}
