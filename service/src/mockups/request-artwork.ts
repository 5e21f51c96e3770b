import type { Placement } from '@vitrine/contract'
import type { FileContent } from '../received-bytes/gathered-file.ts'
import type { FrameKey } from './frame-key.ts'

/** The source of an artwork: a URL that `parseArtworkUrl` accepted, or a file in the request's folder. */
export type ArtworkSource =
  | { readonly kind: 'url'; readonly url: URL }
  | ({ readonly kind: 'file'; readonly file: string } & Pick<FileContent, 'contentName' | 'sha256'>)

/** One artwork for every frame, or one per frame by the key that the request spelled. */
export type RequestArtwork =
  | { readonly kind: 'one'; readonly source: ArtworkSource }
  | { readonly kind: 'by-frame'; readonly sources: ReadonlyMap<string, ArtworkSource> }

/** An artwork and the frame or slot that it is for; `null` for every frame. */
export type FrameArtwork = { readonly frame: FrameKey | null; readonly source: ArtworkSource }

/** Placements as the request spelled them: for every frame, and by frame key. */
export type RequestPlacements = {
  readonly all: Placement | undefined
  readonly byFrame: readonly (readonly [frameKey: string, placement: Placement])[]
}

/** #rrggbb by the names of colour areas. */
export type ChosenColors = readonly (readonly [area: string, color: string])[]

/** A frame that `byFrame` has takes nothing of `all`. */
export type FramePlacements = {
  readonly all: Placement | undefined
  readonly byFrame: readonly (readonly [frame: FrameKey, placement: Placement])[]
}
