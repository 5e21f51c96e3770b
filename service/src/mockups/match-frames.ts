import type { ArtworkSource, FrameArtwork } from './fetch-artworks.ts'
import { FramesWithoutArtwork, UnknownFrames } from './generation-errors.ts'

/** One artwork for every frame, or one per frame by the index that the request spelled. */
export type RequestArtwork =
  | { readonly kind: 'one'; readonly source: ArtworkSource }
  | { readonly kind: 'by-frame'; readonly sources: ReadonlyMap<string, ArtworkSource> }

/** What matching needs to know of a template. */
export type FramedTemplate = { readonly id: string; readonly frameCount: number }

/**
 * The artworks of a request with the frames that they fill, for all its templates together.
 *
 * @throws UnknownFrames for a key that is no frame index of any template; FramesWithoutArtwork when a template lacks one
 */
export function matchFrames(artwork: RequestArtwork, templates: readonly FramedTemplate[]): FrameArtwork[] {
  if (artwork.kind === 'one') return [{ frameIndex: null, source: artwork.source }]
  const frameCount = Math.max(...templates.map(template => template.frameCount))
  const unknown = [...artwork.sources.keys()].filter(key => !isFrameOf(key, frameCount))
  if (unknown.length > 0) throw new UnknownFrames(unknown, frameCount)
  const missing = new Map(templates.map(({ id, frameCount }) => [id, framesWithout(artwork.sources, frameCount)]))
  const missingFrames = [...missing].filter(([, frames]) => frames.length > 0)
  if (missingFrames.length > 0) {
    throw new FramesWithoutArtwork(missingFrames.map(([templateId, frames]) => ({ templateId, frames })))
  }
  return [...artwork.sources].map(([key, source]) => ({ frameIndex: Number(key), source }))
}

/** Whether a key is spelled exactly as the index of one of so many frames: no sign, no leading zero. */
function isFrameOf(key: string, frameCount: number): boolean {
  return /^(?:0|[1-9]\d*)$/.test(key) && Number(key) < frameCount
}

function framesWithout(sources: ReadonlyMap<string, ArtworkSource>, frameCount: number): number[] {
  return Array.from({ length: frameCount }, (_, index) => index).filter(index => !sources.has(String(index)))
}
