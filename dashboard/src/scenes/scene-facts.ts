/** How an artwork fits into a scene: how much is cropped, how far it is enlarged. */
import type { DashboardTemplate, Placement } from '@vitrine/contract'
import { centredCover } from '@vitrine/engine'
import { croppedShare } from '@vitrine/live'

/** The fields of a template that are needed to show it live. */
export type SceneFacts = Pick<
  DashboardTemplate,
  'id' | 'name' | 'frames' | 'is_product_template' | 'surface_type' | 'packs'
> & { readonly look: { readonly width_px: number; readonly height_px: number } | null }

/** `isClear`: parts of it are transparent, as around a logo. */
export type ArtworkSize = { readonly width: number; readonly height: number; readonly isClear?: boolean }

/** Cropping less than this share goes unnoticed. */
const LEAST_CROP = 0.08
/** Enlargement below this factor is not visible. */
const LEAST_ENLARGEMENT = 1.25

/** Whether enough is cropped to be worth mentioning. */
export const isCropped = (crop: number): boolean => crop >= LEAST_CROP

/** The cropped share of the artwork, in the frame that crops it most. */
export function cropOf({ frames }: Pick<DashboardTemplate, 'frames'>, size: ArtworkSize, placement: Placement): number {
  return Math.max(...frames.map(({ aspect_ratio }) => croppedShare(placement, { ...size, aspectRatio: aspect_ratio })))
}

/** Sorts templates by how much they crop an artwork of this size that fills them, the least first. */
export function bestFitFirst<Template extends Pick<DashboardTemplate, 'frames'>>(
  templates: readonly Template[],
  size: ArtworkSize,
): readonly Template[] {
  return templates.toSorted((a, b) => cropOf(a, size, centredCover) - cropOf(b, size, centredCover))
}

/** The aspect ratios of most artworks. */
const commonShapes: readonly ArtworkSize[] = [
  { width: 3, height: 2 },
  { width: 2, height: 3 },
  { width: 1, height: 1 },
]

/** Sorts templates by how likely they are at the top: as listed, or as the best fit for a common shape. */
export function likelyFirst<Template extends Pick<DashboardTemplate, 'frames'>>(
  templates: readonly Template[],
): readonly Template[] {
  const orders = [templates, ...commonShapes.map(size => bestFitFirst(templates, size))]
  return [...new Set(templates.flatMap((_, place) => orders.flatMap(order => order[place] ?? [])))]
}

/**
 * Badges of a tile `tileWidthPx` wide, drawn at `density` artwork pixels per pixel. `widthPx`: of the mockup;
 * null gives none, since a customer of the shop renders nothing.
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
    ...(isCropped(crop) ? [`${Math.round(crop * 100)} % cropped`] : []),
    ...(enlarged >= LEAST_ENLARGEMENT ? [`enlarged ${enlarged.toFixed(1)} ×`] : []),
  ]
}
