import { type FrameKey, type FrameSlots, parseFrameIndex } from './frame-key.ts'
import { GenerationError } from './generation-error.ts'
import type { FrameArtwork, FramePlacements, RequestArtwork, RequestPlacements } from './request-artwork.ts'

/** What matching needs to know about a template. */
export type FramedTemplate = { readonly id: string; readonly frameCount: number; readonly slots: FrameSlots }

/**
 * Assigns a request's artworks to frames, for all its templates together.
 *
 * @throws GenerationError `unknown-frames` if a key is neither a frame index nor a slot of any template;
 *   otherwise `frames-without-artwork`
 */
export function matchFrames(artwork: RequestArtwork, templates: readonly FramedTemplate[]): FrameArtwork[] {
  if (artwork.kind === 'one') return [{ frame: null, source: artwork.source }]
  const matched = findFrames('artwork', artwork.sources, templates).map(([frame, source]) => ({ frame, source }))
  const given = new Set(matched.map(({ frame }) => frame))
  const framesByTemplate = new Map(templates.map(template => [template.id, framesWithout(given, template)]))
  const missingFrames = [...framesByTemplate]
    .map(([templateId, frames]) => ({ templateId, frames }))
    .filter(({ frames }) => frames.length > 0)
  if (missingFrames.length > 0) throw new GenerationError({ kind: 'frames-without-artwork', missingFrames })
  return matched
}

/**
 * A request's placements by frame, for all its templates together.
 *
 * @throws GenerationError `unknown-frames` if a key is neither a frame index nor a slot of any template
 */
export function matchPlacements(
  { all, byFrame }: RequestPlacements,
  templates: readonly FramedTemplate[],
): FramePlacements {
  return { all, byFrame: findFrames('placements', byFrame, templates) }
}

/** Resolves the keys of what is given by frame to frame indexes and slots. */
function findFrames<Given>(
  what: 'artwork' | 'placements',
  given: Iterable<readonly [key: string, Given]>,
  templates: readonly FramedTemplate[],
): (readonly [frame: FrameKey, Given])[] {
  const frameCount = Math.max(...templates.map(template => template.frameCount))
  const slots = new Set(templates.flatMap(template => template.slots.filter(slot => slot !== null)))
  const found: (readonly [FrameKey, Given])[] = []
  const keys: string[] = []
  for (const [key, value] of given) {
    const index = parseFrameIndex(key)
    if (index !== null && index < frameCount) found.push([index, value])
    else if (slots.has(key)) found.push([key, value])
    else keys.push(key)
  }
  if (keys.length > 0) throw new GenerationError({ kind: 'unknown-frames', what, keys, frameCount, slots: [...slots] })
  return found
}

function framesWithout(given: ReadonlySet<FrameKey | null>, { frameCount, slots }: FramedTemplate): number[] {
  const isGiven = (index: number): boolean => given.has(index) || given.has(slots[index] ?? null)
  return Array.from({ length: frameCount }, (_, index) => index).filter(index => !isGiven(index))
}
