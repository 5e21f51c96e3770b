/** What a scene says of the artwork in it: only what helps. */
import type { DashboardTemplate, Placement } from '@vitrine/contract'
import { centredCover } from '@vitrine/engine'
import { croppedShare } from '@vitrine/live'

/** What is needed of a template to show it live. */
export type SceneFacts = Pick<
  DashboardTemplate,
  'id' | 'name' | 'frames' | 'is_product_template' | 'surface_type' | 'packs'
> & { readonly look: { readonly width_px: number; readonly height_px: number } | null }

/** `isClear`: parts of it are clear, as around a logo. */
export type ArtworkSize = { readonly width: number; readonly height: number; readonly isClear?: boolean }

/** Below this share nobody misses anything. */
const LEAST_CROP = 0.08
/** Enlargements below this are not seen. */
const LEAST_ENLARGEMENT = 1.25

/** Whether somebody may miss what is cropped. */
export const isCut = (crop: number): boolean => crop >= LEAST_CROP

/** The share of the artwork that is cropped, in the frame that crops most. */
export function cropOf({ frames }: Pick<DashboardTemplate, 'frames'>, size: ArtworkSize, placement: Placement): number {
  return Math.max(...frames.map(({ aspect_ratio }) => croppedShare(placement, { ...size, aspectRatio: aspect_ratio })))
}

/** In the order of what they crop of an artwork of this size that fills them, the least first. */
export function bestFitFirst<Template extends Pick<DashboardTemplate, 'frames'>>(
  templates: readonly Template[],
  size: ArtworkSize,
): readonly Template[] {
  return templates.toSorted((a, b) => cropOf(a, size, centredCover) - cropOf(b, size, centredCover))
}

/** What most artworks are shaped like. */
const commonShapes: readonly ArtworkSize[] = [
  { width: 3, height: 2 },
  { width: 2, height: 3 },
  { width: 1, height: 1 },
]

/** Those first that would stand first: as they are listed, or by how an artwork of a common shape fits. */
export function likelyFirst<Template extends Pick<DashboardTemplate, 'frames'>>(
  templates: readonly Template[],
): readonly Template[] {
  const orders = [templates, ...commonShapes.map(size => bestFitFirst(templates, size))]
  return [...new Set(templates.flatMap((_, place) => orders.flatMap(order => order[place] ?? [])))]
}

/**
 * `density`: of the tile, whose width is `tileWidthPx`; `widthPx`: of the mockup, where one will be. Who
 * makes none is told nothing: it is the shop's work.
 */
export function badgesOf(
  crop: number,
  density: number,
  tileWidthPx: number,
  widthPx: number | null,
): readonly string[] {
  if (widthPx === null) return []
  const enlarged = widthPx / (density * tileWidthPx)
  return [
    ...(isCut(crop) ? [`${Math.round(crop * 100)} % cropped`] : []),
    ...(enlarged >= LEAST_ENLARGEMENT ? [`enlarged ${enlarged.toFixed(1)} ×`] : []),
  ]
}
