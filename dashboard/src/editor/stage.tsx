/** The photo with its frames: corners are dragged or moved by arrow keys, under a magnifier. */
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { announceUnseen } from '../components/announcer.tsx'
import { useObjectUrl } from '../use-object-url.ts'
import type { Draft, DraftOverlay, Point } from './draft.ts'
import { cssBlendMode, LiveArtwork } from './live-artwork.tsx'
import { Magnifier } from './magnifier.tsx'
import { isConvex, type Quad } from './quad.ts'

const cornerNames = ['Top left', 'Top right', 'Bottom right', 'Bottom left'] as const
const arrowSteps: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
/** Enough for a stage of 900 CSS pixels on a dense screen. */
const STAGE_PHOTO_WIDTH_PX = 1800

export type PolygonActions = {
  readonly onPoint: (point: Point) => void
  readonly onUndoPoint: () => void
  readonly onFinish: () => void
  readonly onCancel: () => void
}

type StageProps = {
  draft: Draft
  photo: ImageBitmap
  sampleUrl: string
  selected: string | null
  onSelect: (frameId: string) => void
  onCorners: (frameId: string, corners: Quad, gesture: string) => void
  polygon: PolygonActions
}

export function Stage({ draft, photo, sampleUrl, selected, onSelect, onCorners, polygon }: StageProps) {
  const svg = useRef<SVGSVGElement>(null)
  const surface = useRef<HTMLDivElement>(null)
  const [scale, setScale] = useState(0)
  const [active, setActive] = useState<Point | null>(null)
  const { drawing } = draft
  useEffect(() => {
    const element = surface.current
    if (element === null) return
    const observer = new ResizeObserver(() => setScale(element.clientWidth / draft.widthPx))
    observer.observe(element)
    return () => observer.disconnect()
  }, [draft.widthPx])

  /** Where a pointer is, in scene pixels. */
  const scenePoint = (event: { clientX: number; clientY: number }): Point => {
    const box = surface.current?.getBoundingClientRect()
    if (box === undefined || box.width === 0) return [0, 0]
    const perPixel = draft.widthPx / box.width
    return [(event.clientX - box.left) * perPixel, (event.clientY - box.top) * perPixel]
  }
  return (
    <div
      className="stage"
      ref={surface}
      style={{
        aspectRatio: `${draft.widthPx} / ${draft.heightPx}`,
        maxWidth: `calc((100dvh - 48px) * ${draft.widthPx / draft.heightPx})`,
      }}
    >
      <StagePhoto photo={photo} />
      {scale > 0 &&
        draft.frames.map(frame => (
          <LiveArtwork key={frame.id} frame={frame} draft={draft} scale={scale} sampleUrl={sampleUrl} />
        ))}
      {draft.overlays.map(overlay => (
        <StageOverlay key={overlay.id} overlay={overlay} draft={draft} />
      ))}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the points are set by keyboard too, see PolygonCursor */}
      <svg
        ref={svg}
        viewBox={`0 0 ${draft.widthPx} ${draft.heightPx}`}
        role="group"
        aria-label="Frames on the photo"
        className={drawing === null ? '' : 'stage-drawing'}
        onPointerDown={event => {
          if (drawing !== null) polygon.onPoint(scenePoint(event))
        }}
      >
        {draft.frames.map((frame, index) => (
          <g key={frame.id} className={frame.id === selected ? 'frame frame-selected' : 'frame'}>
            {frame.corners !== null && (
              <polygon
                points={pointsOf(frame.corners)}
                className={isConvex(frame.corners) ? '' : 'frame-crossed'}
                onPointerDown={() => drawing === null && onSelect(frame.id)}
              />
            )}
            {frame.id === selected &&
              frame.mask.kind === 'drawn' &&
              frame.mask.polygons.map(points => (
                <polygon key={points.join(' ')} className="mask-polygon" points={pointsOf(points)} />
              ))}
            {drawing === null && frame.corners !== null && (
              <Handles
                frameId={frame.id}
                frameNumber={index + 1}
                corners={frame.corners}
                radius={scale > 0 ? 9 / scale : 9}
                scenePoint={scenePoint}
                onActive={setActive}
                onSelect={onSelect}
                onCorners={onCorners}
              />
            )}
          </g>
        ))}
        {draft.areas
          .filter(({ id }) => id === selected)
          .flatMap(({ mask }) => (mask.kind === 'drawn' ? mask.polygons : []))
          .map(points => (
            <polygon key={points.join(' ')} className="mask-polygon" points={pointsOf(points)} />
          ))}
        {drawing !== null && (
          <>
            <polyline className="mask-polygon" points={pointsOf(drawing.points)} />
            {drawing.points.map(([x, y]) => (
              <circle key={`${x} ${y}`} className="mask-point" cx={x} cy={y} r={scale > 0 ? 4 / scale : 4} />
            ))}
          </>
        )}
      </svg>
      {drawing !== null && scale > 0 && (
        <PolygonCursor
          draft={draft}
          scale={scale}
          count={drawing.points.length}
          polygon={polygon}
          onActive={setActive}
        />
      )}
      {active !== null && scale > 0 && <Magnifier photo={photo} point={active} scale={scale} />}
    </div>
  )
}

const pointsOf = (points: readonly Point[]): string => points.map(point => point.join(',')).join(' ')

