import type { Placement } from '@vitrine/contract'
import type { FileContent } from '../received-bytes/gathered-file.ts'
import type { FrameKey } from './frame-key.ts'

/** The source of an artwork: a URL accepted by `parseArtworkUrl`, or a file in the request's folder. */
export type ArtworkSource =
  | { readonly kind: 'url'; readonly url: URL }
  | ({ readonly kind: 'file'; readonly file: string } & Pick<FileContent, 'contentName' | 'sha256'>)

/** One artwork for every frame, or one per frame key, as spelled in the request. */
export type RequestArtwork =
  | { readonly kind: 'one'; readonly source: ArtworkSource }
  | { readonly kind: 'by-frame'; readonly sources: ReadonlyMap<string, ArtworkSource> }

/** An artwork and its frame or slot; `null` for every frame. */
export type FrameArtwork = { readonly frame: FrameKey | null; readonly source: ArtworkSource }

/** Placements as spelled in the request: for every frame, and by frame key. */
export type RequestPlacements = {
  readonly all: Placement | undefined
  readonly byFrame: readonly (readonly [frameKey: string, placement: Placement])[]
}

/** #rrggbb by the names of colour areas. */
export type ChosenColors = readonly (readonly [area: string, color: string])[]

/** A frame in `byFrame` does not inherit from `all`. */
export type FramePlacements = {
  readonly all: Placement | undefined
  readonly byFrame: readonly (readonly [frame: FrameKey, placement: Placement])[]
}
