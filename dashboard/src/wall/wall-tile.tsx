/** One scene of the wall, to be placed in, picked and rendered. */
import { Link } from '@tanstack/react-router'
import type { DashboardTemplate, Placement } from '@vitrine/contract'
import { type Dispatch, memo } from 'react'
import type { ProductColors } from '../coloring/product-colors.ts'
import { FavouriteButton } from '../marks/favourite-button.tsx'
import { LiveTile } from './live-tile.tsx'
import { tileName } from './planned-mockups.ts'
import type { ArtworkSize } from './scene-facts.ts'
import { TileResults } from './tile-results.tsx'
import type { WallPlacingAction } from './wall-placing.ts'

type WallTileProps = {
  template: DashboardTemplate
  artwork: File
  size: ArtworkSize | null
  placement: Placement
  isOwn: boolean
  colors: ProductColors
  /** Of the mockups that will be rendered. */
  widthPx: number
  dispatch: Dispatch<WallPlacingAction>
  isPicked: boolean
  onPick: (templateId: string, artwork: File) => void
  onOpen: (templateId: string, artwork: File) => void
}

export const WallTile = memo(function WallTile(props: WallTileProps) {
  const { template, artwork, isOwn, isPicked, onPick, onOpen, ...tile } = props
  return (
    <div className={isPicked ? 'tile tile-picked' : 'tile'}>
      <LiveTile
        {...tile}
        template={template}
        artwork={artwork}
        keysHelp="Enter opens it, Space picks it."
        onMark={id => onPick(id, artwork)}
        onOpen={id => onOpen(id, artwork)}
      >
        <label className="tile-pick">
          <input type="checkbox" checked={isPicked} onChange={() => onPick(template.id, artwork)} />
          <span className="visually-hidden">Pick {template.name}</span>
        </label>
        <TileResults tile={tileName(template.id, artwork)} />
      </LiveTile>
      <p className="tile-name">
        <Link to="/templates/$id" params={{ id: template.id }}>
          {template.name}
        </Link>
        {isOwn && (
          <span className="tile-own" title="Placed by itself; 0 puts it with the others again">
            <span className="visually-hidden">, placed by itself</span>
          </span>
        )}
        <FavouriteButton template={template} />
      </p>
    </div>
  )
})
