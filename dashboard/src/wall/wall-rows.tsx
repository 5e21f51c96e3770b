/** The two faces of the wall: one artwork in scenes that hang close together, or a row for each artwork. */
import type { DashboardTemplate } from '@vitrine/contract'
import { type CSSProperties, createContext, memo, use, useRef, useState } from 'react'
import type { ProductColors } from '../coloring/product-colors.ts'
import { Button } from '../components/controls.tsx'
import { type TabStop, useTabStop } from '../components/use-tab-stop.ts'
import type { ArtworkSize } from './scene-facts.ts'
import { useArtworkSize } from './use-artwork-size.ts'
import { ratioOf, useMasonry } from './use-masonry.ts'
import { useIsKept, useNearness } from './use-scene.ts'
import type { WallColors } from './wall-address.ts'
import { hasOwn, nothingPlaced, type WallPlacing, type WallPlacingAction, wallPlacementOf } from './wall-placing.ts'
import { WallTile } from './wall-tile.tsx'

const noColors: ProductColors = {}

/** Where artworks lie. Tiles far from the window do not read it: a moving pointer renders none of them. */
export const PlacingContext = createContext<WallPlacing>(nothingPlaced)

type RowsProps = {
  templates: readonly DashboardTemplate[]
  colors: WallColors
  widthPx: number
  dispatch: (action: WallPlacingAction) => void
  picks: readonly string[]
  pick: (templateId: string) => void
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
        />
      ))}
    </ul>
  )
})

/** The contact sheet: artworks are rows, scenes are columns. */
export function SheetRows({ artworks, ...rows }: RowsProps & TakeOut & { artworks: readonly File[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="sheet" aria-label="Your artworks in the scenes" tabIndex={0}>
      {artworks.map(artwork => (
        <SheetRow key={`${artwork.name} ${artwork.lastModified} ${artwork.size}`} {...rows} artwork={artwork} />
      ))}
    </section>
  )
}

/** Its scenes are made when it comes near the window: a sheet may have hundreds of rows. */
function SheetRow(props: RowProps & TakeOut) {
  const { artwork, onTakeOut } = props
  const place = useRef<HTMLDivElement>(null)
  const isNear = useNearness(place) !== null
  const size = useArtworkSize(isNear ? artwork : null)
  const tabStop = useTabStop(props.templates)
  return (
    <div ref={place} className="sheet-part">
      <div className="row wall-row-name">
        <h2>{artwork.name}</h2>
        {onTakeOut !== undefined && (
          <Button
            className="button-small wall-row-remove"
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
        <ul className="sheet-row" aria-label={artwork.name}>
          {props.templates.map(template => (
            <RowTile
              key={template.id}
              {...props}
              size={size}
              template={template}
              tabStop={tabStop}
              style={{ width: `${Math.round(180 * Math.sqrt(ratioOf(template)))}px` }}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

/** The focus goes from an artwork that is taken out to the same button of the next one, else of the last. */
function focusBeside(row: HTMLElement | null): void {
  const beside = row?.nextElementSibling ?? row?.previousElementSibling
  beside?.querySelector<HTMLElement>('.wall-row-remove')?.focus()
}

type RowTileProps = RowProps & {
  template: DashboardTemplate
  size: ArtworkSize | null
  tabStop: TabStop
  style: CSSProperties | undefined
}

/** Far from the window it learns of a moved artwork when it comes near: a wall may have hundreds. */
function RowTile(props: RowTileProps) {
  const { template, artwork, size, colors, widthPx, dispatch, picks, pick, open } = props
  const { tabStop, style } = props
  const item = useRef<HTMLLIElement>(null)
  const isKept = useIsKept(item)
  const [left, setLeft] = useState<WallPlacing | null>(null)
  const placing = isKept || left === null ? use(PlacingContext) : left
  if (isKept !== (left === null)) setLeft(isKept ? null : placing)
  return (
    <li ref={item} style={style} onFocus={() => tabStop.onFocus(template.id)}>
      <WallTile
        template={template}
        artwork={artwork}
        size={size}
        placement={wallPlacementOf(placing, template, size?.isClear)}
        isOwn={hasOwn(placing, template)}
        colors={colors[template.id] ?? noColors}
        widthPx={widthPx}
        tabIndex={tabStop.tabIndexOf(template.id)}
        dispatch={dispatch}
        isPicked={picks.includes(template.id)}
        onPick={pick}
        onOpen={open}
      />
    </li>
  )
}
