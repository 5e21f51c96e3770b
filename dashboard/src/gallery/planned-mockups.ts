/** The mockups to render for the gallery's picks, sizes, placements and colours. */
import { type DashboardTemplate, outputFormats, type Placement } from '@vitrine/contract'
import { hasColors, type ProductColors } from '../coloring/product-colors.ts'
import type { ArtworkLooks } from '../scenes/use-artwork-looks.ts'
import type { SavedGallery } from '../visit/gallery-address.ts'
import { galleryPlacementOf } from '../visit/gallery-placing.ts'
import type { MockupWork } from '../visit/mockups.ts'
import { placementParameters } from '../visit/placing.ts'
import { channelSizes } from './channel-sizes.ts'
import type { PlannedMockup } from './gallery-snippets.ts'
import { artworkStems, nameMockups } from './mockup-names.ts'
import type { TraySettings } from './tray-settings.ts'

const QUALITY = 85

/** Identifies a scene with an artwork, also after a reload. */
export const tileName = (templateId: string, artwork: File): string =>
  `${templateId} ${artwork.name} ${artwork.lastModified}`

/** The work of rendering a scene as it is shown, without artwork and output. */
export const workInScene = (
  { frames }: Pick<DashboardTemplate, 'frames'>,
  placement: Placement,
  colors: ProductColors,
): Pick<MockupWork, 'placement' | 'colors'> => ({
  placement: placementParameters({ frames: frames.map(() => placement), isShared: true }),
  ...(hasColors(colors) ? { colors } : {}),
})

/** Equal for equal placements and colours. */
export const lookOf = ({ placement = {}, colors = {} }: Pick<MockupWork, 'placement' | 'colors'>): string =>
  JSON.stringify([placement, Object.entries(colors).toSorted(([a], [b]) => (a < b ? -1 : 1))])

/** One artwork in one scene. */
export type Cell = { readonly artwork: File; readonly template: DashboardTemplate }

/** Every cell at every size. `artworks`: all chosen, so that their names differ. */
export function planMockups(
  artworks: readonly File[],
  cells: readonly Cell[],
  { sizes, format, namePattern }: TraySettings,
  { placing, colors }: Pick<SavedGallery, 'placing' | 'colors'>,
  looks: ArtworkLooks,
): PlannedMockup[] {
  const stems = artworkStems(artworks)
  const chosen = channelSizes.filter(({ id }) => sizes.includes(id))
  const planned = cells.flatMap(({ artwork, template }) => {
    const { id, version, imported_at } = template
    const placement = galleryPlacementOf(placing, template, looks.get(artwork)?.isClear)
    const color = colors[id] ?? {}
    const work = { artworks: [artwork], ...workInScene(template, placement, color) }
    const stem = stems[artworks.indexOf(artwork)] ?? 'artwork'
    return chosen.map(size => ({
      tile: tileName(id, artwork),
      template: { id, version, imported_at },
      work: { ...work, output: { format, widthPx: size.widthPx, quality: QUALITY } },
      size: size.label,
      named: { artwork: stem, template: id, size: size.id, width: String(size.widthPx) },
    }))
  })
  const { extension } = outputFormats[format]
  const names = nameMockups(
    namePattern,
    planned.map(({ named }) => named),
    extension,
  )
  return planned.map(({ named, ...mockup }, index) => ({
    ...mockup,
    name: names[index] ?? `${named.template}.${extension}`,
  }))
}
