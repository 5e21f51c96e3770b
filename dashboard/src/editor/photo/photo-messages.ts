/** Messages between the page and the workers that draw photos. */
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

/** A frame on the photo: its lines, in pixels of the drawing. */
export type FrameLines = {
  /** Width / height of its artwork. */
  readonly aspectRatio: number
  /** Rims and sides of a body. */
  readonly body: readonly (readonly Point[])[]
  /** Around what the camera sees of the artwork. */
  readonly outline: readonly Point[]
  /** Where the artwork lies, by rows of `GRID_STEPS` + 1 points. */
  readonly grid: readonly (readonly Point[])[]
}

export const GRID_STEPS = 8

export type DrawnPhoto = {
  readonly picture: ImageData
  readonly frames: readonly FrameLines[]
  /** #rrggbb: the colour in the photo of the product that may be dyed; null if there is none. */
  readonly productColor: string | null
}

export type BuiltTemplate = { readonly files: ReadonlyMap<string, Blob>; readonly report: PhotoReport }

/** An error of a worker that draws photos. If no template can be made from a drawing, it says what to do. */
export type PhotoCalls = {
  /** Replaces the previous photo. */
  readonly open: (photo: Blob) => Promise<void>
  /** `isMoving`: fast enough for moving handles, and nearly exact. */
  readonly draw: (request: PhotoScene & { readonly isMoving: boolean }) => Promise<DrawnPhoto>
  /** Closed lines around the brushed area. */
  readonly outline: (strokes: BrushedStrokes) => Promise<readonly (readonly Point[])[]>
  /**
   * Where the frame of a brushed product may lie: six points of a body, otherwise four corners; null if the
   * outline determines none. `slenderness`: its height / diameter.
   */
  readonly propose: (
    request: BrushedStrokes & { readonly product: ProductKind; readonly slenderness: number | null },
  ) => Promise<readonly Point[] | null>
  /** The photo of a bundle that was made from one. */
  readonly recover: (files: ReadonlyMap<string, Blob>) => Promise<Blob>
  /** The bundle at the photo's own size. */
  readonly build: (request: {
    readonly details: TemplateDetails
    readonly drawing: DrawingJson
    readonly kept: Readonly<Record<string, unknown>>
  }) => Promise<BuiltTemplate>
}
