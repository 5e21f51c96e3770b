/** What the page and its preview worker say to each other. */

export type PreviewRequest = {
  readonly id: number
  /** The address under which the bundle's files lie. */
  readonly folder: string
  readonly widthPx: number
  /** One artwork for every frame, or one per frame. */
  readonly artworks: readonly Uint8Array[]
}

export type PreviewAnswer =
  | { readonly kind: 'picture'; readonly id: number; readonly picture: ImageData; readonly durationMs: number }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string }