function withCorner([a, b, c, d]: Quad, which: number, point: Point): Quad {
  return [which === 0 ? point : a, which === 1 ? point : b, which === 2 ? point : c, which === 3 ? point : d]
}

/** The photo at about the stage's size: a screen's worth of pixels is all that the compositor has to move. */
function StagePhoto({ photo }: { photo: ImageBitmap }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const scale = Math.min(1, STAGE_PHOTO_WIDTH_PX / photo.width)
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

type HandlesProps = Pick<HandleProps, 'radius' | 'scenePoint' | 'onActive'> &
  Pick<StageProps, 'onSelect' | 'onCorners'> & { frameId: string; frameNumber: number; corners: Quad }

function Handles({ frameId, frameNumber, corners, onSelect, onCorners, ...handle }: HandlesProps) {
  return corners.map((corner, which) => (
    <Handle
      key={cornerNames[which]}
      label={`${cornerNames[which]} corner of frame ${frameNumber}`}
      corner={corner}
      onFocus={() => onSelect(frameId)}
      onMove={(point, gesture) =>
        onCorners(frameId, withCorner(corners, which, point), `${frameId}:${which}:${gesture}`)
      }
      {...handle}
    />
  ))
}

type HandleProps = {
  label: string
  corner: Point
  radius: number
  scenePoint: (event: { clientX: number; clientY: number }) => Point
  onActive: (point: Point | null) => void
  onFocus: () => void
  onMove: (point: Point, gesture: string) => void
}

/** By a pixel, with Shift by ten, with Alt by a tenth. */
function keyStep(event: KeyboardEvent): Point | null {
  const step = arrowSteps[event.key]
  if (step === undefined) return null
  event.preventDefault()
  const size = event.altKey ? 0.1 : event.shiftKey ? 10 : 1
  return [step[0] * size, step[1] * size]
}

/** One corner: dragged with a pointer, or moved with the arrow keys. */
function Handle({ label, corner, radius, scenePoint, onActive, onFocus, onMove }: HandleProps) {
  const drag = useRef<{ gesture: string; offset: Point } | null>(null)
  const down = (event: PointerEvent<SVGCircleElement>) => {
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    const [x, y] = scenePoint(event)
    drag.current = { gesture: crypto.randomUUID(), offset: [corner[0] - x, corner[1] - y] }
    onActive(corner)
  }
  const move = (event: PointerEvent<SVGCircleElement>) => {
    if (drag.current === null) return
    const [x, y] = scenePoint(event)
    const point: Point = [x + drag.current.offset[0], y + drag.current.offset[1]]
    onActive(point)
    onMove(point, drag.current.gesture)
  }
  const up = () => {
    drag.current = null
    onActive(null)
  }
  const key = (event: KeyboardEvent<SVGCircleElement>) => {
    const step = keyStep(event)
    if (step === null) return
    const point: Point = [corner[0] + step[0], corner[1] + step[1]]
    onActive(point)
    onMove(point, 'keys')
  }
  return (
    <circle
      className="handle"
      cx={corner[0]}
      cy={corner[1]}
      r={radius}
      tabIndex={0}
      role="slider"
      aria-label={label}
      aria-valuenow={Math.round(corner[0] * 10) / 10}
      aria-valuetext={`${corner[0].toFixed(1)}, ${corner[1].toFixed(1)}`}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onKeyDown={key}
      onFocus={onFocus}
      onBlur={() => onActive(null)}
    />
  )
}

type PolygonCursorProps = {
  draft: Draft
  scale: number
  count: number
  polygon: PolygonActions
  onActive: (point: Point | null) => void
}

/** Drawing a mask by keyboard: arrow keys move a cross, Enter sets a point. */
function PolygonCursor({ draft, scale, count, polygon, onActive }: PolygonCursorProps) {
  const [point, setPoint] = useState<Point>([Math.round(draft.widthPx / 2), Math.round(draft.heightPx / 2)])
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => element.current?.focus({ preventScroll: true }), [])
  const key = (event: KeyboardEvent) => {
    const step = keyStep(event)
    if (step !== null) {
      const next: Point = [
        Math.max(0, Math.min(draft.widthPx, point[0] + step[0])),
        Math.max(0, Math.min(draft.heightPx, point[1] + step[1])),
      ]
      setPoint(next)
      onActive(next)
      return
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) polygon.onFinish()
    else if (event.key === 'Enter' || event.key === ' ') {
      polygon.onPoint(point)
      announceUnseen(`Point ${count + 1} at ${point[0].toFixed(1)}, ${point[1].toFixed(1)}.`)
    } else if (event.key === 'Backspace') polygon.onUndoPoint()
    else if (event.key === 'Escape') polygon.onCancel()
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={element}
      className="polygon-cursor"
      tabIndex={0}
      role="slider"
      aria-label="Point to set: arrow keys move it, Enter sets it, Control and Enter finish"
      aria-valuenow={Math.round(point[0])}
      aria-valuetext={`${point[0].toFixed(1)}, ${point[1].toFixed(1)}; ${count} points set`}
      style={{ transform: `translate(${point[0] * scale}px, ${point[1] * scale}px)` }}
      onKeyDown={key}
      onBlur={() => onActive(null)}
    />
  )
}
