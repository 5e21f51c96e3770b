/** The two views of the gallery: a grid of scenes for one artwork, or a row of scenes for each artwork. */
import type { DashboardTemplate } from '@vitrine/contract'
import { type CSSProperties, createContext, type KeyboardEvent, memo, use, useRef, useState } from 'react'
import type { ProductColors } from '../coloring/product-colors.ts'
import { Button } from '../components/controls.tsx'
import { type TabStop, useTabStop } from '../components/use-tab-stop.ts'
import type { ArtworkSize } from '../scenes/scene-facts.ts'
import { useArtworkSize } from '../scenes/use-artwork-size.ts'
import { ratioOf, useMasonry } from '../scenes/use-masonry.ts'
import { useIsRetained, useNearness } from '../scenes/use-scene.ts'
import type { GalleryColors } from '../visit/gallery-address.ts'
import {
  type GalleryPlacing,
  type GalleryPlacingAction,
  galleryPlacementOf,
  hasOwn,
  nothingPlaced,
} from '../visit/gallery-placing.ts'
import { isPicked, type PickedCells, shareOf } from '../visit/picks.ts'
import { GalleryTile } from './gallery-tile.tsx'
import { Strips } from './strips.ts'
import { Tick } from './tick.tsx'

const noColors: ProductColors = {}

/** The side of a square scene in a row, in CSS pixels. Other scenes have about the same area. */
const TILE_PX = 160

/** The placements. Tiles far from the window do not read it, so a moving pointer does not render them. */
export const PlacingContext = createContext<GalleryPlacing>(nothingPlaced)

type RowsProps = {
  templates: readonly DashboardTemplate[]
  colors: GalleryColors
  widthPx: number
  dispatch: (action: GalleryPlacingAction) => void
  picks: ReadonlySet<string>
  pick: (cells: PickedCells) => void
  open: (templateId: string, artwork: File) => void
}

type RowProps = RowsProps & { artwork: File }

type TakeOut = { onTakeOut: ((artwork: File) => void) | undefined }

export const MasonryRow = memo(function MasonryRow(props: RowProps) {
  const masonry = useMasonry(props.templates)
  const tabStop = useTabStop(props.templates)
  const size = useArtworkSize(props.artwork)
  return (
    <ul className="gallery masonry" ref={masonry.ref} style={masonry.style} aria-label="Scenes with your artwork">
      {props.templates.map((template, index) => (
        <RowTile
          key={template.id}
          {...props}
          size={size}
          template={template}
          tabStop={tabStop}
          style={masonry.items[index]}
          isNamed
        />
      ))}
    </ul>
  )
})

/** The contact sheet: a row for each artwork, a column for each scene, scrolled together. */
export function SheetRows({ artworks, ...rows }: RowsProps & TakeOut & { artworks: readonly File[] }) {
  const [strips] = useState(() => new Strips())
  return (
    <section className="sheet" aria-label="Your artworks in the scenes">
      <SheetHead {...rows} artworks={artworks} strips={strips} />
      {artworks.map(artwork => (
        <SheetRow key={artworkKey(artwork)} {...rows} artwork={artwork} strips={strips} />
      ))}
    </section>
  )
}

const artworkKey = ({ name, lastModified, size }: File): string => `${name} ${lastModified} ${size}`

const tileWidth = (template: DashboardTemplate): CSSProperties => ({
  width: `${Math.round(TILE_PX * Math.sqrt(ratioOf(template)))}px`,
})

type SheetHeadProps = RowsProps & { artworks: readonly File[]; strips: Strips }

