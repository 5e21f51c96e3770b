/** The photo with its frames: moved, drawn and zoomed by pointers and keys, under a magnifier. */
import type { RefObject } from 'react'
import { announceUnseen } from '../components/announcer.tsx'
import { useObjectUrl } from '../use-object-url.ts'
import { type Draft, type DraftOverlay, type Point, touchedFrames } from './draft.ts'
import { FoundFrames } from './found-frames.tsx'
import { cssBlendMode, LiveArtwork } from './live-artwork.tsx'
import { PointCursor } from './point-cursor.tsx'
import type { PolygonActions } from './polygon-actions.ts'
import { type Quad, quadOfBox } from './quad.ts'
import { type ShapeActions, ShapeHandles } from './shape-handles.tsx'
import { type FrameActions, FrameHandles, pointsOf, StageFrame, type StageFrameProps } from './stage-frame.tsx'
import type { ScenePoint } from './stage-handle.tsx'
import { StageView } from './stage-view.tsx'
import { useDrawing } from './use-drawing.ts'
import type { useStageZoom } from './use-stage-zoom.ts'

type StageProps = {
  draft: Draft
  photo: ImageBitmap
  sampleUrl: string
  selected: string | null
  view: RefObject<HTMLDivElement | null>
  zooming: ReturnType<typeof useStageZoom>
  frameActions: FrameActions
  shapeActions: ShapeActions
  polygon: PolygonActions
  /** Areas of the photo that may be frames, while they are offered. */
  found: readonly Quad[]
  onTake: (quad: Quad) => void
}

export function Stage(props: StageProps) {
  const { draft, photo, sampleUrl, view, zooming, found } = props
  const framesShown = shownFrames(draft, found)
  const setCount = draft.drawing?.points.length ?? 0
  return (
    <StageView scene={draft} photo={photo} view={view} zooming={zooming} isMagnified={found.length === 0}>
      {({ scale, scenePoint, onActive }) => (
        <>
          {framesShown.map(frame => (
            <LiveArtwork key={frame.id} frame={frame} draft={draft} scale={scale} sampleUrl={sampleUrl} />
          ))}
          {draft.overlays.map(overlay => (
            <StageOverlay key={overlay.id} overlay={overlay} draft={draft} />
          ))}
          <Outlines {...props} scale={scale} scenePoint={scenePoint} onActive={onActive} />
          {draft.drawing !== null && (
            <PointCursor
              scene={draft}
              scale={scale}
              label="Point to set: arrow keys move it, Enter sets it, Control and Enter finish"
              words={`${setCount} points set`}
              {...props.polygon}
              onPoint={point => {
                props.polygon.onPoint(point)
                announceUnseen(`Point ${setCount + 1} at ${point[0].toFixed(1)}, ${point[1].toFixed(1)}.`)
              }}
              onActive={onActive}
            />
          )}
        </>
      )}
    </StageView>
  )
}

/** Areas that may be frames are offered on the bare photo, without the frame that a new draft begins with. */
const shownFrames = (draft: Draft, found: readonly Quad[]) => (found.length > 0 ? touchedFrames(draft) : draft.frames)

type OutlinesProps = StageProps & {
  scale: number
  scenePoint: ScenePoint
  onActive: (point: Point | null) => void
}

/** What is drawn over the photo: frames, shapes, what is being drawn, and what was found. */
function Outlines(props: OutlinesProps) {
  const { draft, selected, scale, scenePoint, onActive, frameActions, shapeActions, polygon, found, onTake } = props
  const { drawing } = draft
  const { box, handlers } = useDrawing({ drawing, scale, scenePoint, polygon })
  const isFree = drawing === null && found.length === 0
  const framesShown = shownFrames(draft, found)
  const frames = draft.frames.flatMap((frame, index): StageFrameProps[] => {
    const { corners } = frame
    if (corners === null || !framesShown.includes(frame)) return []
    return [
      {
        frame: { id: frame.id, corners },
        number: index + 1,
        isSelected: frame.id === selected,
        isFree,
        scale,
        scene: draft,
        scenePoint,
        onActive,
        actions: frameActions,
      },
    ]
  })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: points are set by keyboard too, see PointCursor
    <svg
      viewBox={`0 0 ${draft.widthPx} ${draft.heightPx}`}
      role="group"
      aria-label="Frames on the photo"
      className={drawing === null ? '' : 'stage-drawing'}
      {...handlers}
    >
      {frames.map(frame => (
        <StageFrame key={frame.frame.id} {...frame} />
      ))}
      {drawing !== null && <polyline className={drawingClass(drawing)} points={pointsOf(drawing.points)} />}
      {drawing?.points.map(([x, y]) => (
        <circle key={`${x} ${y}`} className="mask-point" cx={x} cy={y} r={4 / scale} />
      ))}
      {box !== null && <polygon className="new-frame" points={pointsOf(quadOfBox(...box))} />}
      {isFree && frames.map(frame => <FrameHandles key={frame.frame.id} {...frame} />)}
      <ShapeHandles {...{ draft, selected, isFree, scale, scenePoint, onActive }} actions={shapeActions} />
      <FoundFrames found={found} onTake={onTake} />
    </svg>
  )
}

const drawingClass = ({ frameId }: NonNullable<Draft['drawing']>): string =>
  frameId === null ? 'new-frame' : 'mask-polygon'

/** Over the whole photo, or over the part that its bundle names, as shares of the photo. */
function StageOverlay({ overlay, draft }: { overlay: DraftOverlay; draft: Draft }) {
  const { layer, opacity, blendingMode, picture } = overlay
  const url = useObjectUrl(picture)
  if (url === null) return null
  const [x, y, width, height] =
    layer === null || typeof layer === 'string' ? [0, 0, draft.widthPx, draft.heightPx] : layer.region
  const share = (length: number, whole: number) => `${(length / whole) * 100}%`
  return (
    <img
      src={url}
      alt=""
      className="stage-frame"
      style={{
        left: share(x, draft.widthPx),
        top: share(y, draft.heightPx),
        width: share(width, draft.widthPx),
        height: share(height, draft.heightPx),
        opacity,
        mixBlendMode: cssBlendMode(blendingMode),
      }}
    />
  )
}
