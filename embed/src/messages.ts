/** The messages between an element and the drawing program. */
import type { Placement } from '@vitrine/engine'
import type { FramePlane } from '@vitrine/live'
import type { Colors } from './element-types.ts'

/** A request of one element; `element` is its number on the page. */
export type DrawingRequest = { readonly element: number } & (
  | { readonly kind: 'open'; readonly pack: string; readonly widthPx: number }
  /** Sets what these frames show. Null: the product without a picture. */
  | { readonly kind: 'show'; readonly frames: readonly number[]; readonly artwork: Uint8Array | null }
  /** One placement per frame. */
  | { readonly kind: 'draw'; readonly placements: readonly Placement[]; readonly colors: Colors }
  | { readonly kind: 'close' }
)

export type DrawingAnswer =
  | { readonly kind: 'opened'; readonly planes: readonly FramePlane[] }
  /** `isClear`: parts of the picture are transparent, as around a logo. */
  | { readonly kind: 'shown'; readonly widthPx: number; readonly heightPx: number; readonly isClear: boolean }
  | { readonly kind: 'drawn'; readonly bitmap: ImageBitmap; readonly durationMs: number }
  | { readonly kind: 'closed' }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }

/** Codes of `vitrine-error` in addition to the service's, listed in docs/embed.md. */
export type ErrorCode =
  | 'ARTWORK_NOT_LOADED'
  | 'ARTWORK_REFUSED'
  | 'ATTRIBUTE_INVALID'
  | 'PREVIEW_FAILED'
  | 'PREVIEW_NOT_LOADED'

/** A request without the element's number. */
export type RequestOf = DrawingRequest extends infer Request
  ? Request extends DrawingRequest
    ? Omit<Request, 'element'>
    : never
  : never

export type AnswerOf<Kind extends DrawingAnswer['kind']> = Extract<DrawingAnswer, { kind: Kind }>

/** The calls that the drawing worker answers. */
export type DrawingCalls = {
  /** Answers once the worker has started. */
  readonly start: (nothing: null) => null
  readonly answer: (request: DrawingRequest) => Promise<DrawingAnswer>
}
