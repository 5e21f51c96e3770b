/** The photo with its frames on it: corners that are dragged, moved by arrow keys, looked at through a magnifier. */
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { type Draft, type DraftFrame, type Point, ratioOf } from './draft.ts'
import { cssTransformToQuad, isConvex, type Quad } from './quad.ts'

const cornerNames = ['Top left', 'Top right', 'Bottom right', 'Bottom left'] as const
const arrowSteps: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
const magnification = 6
const magnifierPx = 144

/** Blend modes that CSS knows by the same name and formula; the others are shown as normal while dragging. */
const cssBlendModes = new Set(
  'normal multiply screen overlay darken lighten color-dodge color-burn hard-light soft-light difference exclusion hue saturation color luminosity'.split(
    ' ',
  ),
)

type StageProps = {
  draft: Draft
  photoUrl: string
  sampleUrl: string | null
  selected: string | null
  /** Drawing a polygon around something in front of the selected frame. */
  drawing: readonly Point[] | null
  onSelect: (frameId: string) => void
  onCorners: (frameId: string, corners: Quad, gesture: string) => void
  onDraw: (point: Point) => void
}

export function Stage({ draft, photoUrl, sampleUrl, selected, drawing, onSelect, onCorners, onDraw }: StageProps) {
  const svg = useRef<SVGSVGElement>(null)
  const surface = useRef<HTMLDivElement>(null)
  const [scale, setScale] = useState(0)
  const [active, setActive] = useState<Point | null>(null)
  useEffect(() => {
    const element = surface.current
    if (element === null) return
    const observer = new ResizeObserver(() => setScale(element.clientWidth / draft.widthPx))
    observer.observe(element)
    return () => observer.disconnect()
  }, [draft.widthPx])

  /** Where a pointer is, in scene pixels. */
  const scenePoint = (event: { clientX: number; clientY: number }): Point => {
    const matrix = svg.current?.getScreenCTM()
    if (matrix === null || matrix === undefined) return [0, 0]
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse())
    return [x, y]
  }
  return (
    <div className="stage" ref={surface} style={{ aspectRatio: `${draft.widthPx} / ${draft.heightPx}` }}>
      <img src={photoUrl} alt="The photo that becomes the scene" draggable={false} />
      {sampleUrl !== null &&
        scale > 0 &&
        draft.frames.map(frame => (
          <LiveArtwork key={frame.id} frame={frame} draft={draft} scale={scale} sampleUrl={sampleUrl} />
        ))}
      <svg
        ref={svg}
        viewBox={`0 0 ${draft.widthPx} ${draft.heightPx}`}
        role="group"
        aria-label="Frames"
        className={drawing === null ? '' : 'stage-drawing'}
        onPointerDown={event => {
          if (drawing !== null) onDraw(scenePoint(event))
        }}
      >
        {draft.frames.map((frame, index) => (
          <g key={frame.id} className={frame.id === selected ? 'frame frame-selected' : 'frame'}>
            <polygon
              points={frame.corners.map(corner => corner.join(',')).join(' ')}
              className={isConvex(frame.corners) ? '' : 'frame-crossed'}
              onPointerDown={() => drawing === null && onSelect(frame.id)}
            />
            {frame.mask.kind === 'polygons' &&
              frame.mask.polygons.map(polygon => (
                <polygon
                  key={polygon.join(' ')}
                  className="mask-polygon"
                  points={polygon.map(point => point.join(',')).join(' ')}
                />
              ))}
            {drawing === null &&
              frame.corners.map((corner, which) => (
                <Handle
                  key={cornerNames[which]}
                  label={`${cornerNames[which]} corner of frame ${index + 1}`}
                  corner={corner}
                  radius={scale > 0 ? 9 / scale : 9}
                  scenePoint={scenePoint}
                  onActive={setActive}
                  onMove={(point, gesture) => {
                    onSelect(frame.id)
                    onCorners(frame.id, withCorner(frame.corners, which, point), `${frame.id}:${which}:${gesture}`)
                  }}
                />
              ))}
          </g>
        ))}
        {drawing !== null && drawing.length > 0 && (
          <polyline className="mask-polygon" points={drawing.map(point => point.join(',')).join(' ')} />
        )}
      </svg>
      {active !== null && scale > 0 && <Magnifier draft={draft} photoUrl={photoUrl} point={active} scale={scale} />}
    </div>
  )
}

function withCorner(quad: Quad, which: number, point: Point): Quad {
  const [a, b, c, d] = quad
  return [which === 0 ? point : a, which === 1 ? point : b, which === 2 ? point : c, which === 3 ? point : d]
}

/** The sample artwork in its frame, warped by the compositor: as fast as the screen. The exact picture is the preview's. */
function LiveArtwork({
  frame,
  draft,
  scale,
  sampleUrl,
}: {
  frame: DraftFrame
  draft: Draft
  scale: number
  sampleUrl: string
}) {
  if (!isConvex(frame.corners)) return null
  const ratio = ratioOf(frame, draft)
  const [widthPx, heightPx] = [600 * Math.sqrt(ratio), 600 / Math.sqrt(ratio)]
  const [a, b, c, d] = frame.corners.map(([x, y]): Point => [x * scale, y * scale])
  if (a === undefined || b === undefined || c === undefined || d === undefined) return null
  return (
    <img
      src={sampleUrl}
      alt=""
      draggable={false}
      className="stage-artwork"
      style={{
        width: widthPx,
        height: heightPx,
        transform: cssTransformToQuad([a, b, c, d], widthPx, heightPx),
        opacity: frame.opacity,
        mixBlendMode: cssBlendModes.has(draft.blendingMode) ? (draft.blendingMode as 'normal') : 'normal',
      }}
    />
  )
}

type HandleProps = {
  label: string
  corner: Point
  radius: number
  scenePoint: (event: { clientX: number; clientY: number }) => Point
  onActive: (point: Point | null) => void
  onMove: (point: Point, gesture: string) => void
}

/** One corner: dragged with a pointer, or moved by a pixel (with Shift by ten, with Alt by a tenth) with the arrow keys. */
function Handle({ label, corner, radius, scenePoint, onActive, onMove }: HandleProps) {
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
    const step = arrowSteps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const size = event.altKey ? 0.1 : event.shiftKey ? 10 : 1
    const point: Point = [corner[0] + step[0] * size, corner[1] + step[1] * size]
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
      onBlur={() => onActive(null)}
    />
  )
}

/** The photo around a corner, enlarged, with the exact point in its middle. */
function Magnifier({ draft, photoUrl, point, scale }: { draft: Draft; photoUrl: string; point: Point; scale: number }) {
  const zoom = magnification * scale
  const [left, top] = [point[0] * scale, point[1] * scale]
  // Beside the corner, on the side that has room.
  const x = left > magnifierPx + 40 ? left - magnifierPx - 24 : left + 24
  const y = top > magnifierPx + 40 ? top - magnifierPx - 24 : top + 24
  return (
    <div
      className="magnifier"
      aria-hidden="true"
      style={{
        width: magnifierPx,
        height: magnifierPx,
        transform: `translate(${x}px, ${y}px)`,
        backgroundImage: `url("${photoUrl}")`,
        backgroundSize: `${draft.widthPx * zoom}px ${draft.heightPx * zoom}px`,
        backgroundPosition: `${magnifierPx / 2 - point[0] * zoom}px ${magnifierPx / 2 - point[1] * zoom}px`,
      }}
    />
  )
}
