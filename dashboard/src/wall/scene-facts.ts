/** What a scene says of the artwork in it: only what helps. */
import type { DashboardTemplate, Placement } from '@vitrine/contract'
import { croppedShare } from '@vitrine/live'

/** What is needed of a template to show it live. */
export type SceneFacts = Pick<
  DashboardTemplate,
  'id' | 'name' | 'frames' | 'look' | 'thumbnail_url' | 'is_product_template' | 'surface_type' | 'packs'
>

export type ArtworkSize = { readonly width: number; readonly height: number }

/** Below this share nobody misses anything. */
const LEAST_CROP = 0.08
/** Enlargements below this are not seen. */
const LEAST_ENLARGEMENT = 1.25

/** The share of the artwork that is cropped, in the frame that crops most. */
export function cropOf({ frames }: Pick<DashboardTemplate, 'frames'>, size: ArtworkSize, placement: Placement): number {
  return Math.max(...frames.map(({ aspect_ratio }) => croppedShare(placement, { ...size, aspectRatio: aspect_ratio })))
}

/** `density`: of the tile, whose width is `tileWidthPx`; `widthPx`: of the mockup, where one will be. */
export function badgesOf(
  crop: number,
  density: number,
  tileWidthPx: number,
  widthPx: number | null,
): readonly string[] {
  const enlarged = widthPx === null ? 0 : widthPx / (density * tileWidthPx)
  return [
    ...(crop >= LEAST_CROP ? [`${Math.round(crop * 100)} % cropped`] : []),
    ...(enlarged >= LEAST_ENLARGEMENT ? [`enlarged ${enlarged.toFixed(1)} ×`] : []),
  ]
}
