/** What the page asks of the workers of scenes. */
import type { DecodedArtwork, Placement } from '@vitrine/engine'
import type { ShownFrames } from '@vitrine/live'
import type { ProductColors } from '../coloring/product-colors.ts'

/** A scene as it is to be seen: the pack's address, the artwork for all its frames, and where it lies. */
export type SceneWant = {
  readonly pack: string
  readonly widthPx: number
  /** `none`: the scene without any. */
  readonly artwork: File | 'none'
  readonly placement: Placement
  readonly colors: ProductColors
}

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

type Drawn<Artwork> = Omit<SceneWant, 'artwork'> & { readonly artwork: Artwork }

/** What a worker of scenes does. */
export type SceneCalls = {
  /** Decodes an artwork, to be drawn. `isShared`: the answer has its pixels, for other workers. */
  readonly decode: (request: {
    readonly artwork: number
    readonly file: File
    readonly isShared: boolean
  }) => Promise<{ readonly sizes: readonly DecodedArtwork[]; readonly look: ArtworkLook }>
  /** The decoded pixels of an artwork, of the greatest size first. */
  readonly keep: (request: { readonly artwork: number; readonly sizes: readonly DecodedArtwork[] }) => void
  readonly forget: (artwork: number) => void
  /** Loads and prepares a scene that will be drawn. Its bytes of memory, before it is drawn. */
  readonly prepare: (request: Pick<SceneWant, 'pack' | 'widthPx'>) => Promise<number>
  /** Forgets a prepared scene. */
  readonly release: (pack: string) => void
  /** `artwork`: null for the scene without any. */
  readonly draw: (request: Drawn<number | null>) => Promise<SceneShown>
  /** How much of the artwork stands out in the scene: see `shownShare`. */
  readonly judge: (request: Drawn<number>) => Promise<number>
}
