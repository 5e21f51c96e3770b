/** One scene of the gallery, in which artwork is placed, and which is picked and rendered. */
import { Link } from '@tanstack/react-router'
import type { DashboardTemplate, Placement } from '@vitrine/contract'
import { type Dispatch, memo } from 'react'
import type { ProductColors } from '../coloring/product-colors.ts'
import { TemplatePicture } from '../components/template-picture.tsx'
import type { TabIndex } from '../components/use-tab-stop.ts'
import { FavouriteButton } from '../marks/favourite-button.tsx'
import { LiveTile } from '../scenes/live-tile.tsx'
import type { ArtworkSize } from '../scenes/scene-facts.ts'
import type { GalleryPlacingAction } from '../visit/gallery-placing.ts'
import type { PickedCells } from '../visit/picks.ts'
import { tileName } from './planned-mockups.ts'
import { TileResults } from './tile-results.tsx'

type GalleryTileProps = {
  template: DashboardTemplate
  artwork: File
  size: ArtworkSize | null
  placement: Placement
  isOwn: boolean
  colors: ProductColors
  /** The width of the mockups to render. */
  widthPx: number
  tabIndex: TabIndex
  dispatch: Dispatch<GalleryPlacingAction>
  /** The name is shown below the tile. */
  isNamed: boolean
  isPicked: boolean
  onPick: (cells: PickedCells) => void
  onOpen: (templateId: string, artwork: File) => void
}

export const GalleryTile = memo(function GalleryTile(props: GalleryTileProps) {
  const { template, artwork, tabIndex, isOwn, isNamed, isPicked, onPick, onOpen, ...tile } = props
  const pickIt = () => onPick({ ids: [template.id], artworks: [artwork] })
  return (
    <div className={isPicked ? 'tile tile-picked' : 'tile'}>
      <LiveTile
        {...tile}
        template={template}
        artwork={artwork}
        below={<TemplatePicture template={template} alt="" lazy />}
        tabIndex={tabIndex}
        keysHelp="Enter opens it, Space picks it, arrow keys go to other scenes."
        onMark={pickIt}
        onOpen={id => onOpen(id, artwork)}
      >
        <label className="tile-pick">
          <input type="checkbox" tabIndex={tabIndex} checked={isPicked} onChange={pickIt} />
          <span className="visually-hidden">Pick {template.name}</span>
        </label>
        <TileResults {...tile} tile={tileName(template.id, artwork)} template={template} tabIndex={tabIndex} />
      </LiveTile>
      {isNamed && <TileName template={template} isOwn={isOwn} tabIndex={tabIndex} />}
    </div>
  )
})

type TileNameProps = Pick<GalleryTileProps, 'template' | 'isOwn' | 'tabIndex'>

const TileName = memo(function TileName({ template, isOwn, tabIndex }: TileNameProps) {
  return (
    <p className="tile-name">
      <Link to="/templates/$id" params={{ id: template.id }} tabIndex={tabIndex}>
        {template.name}
      </Link>
      {isOwn && (
        <span className="tile-own" title="Placed separately; 0 places it with the others again">
          <span className="visually-hidden">, placed separately</span>
        </span>
      )}
      <FavouriteButton template={template} tabIndex={tabIndex} />
    </p>
  )
})
