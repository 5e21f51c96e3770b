/** What the page and the workers that draw photos say to each other. */
import type { Point } from '@vitrine/engine'
import type { PhotoReport, Stroke, TemplateDetails } from '@vitrine/photo'
import type { ProductColors } from '../../coloring/product-colors.ts'
import type { drawingOfDraft } from './drawing-of-draft.ts'
import type { ProductKind, SampleArtwork } from './photo-draft.ts'

export type DrawingJson = ReturnType<typeof drawingOfDraft>

/** What is shown: the drawing on the photo with an artwork, in colours. */
export type PhotoScene = {
  readonly drawing: DrawingJson
  readonly artwork: SampleArtwork
  readonly colors: ProductColors
}

/** Strokes of a brush, in pixels of a photo of this size. */
export type BrushedStrokes = {
  readonly strokes: readonly Stroke[]
  readonly widthPx: number
  readonly heightPx: number
}

export type PhotoRequest =
  /** Forgets the photo before. */
  | { readonly kind: 'open'; readonly photo: Blob }
  /** `isMoving`: as fast as a handle is moved, nearly as it will be. */
  | ({ readonly kind: 'draw'; readonly isMoving: boolean } & PhotoScene)
  | ({ readonly kind: 'outline' } & BrushedStrokes)
  /** Where the frame of a product that was brushed over may lie; `slenderness`: its height / diameter. */
  | ({ readonly kind: 'propose'; readonly product: ProductKind; readonly slenderness: number | null } & BrushedStrokes)
  /** The photo of a bundle that was made from one. */
  | { readonly kind: 'recover'; readonly files: ReadonlyMap<string, Blob> }
  /** The bundle at the photo's own size. */
  | {
      readonly kind: 'build'
      readonly details: TemplateDetails
      readonly drawing: DrawingJson
      readonly kept: Readonly<Record<string, unknown>>
    }

/** What a frame is on the photo: its lines, in pixels of the drawing. */
export type FrameLines = {
  /** Width / height of its artwork. */
  readonly aspectRatio: number
  /** Rims and sides of a body. */
  readonly body: readonly (readonly Point[])[]
  /** Where the artwork lies, by rows of `GRID_STEPS` + 1 points. */
  readonly grid: readonly (readonly Point[])[]
}

export const GRID_STEPS = 8

export type PhotoAnswer =
  | { readonly kind: 'opened' }
  | {
      readonly kind: 'drawn'
      readonly picture: ImageData
      readonly frames: readonly FrameLines[]
      /** #rrggbb: what the product that may be dyed has in the photo; null: there is none. */
      readonly productColor: string | null
    }
  /** Closed lines around what was brushed over. */
  | { readonly kind: 'outlined'; readonly lines: readonly (readonly Point[])[] }
  /** Six points of a body, else four corners; null: the outline tells none. */
  | { readonly kind: 'proposed'; readonly points: readonly Point[] | null }
  | { readonly kind: 'built'; readonly files: ReadonlyMap<string, Blob>; readonly report: PhotoReport }
  | { readonly kind: 'recovered'; readonly photo: Blob }
  /** The drawing makes no template: what to do. */
  | { readonly kind: 'refused'; readonly message: string }
