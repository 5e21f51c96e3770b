import type { ArtworkFacts } from '../artwork/artwork-facts.ts'

type Size = { readonly widthPx: number; readonly heightPx: number }

/**
 * libwebp reduces by averaging areas, which blurs and aliases more than Lanczos: this many times the target's
 * size compensates, if the reduction is large enough (docs/decisions/decoders.md).
 */
const EXCESS_OF_MEANS = 1.5
const LEAST_REDUCTION = 1.6

/** What the other side exceeds after the common reduction costs less than reducing it again. */
const KEPT_EXCESS = 1.1

/**
 * The stored size at which libwebp decodes a WebP artwork for a target of `least`, or null to decode it
 * whole: libwebp weights colours by alpha in lossless files only, and frames have a canvas.
 */
export function findLoadedSize(facts: ArtworkFacts, least: Size): Size | null {
  const { type, hasAlpha, frame, isLosslessWebp, storedWidthPx, storedHeightPx } = facts
  if (type !== 'webp' || frame !== null || (hasAlpha && isLosslessWebp !== true)) return null
  const wantedWidth = Math.min(storedWidthPx, Math.ceil(least.widthPx * EXCESS_OF_MEANS))
  const wantedHeight = Math.min(storedHeightPx, Math.ceil(least.heightPx * EXCESS_OF_MEANS))
  const reduction = Math.min(storedWidthPx / wantedWidth, storedHeightPx / wantedHeight)
  if (reduction < LEAST_REDUCTION) return null
  const choose = (sidePx: number, wantedPx: number): number => {
    const loadedPx = Math.round(sidePx / reduction)
    return loadedPx <= wantedPx * KEPT_EXCESS ? loadedPx : wantedPx
  }
  return { widthPx: choose(storedWidthPx, wantedWidth), heightPx: choose(storedHeightPx, wantedHeight) }
}
