/** What the page and the workers of the wall say to each other. */
import type { DecodedArtwork, Placement } from '@vitrine/engine'
import type { ProductColors } from '../coloring/product-colors.ts'
import type { ShownFrames } from '../preview/preview-messages.ts'

/** A scene as it is to be seen: the pack's address, the artwork for all its frames, and where it lies. */
export type SceneWant = {
  readonly pack: string
  readonly widthPx: number
  /** `none`: the scene without any. */
  readonly artwork: File | 'none'
  readonly placement: Placement
  readonly colors: ProductColors
}

export type WallRequest =
  /** Decodes an artwork and keeps it. `isShared`: other workers need its pixels too. */
  | { readonly kind: 'decode'; readonly artwork: number; readonly file: File; readonly isShared: boolean }
  /** The decoded pixels of an artwork, of the greatest size first. */
  | { readonly kind: 'keep'; readonly artwork: number; readonly sizes: readonly DecodedArtwork[] }
  | { readonly kind: 'forget'; readonly artwork: number }
  /** Loads and prepares a scene that will be drawn. */
  | { readonly kind: 'prepare'; readonly pack: string; readonly widthPx: number }
  /** Forgets a prepared scene. */
  | { readonly kind: 'release'; readonly pack: string }
  /** `artwork`: null for the scene without any. */
  | ({ readonly kind: 'draw'; readonly artwork: number | null } & Omit<SceneWant, 'artwork'>)
  /** How much of the artwork stands out in the scene. */
  | ({ readonly kind: 'judge'; readonly artwork: number } & Omit<SceneWant, 'artwork'>)

export type SceneShown = { readonly bitmap: ImageBitmap; readonly shown: ShownFrames }

/** An artwork as lists of artworks show it. */
export type ArtworkLook = {
  /** Of the picture in the file, upright, in pixels. */
  readonly width: number
  readonly height: number
  /** Parts of it are clear, as around a logo. */
  readonly isClear: boolean
  readonly thumbnail: ImageBitmap
}

/** `ask`: the number of the request that it answers. Those of one worker overtake each other. */
export type Numbered<Message> = Message & { readonly ask: number }

/** One for each request that has an answer. */
export type WallAnswer =
  /** `sizes`: none where they are not shared. */
  | { readonly kind: 'decoded'; readonly sizes: readonly DecodedArtwork[]; readonly look: ArtworkLook }
  /** `sizeBytes`: of memory, before it is drawn. */
  | { readonly kind: 'prepared'; readonly sizeBytes: number }
  | ({ readonly kind: 'drawn' } & SceneShown)
  /** `shownShare`: see `shownShare`. */
  | { readonly kind: 'judged'; readonly shownShare: number }
  | { readonly kind: 'failed'; readonly message: string }
