/** One scene of the wall, to be placed in, picked and rendered. */
import { Link } from '@tanstack/react-router'
import type { DashboardTemplate, Placement } from '@vitrine/contract'
import { type Dispatch, memo } from 'react'
import type { ProductColors } from '../coloring/product-colors.ts'
import { download } from '../mockups.ts'
import { LiveTile } from './live-tile.tsx'
import type { TaskState } from './render-runs.ts'
import type { ArtworkSize } from './scene-facts.ts'
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
  task: TaskState | null
}

export const WallTile = memo(function WallTile(props: WallTileProps) {
  const { template, artwork, isOwn, isPicked, onPick, onOpen, task, ...tile } = props
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
        <TaskLine task={task} templateId={template.id} />
      </p>
    </div>
  )
})

function TaskLine({ task, templateId }: { task: TaskState | null; templateId: string }) {
  if (task === null || task.kind === 'waiting') return null
  if (task.kind === 'rendering') return <span className="quiet">Rendering…</span>
  if (task.kind === 'failed') return <span className="field-error">{task.message} Nothing was charged.</span>
  return (
    <button type="button" className="button button-quiet button-small" onClick={() => download(task.blob, templateId)}>
      Download
    </button>
  )
}
