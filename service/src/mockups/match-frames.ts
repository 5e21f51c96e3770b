import { parseFrameIndex } from './frame-index.ts'
import { GenerationError } from './generation-error.ts'
import type { FrameArtwork, FramePlacements, RequestArtwork, RequestPlacements } from './request-artwork.ts'

/** What matching needs to know of a template. */
export type FramedTemplate = { readonly id: string; readonly frameCount: number }

/**
 * The artworks of a request with the frames that they fill, for all its templates together.
 *
 * @throws GenerationError `unknown-frames` where a key is no frame index of any template; otherwise
 *   `frames-without-artwork`
 */
export function matchFrames(artwork: RequestArtwork, templates: readonly FramedTemplate[]): FrameArtwork[] {
  if (artwork.kind === 'one') return [{ frameIndex: null, source: artwork.source }]
  const matched = findFrames('artwork', artwork.sources, templates).map(([frameIndex, source]) => ({
    frameIndex,
    source,
  }))
  const given = new Set(matched.map(({ frameIndex }) => frameIndex))
  const framesByTemplate = new Map(templates.map(({ id, frameCount }) => [id, framesWithout(given, frameCount)]))
  const missingFrames = [...framesByTemplate]
    .map(([templateId, frames]) => ({ templateId, frames }))
    .filter(({ frames }) => frames.length > 0)
  if (missingFrames.length > 0) throw new GenerationError({ kind: 'frames-without-artwork', missingFrames })
  return matched
}

/**
 * A request's placements by frame, for all its templates together.
 *
 * @throws GenerationError `unknown-frames` where a key is no frame index of any template
 */
export function matchPlacements(
  { all, byFrame }: RequestPlacements,
  templates: readonly FramedTemplate[],
): FramePlacements {
  return { all, byFrame: findFrames('placements', byFrame, templates) }
}

/** What is given by frame, with the indexes that its keys spell. */
function findFrames<Given>(
  what: 'artwork' | 'placements',
  given: Iterable<readonly [key: string, Given]>,
  templates: readonly FramedTemplate[],
): (readonly [frameIndex: number, Given])[] {
  const frameCount = Math.max(...templates.map(template => template.frameCount))
  const found: (readonly [number, Given])[] = []
  const keys: string[] = []
  for (const [key, value] of given) {
    const frameIndex = parseFrameIndex(key)
    if (frameIndex === null || frameIndex >= frameCount) keys.push(key)
    else found.push([frameIndex, value])
  }
  if (keys.length > 0) throw new GenerationError({ kind: 'unknown-frames', what, keys, frameCount })
  return found
}

function framesWithout(given: ReadonlySet<number | null>, frameCount: number): number[] {
  return Array.from({ length: frameCount }, (_, index) => index).filter(index => !given.has(index))
}
