/** What the page and its preview worker say to each other. */

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
  /** One artwork for every frame, or one per frame. With none, the template is only prepared. */
  readonly artworks: readonly Uint8Array[]
}

export type PreviewAnswer =
  | { readonly kind: 'picture'; readonly id: number; readonly picture: ImageData; readonly durationMs: number }
  | { readonly kind: 'ready'; readonly id: number }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string }
