/** What the page and its preview workers say to each other. */
import type { ShownArtwork } from '@vitrine/contract'
import type { Placement } from '@vitrine/engine'
import type { FramePlane } from '@vitrine/live'
import type { ProductColors } from '../coloring/product-colors.ts'

/**
 * Where a template's files are: at the service, below a path with the version, or on this page, in a draft.
 */
export type PreviewSource =
  | { readonly kind: 'served'; readonly folder: string }
  | { readonly kind: 'draft'; readonly files: ReadonlyMap<string, Blob> }

export type PreviewRequest = {
  readonly id: number
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

/**
 * What was drawn where: the frames, and how finely each artwork is seen at the preview's width; no artworks
 * where none were given.
 */
export type ShownFrames = { readonly planes: readonly FramePlane[]; readonly artworks: readonly ShownArtwork[] }

export type PreviewAnswer =
  | {
      readonly kind: 'picture'
      readonly id: number
      readonly picture: ImageData
      readonly shown: ShownFrames
      readonly durationMs: number
    }
  | { readonly kind: 'ready'; readonly id: number }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string }

/** What changes from one live picture to the next. `placements`: one per frame. */
export type LiveScene = { readonly placements: readonly Placement[]; readonly colors: ProductColors }

/** What the page asks of the worker that draws while the pointer moves. Opened again, it forgets all. */
export type LiveRequest =
  | {
      readonly kind: 'open'
      readonly folder: string
      readonly widthPx: number
      readonly artworks: readonly Uint8Array[]
    }
  | ({ readonly kind: 'draw' } & LiveScene)

/** One for each request, in their order. */
export type LiveAnswer =
  | { readonly kind: 'opened' }
  | { readonly kind: 'drawn'; readonly picture: ImageData }
  | { readonly kind: 'failed' }
