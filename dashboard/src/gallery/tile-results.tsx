/** The mockups of a scene that the newest run rendered: thumbnails over the scene; a click downloads one. */
import { useQuery } from '@tanstack/react-query'
import type { DashboardTemplate, Placement } from '@vitrine/contract'
import { showBitmap } from '@vitrine/live'
import { memo, useEffect, useRef } from 'react'
import type { ProductColors } from '../coloring/product-colors.ts'
import type { TabIndex } from '../components/use-tab-stop.ts'
import { useSession } from '../session/session.ts'
import { download } from '../visit/mockups.ts'
import type { RenderTask, TaskState } from '../visit/render-tasks.ts'
import { browserMockupsQuery } from '../visit/saved-work.ts'
import { lookOf, workInScene } from './planned-mockups.ts'
import { useRun } from './run-progress.tsx'

/** The longer side, for twice the size on the page. */
const THUMBNAIL_PX = 112

type TileResultsProps = {
  tile: string
  template: DashboardTemplate
  /** Results for other placements or colours are not shown. */
  placement: Placement
  colors: ProductColors
  tabIndex: TabIndex
}

export const TileResults = memo(function TileResults(props: TileResultsProps) {
  const { tile, template, placement, colors, tabIndex } = props
  const { tasks, states } = useRun()
  if (!tasks.some(task => task.tile === tile)) return null
  const shown = lookOf(workInScene(template, placement, colors))
  const results = tasks.flatMap((task, index) => {
    const state = states[index]
    const isShown = task.tile === tile && lookOf(task.work) === shown
    return isShown && state !== undefined && state.kind !== 'waiting' ? [{ task, state }] : []
  })
  if (results.length === 0) return null
  return (
    <ul className="tile-results" aria-label="Rendered">
      {results.map(({ task, state }) => (
        <li key={task.name}>
          <Result task={task} state={state} tabIndex={tabIndex} />
        </li>
      ))}
    </ul>
  )
})

type ResultProps = { task: RenderTask; state: TaskState; tabIndex: TabIndex }

function Result({ task: { key, name, size }, state, tabIndex }: ResultProps) {
  const { account } = useSession()
  const inBrowser = useQuery(browserMockupsQuery(account.id)).data?.find(
    mockup => mockup.key === key && mockup.name === name,
  )
  if (state.kind === 'failed')
    return (
      <span className="tile-result" title={state.message}>
        {size}: failed, nothing was charged. {state.message}
      </span>
    )
  if (state.kind === 'rendering') return <span className="tile-result">{size}…</span>
  if (state.kind !== 'done' || inBrowser === undefined) return null
  return (
    <button
      type="button"
      className="tile-result"
      tabIndex={tabIndex}
      title={name}
      onClick={() => download(inBrowser.blob, name)}
    >
      <Thumbnail picture={inBrowser.blob} />
      {size}
      <span className="visually-hidden">: download {name}</span>
    </button>
  )
}

/** A thumbnail of a large picture, which is decoded once; only the thumbnail's pixels are retained. */
function Thumbnail({ picture }: { picture: Blob }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    let isLeft = false
    createImageBitmap(picture, { resizeWidth: THUMBNAIL_PX, resizeQuality: 'high' }).then(
      bitmap => {
        const { current } = canvas
        if (isLeft || current === null) bitmap.close()
        else showBitmap(current, bitmap)
      },
      () => undefined,
    )
    return () => {
      isLeft = true
    }
  }, [picture])
  return <canvas ref={canvas} width={THUMBNAIL_PX} height={THUMBNAIL_PX} aria-hidden="true" />
}
