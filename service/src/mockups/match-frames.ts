import { parseFrameIndex } from './frame-index.ts'
import { GenerationError } from './generation-error.ts'
import type { FrameArtwork, RequestArtwork } from './request-artwork.ts'

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
  const frameCount = Math.max(...templates.map(template => template.frameCount))
  const matched: FrameArtwork[] = []
  const keys: string[] = []
  for (const [key, source] of artwork.sources) {
    const frameIndex = parseFrameIndex(key)
    if (frameIndex === null || frameIndex >= frameCount) keys.push(key)
    else matched.push({ frameIndex, source })
  }
  if (keys.length > 0) throw new GenerationError({ kind: 'unknown-frames', keys, frameCount })
  const given = new Set(matched.map(({ frameIndex }) => frameIndex))
  const framesByTemplate = new Map(templates.map(({ id, frameCount }) => [id, framesWithout(given, frameCount)]))
  const missingFrames = [...framesByTemplate]
    .map(([templateId, frames]) => ({ templateId, frames }))
    .filter(({ frames }) => frames.length > 0)
  if (missingFrames.length > 0) throw new GenerationError({ kind: 'frames-without-artwork', missingFrames })
  return matched
}

function framesWithout(given: ReadonlySet<number | null>, frameCount: number): number[] {
  return Array.from({ length: frameCount }, (_, index) => index).filter(index => !given.has(index))
}
