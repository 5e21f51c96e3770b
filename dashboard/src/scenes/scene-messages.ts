/** The calls from the page to the scene workers. */
import type { DecodedArtwork, Placement } from '@vitrine/engine'
import type { ShownFrames } from '@vitrine/live'
import type { ProductColors } from '../coloring/product-colors.ts'

/** A scene to draw: the address of its pack, the artwork for all frames, and its placement. */
export type SceneWant = {
  readonly pack: string
  readonly widthPx: number
  /** `none`: the scene without artwork. */
  readonly artwork: File | 'none'
  readonly placement: Placement
  readonly colors: ProductColors
}

export type SceneShown = { readonly bitmap: ImageBitmap; readonly shown: ShownFrames }

/** What lists of artworks show of an artwork. */
export type ArtworkLook = {
  /** Size of the picture in the file, upright, in pixels. */
  readonly width: number
  readonly height: number
  /** Parts of it are transparent, as around a logo. */
  readonly isClear: boolean
  readonly thumbnail: ImageBitmap
}

type Drawn<Artwork> = Omit<SceneWant, 'artwork'> & { readonly artwork: Artwork }

/** The calls that a scene worker answers. */
export type SceneCalls = {
  /** Decodes an artwork. `isShared`: the answer includes its pixels, for the other workers. */
  readonly decode: (request: {
    readonly artwork: number
    readonly file: File
    readonly isShared: boolean
  }) => Promise<{ readonly sizes: readonly DecodedArtwork[]; readonly look: ArtworkLook }>
  /** Stores the decoded pixels of an artwork, the largest size first. */
  readonly keep: (request: { readonly artwork: number; readonly sizes: readonly DecodedArtwork[] }) => void
  readonly forget: (artwork: number) => void
  /** Loads and prepares a scene that will be drawn. Answers its size in memory before it is drawn. */
  readonly prepare: (request: Pick<SceneWant, 'pack' | 'widthPx'>) => Promise<number>
  /** Releases a prepared scene. */
  readonly release: (pack: string) => void
  /** `artwork`: null for the scene without artwork. */
  readonly draw: (request: Drawn<number | null>) => Promise<SceneShown>
  /** How much of the artwork stands out in the scene; see `shownShare`. */
  readonly judge: (request: Drawn<number>) => Promise<number>
}
