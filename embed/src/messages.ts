/** What the element and the program that draws say to each other. */
import type { Placement } from '@vitrine/engine'
import type { FramePlane } from '@vitrine/live'

/** #rrggbb by the names of a product's parts. */
export type Colors = Readonly<Record<string, string>>

/** Of one element; `element` numbers those of a page. */
export type DrawingRequest = { readonly element: number } & (
  | { readonly kind: 'open'; readonly pack: string; readonly widthPx: number }
  /** Null: the product without a picture. */
  | { readonly kind: 'wear'; readonly artwork: Uint8Array | null }
  | { readonly kind: 'draw'; readonly placement: Placement; readonly colors: Colors }
  | { readonly kind: 'close' }
)

export type DrawingAnswer =
  | { readonly kind: 'opened'; readonly planes: readonly FramePlane[] }
  | { readonly kind: 'worn'; readonly widthPx: number; readonly heightPx: number }
  | { readonly kind: 'drawn'; readonly bitmap: ImageBitmap; readonly durationMs: number }
  | { readonly kind: 'closed' }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }

/** Codes of `vitrine-error` beside those of the service, which docs/embed.md lists. */
export type ErrorCode =
  | 'ARTWORK_NOT_LOADED'
  | 'ARTWORK_REFUSED'
  | 'ATTRIBUTE_INVALID'
  | 'PREVIEW_FAILED'
  | 'PREVIEW_NOT_LOADED'

export type Numbered<Message> = { readonly ask: number; readonly message: Message }