/** The column headings, which stay visible: each picks its scene for every artwork. */
function SheetHead({ templates, artworks, picks, pick, strips }: SheetHeadProps) {
  const tabStop = useTabStop(templates)
  return (
    <div className="sheet-head">
      <Button className="button-small" aria-label="Scenes to the left" onClick={() => strips.step(-1)}>
        ←
      </Button>
      <ul ref={strips.add} className="sheet-row" aria-label="Scenes for every artwork" onKeyDown={walkTicks}>
        {templates.map(template => {
          const column = { ids: [template.id], artworks }
          return (
            <li key={template.id} style={tileWidth(template)} onFocus={() => tabStop.onFocus(template.id)}>
              <label className="check sheet-tick" title={template.name ?? template.id}>
                <Tick
                  share={shareOf(picks, column)}
                  tabIndex={tabStop.tabIndexOf(template.id)}
                  onChange={() => pick(column)}
                />
                <span className="visually-hidden">Pick for every artwork: </span>
                <span className="sheet-name">{template.name}</span>
              </label>
            </li>
          )
        })}
      </ul>
      <Button className="button-small" aria-label="Scenes to the right" onClick={() => strips.step(1)}>
        →
      </Button>
    </div>
  )
}

function walkTicks(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
  event.preventDefault()
  const ticks = [...event.currentTarget.querySelectorAll('input')]
  const index = ticks.findIndex(tick => tick === document.activeElement)
  ticks[index + (event.key === 'ArrowLeft' ? -1 : 1)]?.focus()
}

/** Renders its scenes when it comes near the window: a sheet may have hundreds of rows. */
function SheetRow(props: RowProps & TakeOut & { strips: Strips }) {
  const { artwork, templates, picks, pick, onTakeOut, strips } = props
  const place = useRef<HTMLDivElement>(null)
  const isNear = useNearness(place) !== null
  const size = useArtworkSize(isNear ? artwork : null)
  const tabStop = useTabStop(templates)
  const row = { ids: templates.map(({ id }) => id), artworks: [artwork] }
  return (
    <div ref={place} className="sheet-part">
      <div className="row gallery-row-name">
        <h2>
          <label className="check">
            <Tick share={shareOf(picks, row)} onChange={() => pick(row)} />
            <span className="visually-hidden">Pick in every scene: </span>
            {artwork.name}
          </label>
        </h2>
        {onTakeOut !== undefined && (
          <Button
            className="button-small gallery-row-remove"
            onClick={() => {
              focusBeside(place.current)
              onTakeOut(artwork)
            }}
          >
            Remove<span className="visually-hidden"> {artwork.name}</span>
          </Button>
        )}
      </div>
      {isNear && (
        <ul ref={strips.add} className="sheet-row" aria-label={artwork.name}>
          {templates.map(template => (
            <RowTile
              key={template.id}
              {...props}
              size={size}
              template={template}
              tabStop={tabStop}
              style={tileWidth(template)}
              isNamed={false}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

/** After an artwork is removed, focuses the same button of the next row, or else of the last. */
function focusBeside(row: HTMLElement | null): void {
  const beside = row?.nextElementSibling ?? row?.previousElementSibling
  beside?.querySelector<HTMLElement>('.gallery-row-remove')?.focus()
}

type RowTileProps = RowProps & {
  template: DashboardTemplate
  size: ArtworkSize | null
  tabStop: TabStop
  style: CSSProperties | undefined
  /** The name is shown below the tile. */
  isNamed: boolean
}

/** Far from the window, a tile keeps the placement it had: a gallery may have hundreds of tiles. */
function RowTile(props: RowTileProps) {
  const { template, artwork, size, colors, widthPx, dispatch, picks, pick, open } = props
  const { tabStop, style, isNamed } = props
  const item = useRef<HTMLLIElement>(null)
  const isRetained = useIsRetained(item)
  const [left, setLeft] = useState<GalleryPlacing | null>(null)
  const placing = isRetained || left === null ? use(PlacingContext) : left
  if (isRetained !== (left === null)) setLeft(isRetained ? null : placing)
  return (
    <li ref={item} style={style} onFocus={() => tabStop.onFocus(template.id)}>
      <GalleryTile
        template={template}
        artwork={artwork}
        size={size}
        placement={galleryPlacementOf(placing, template, size?.isClear)}
        isOwn={hasOwn(placing, template)}
        colors={colors[template.id] ?? noColors}
        widthPx={widthPx}
        tabIndex={tabStop.tabIndexOf(template.id)}
        dispatch={dispatch}
        isPicked={isPicked(picks, template.id, artwork)}
        onPick={pick}
        isNamed={isNamed}
        onOpen={open}
      />
    </li>
  )
}
