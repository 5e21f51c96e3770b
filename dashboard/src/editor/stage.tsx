/** The photo with its frames: moved, drawn and zoomed by pointers and keys, under a magnifier. */
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useObjectUrl } from '../use-object-url.ts'
import { type Draft, type DraftOverlay, type Point, touchedFrames } from './draft.ts'
import { FoundFrames } from './found-frames.tsx'
import { cssBlendMode, LiveArtwork } from './live-artwork.tsx'
import { Magnifier } from './magnifier.tsx'
import { PointCursor } from './point-cursor.tsx'
import type { PolygonActions } from './polygon-actions.ts'
import { type Quad, quadOfBox } from './quad.ts'
import { type ShapeActions, ShapeHandles } from './shape-handles.tsx'
import { type FrameActions, FrameHandles, pointsOf, StageFrame, type StageFrameProps } from './stage-frame.tsx'
import type { ScenePoint } from './stage-handle.tsx'
import { useDrawing } from './use-drawing.ts'
import type { useStageZoom } from './use-stage-zoom.ts'

/** Enough for a stage of 900 CSS pixels on a dense screen. */
const STAGE_PHOTO_WIDTH_PX = 1800
/** The magnifier shows the pixels of what is larger. */
const ZOOMED_PHOTO_WIDTH_MAX_PX = 4096

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
  const surface = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<Point | null>(null)
  const scale = useScale(surface, draft.widthPx)
  const { zoom } = zooming.shown
  const ratio = draft.widthPx / draft.heightPx
  const scenePoint: ScenePoint = event => {
    const box = surface.current?.getBoundingClientRect()
    if (box === undefined || box.width === 0) return [0, 0]
    const perPixel = draft.widthPx / box.width
    return [(event.clientX - box.left) * perPixel, (event.clientY - box.top) * perPixel]
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: buttons above the picture do the same
    <div
      ref={view}
      className={zoom > 1 ? 'stage-view stage-zoomed' : 'stage-view'}
      style={{ aspectRatio: ratio, maxWidth: `calc((100dvh - var(--around-stage)) * ${ratio})` }}
      {...zooming.handlers}
    >
      <div className="stage" ref={surface} style={{ aspectRatio: ratio, width: `${zoom * 100}%` }}>
        <StagePhoto photo={photo} zoom={zoom} />
        {scale > 0 &&
          framesShown.map(frame => (
            <LiveArtwork key={frame.id} frame={frame} draft={draft} scale={scale} sampleUrl={sampleUrl} />
          ))}
        {draft.overlays.map(overlay => (
          <StageOverlay key={overlay.id} overlay={overlay} draft={draft} />
        ))}
        {scale > 0 && <Outlines {...props} scale={scale} scenePoint={scenePoint} onActive={setActive} />}
        {draft.drawing !== null && scale > 0 && (
          <PointCursor
            scene={draft}
            scale={scale}
            count={draft.drawing.points.length}
            polygon={props.polygon}
            onActive={setActive}
          />
        )}
        {active !== null && scale > 0 && found.length === 0 && (
          <Magnifier photo={photo} point={active} scale={scale} view={view.current} />
        )}
      </div>
    </div>
  )
}

/** Areas that may be frames are offered on the bare photo, without the frame that a new draft begins with. */
const shownFrames = (draft: Draft, found: readonly Quad[]) => (found.length > 0 ? touchedFrames(draft) : draft.frames)

/** CSS pixels per scene pixel; 0 until the stage is laid out. */
function useScale(surface: RefObject<HTMLDivElement | null>, widthPx: number): number {
  const [scale, setScale] = useState(0)
  useEffect(() => {
    const element = surface.current
    if (element === null) return
    const observer = new ResizeObserver(() => setScale(element.clientWidth / widthPx))
    observer.observe(element)
    return () => observer.disconnect()
  }, [surface, widthPx])
  return scale
}

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
        frame: { ...frame, corners },
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

type StagePhotoProps = { photo: ImageBitmap; zoom: number }

/** The photo at about the stage's size: a screen's worth of pixels is all that the compositor has to move. */
function StagePhoto({ photo, zoom }: StagePhotoProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const wanted = zoom > 1 ? ZOOMED_PHOTO_WIDTH_MAX_PX : STAGE_PHOTO_WIDTH_PX
  const scale = Math.min(1, wanted / photo.width)
  const [width, height] = [Math.round(photo.width * scale), Math.round(photo.height * scale)]
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (context === null || context === undefined) return
    context.imageSmoothingQuality = 'high'
    context.drawImage(photo, 0, 0, width, height)
  }, [photo, width, height])
  return (
    <canvas
      ref={canvas}
      width={width}
      height={height}
      className="stage-photo"
      role="img"
      aria-label="The photo that becomes the scene"
    />
  )
}

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
