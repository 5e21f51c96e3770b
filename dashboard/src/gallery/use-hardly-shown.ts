/** Mockups in which a logo hardly stands out from the product, and product colours on which it does. */
import type { DashboardTemplate } from '@vitrine/contract'
import { useEffect, useState } from 'react'
import { type ProductColors, swatchesOf, withColor } from '../coloring/product-colors.ts'
import { scenePool } from '../scenes/scene-pool.ts'
import type { ArtworkLooks } from '../scenes/use-artwork-looks.ts'
import type { SavedGallery } from '../visit/gallery-address.ts'
import { galleryPlacementOf } from '../visit/gallery-placing.ts'
import type { Cell } from './planned-mockups.ts'

/** Reported when at least a quarter of the artwork is lost. */
const SHOWN_SHARE_MIN = 0.75

/** A colour that shows this much is chosen without trying the others. */
const SHOWN_SHARE_ENOUGH = 0.95

/** How long picks and placements must rest before they are checked. */
const REST_MS = 500

type Placed = Pick<SavedGallery, 'placing' | 'colors'>

/** Opaque artwork covers its whole frame, so its edges are always visible. */
export function useHardlyShown(cells: readonly Cell[], { placing, colors }: Placed, looks: ArtworkLooks) {
  const [hardly, setHardly] = useState<readonly Cell[]>([])
  useEffect(() => {
    let isLeft = false
    const look = async () => {
      const found: Cell[] = []
      for (const cell of cells) {
        if (isLeft) return
        if ((await shareOf(cell, { placing, colors }, looks)) < SHOWN_SHARE_MIN) found.push(cell)
      }
      if (!isLeft) setHardly(before => (before.length === 0 && found.length === 0 ? before : found))
    }
    const timer = setTimeout(() => void look(), REST_MS)
    return () => {
      isLeft = true
      clearTimeout(timer)
    }
  }, [cells, placing, colors, looks])
  // Cells that are no longer picked are left out.
  return hardly.filter(({ artwork, template }) =>
    cells.some(cell => cell.artwork === artwork && cell.template === template),
  )
}

/** 1 if unknown: a scene that cannot be drawn reports that itself. */
async function shareOf({ artwork, template }: Cell, { placing, colors }: Placed, looks: ArtworkLooks): Promise<number> {
  const [pack] = template.packs
  if (pack === undefined || looks.get(artwork)?.isClear !== true) return 1
  const placement = galleryPlacementOf(placing, template, true)
  const want = { pack: pack.path, widthPx: pack.width_px, placement, colors: colors[template.id] ?? {} }
  return scenePool.shownShare(artwork, want)
}

/** Finds, for each product, a suggested colour on which the artworks stand out. */
export async function findBetterColors(
  cells: readonly Cell[],
  placed: Placed,
  looks: ArtworkLooks,
  onFound: (templateId: string, colors: ProductColors) => void,
): Promise<void> {
  const find = async ([template, of]: [DashboardTemplate, readonly Cell[]]): Promise<void> => {
    const worst = async (chosen: ProductColors): Promise<number> => {
      const colors = { ...placed.colors, [template.id]: chosen }
      const shares = await Promise.all(of.map(cell => shareOf(cell, { ...placed, colors }, looks)))
      return Math.min(...shares)
    }
    const now = placed.colors[template.id] ?? {}
    let best = { colors: now, share: await worst(now) }
    for (const colors of choicesOf(template, now)) {
      const share = await worst(colors)
      if (share > best.share) best = { colors, share }
      if (share >= SHOWN_SHARE_ENOUGH) break
    }
    if (best.colors !== now) onFound(template.id, best.colors)
  }
  await Promise.all(
    Map.groupBy(cells, cell => cell.template)
      .entries()
      .map(find),
  )
}

const choicesOf = ({ colors: areas }: DashboardTemplate, now: ProductColors): readonly ProductColors[] =>
  areas.flatMap(area => swatchesOf(area).map(({ value }) => withColor(now, area, value)))
