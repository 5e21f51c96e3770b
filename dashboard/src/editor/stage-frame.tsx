/** A frame on the photo: its outline moves it as a whole, its corners move separately. */
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import type { Point } from './draft.ts'
import { isConvex, movedQuad, type Quad } from './quad.ts'
import { Handle, IS_POINTER_COARSE, keyStep, type ScenePoint } from './stage-handle.tsx'

const cornerNames = ['Top left', 'Top right', 'Bottom right', 'Bottom left'] as const
/** CSS pixels: a click that selects a frame does not move it. */
const DRAG_BEGINS_PX = 4
/** CSS pixels. */
export const HANDLE_RADIUS_PX = IS_POINTER_COARSE ? 14 : 9

export type FrameActions = {
  readonly onSelect: (frameId: string) => void
  readonly onCorners: (frameId: string, corners: Quad, gesture: string) => void
  readonly onRemove: (frameId: string) => void
}

export type StageFrameProps = {
  frame: { readonly id: string; readonly corners: Quad }
  /** From 1. */
  number: number
  isSelected: boolean
  /** Whether it can be dragged: not while something is drawn. */
  isFree: boolean
  /** CSS pixels per scene pixel. */
  scale: number
  scene: { readonly widthPx: number; readonly heightPx: number }
  scenePoint: ScenePoint
  onActive: (point: Point | null) => void
  actions: FrameActions
}

/** The corners lie above every frame's body, so that all can be reached. */
export function FrameHandles({ frame, number, scale, scenePoint, onActive, actions }: StageFrameProps) {
  const { id, corners } = frame
  return corners.map((corner, which) => (
    <Handle
      key={cornerNames[which]}
      label={`${cornerNames[which]} corner of frame ${number}`}
      corner={corner}
      radius={HANDLE_RADIUS_PX / scale}
      scenePoint={scenePoint}
      onActive={onActive}
      onFocus={() => actions.onSelect(id)}
      onMove={(point, gesture) => actions.onCorners(id, withCorner(corners, which, point), `${id}:${which}:${gesture}`)}
      onRemove={() => actions.onRemove(id)}
    />
  ))
}

/** The outline of a frame. */
export function StageFrame(props: StageFrameProps) {
  return (
    <g className={props.isSelected ? 'frame frame-selected' : 'frame'}>
      <FrameBody {...props} />
    </g>
  )
}

function FrameBody({ frame, number, isSelected, isFree, scale, scene, scenePoint, actions }: StageFrameProps) {
  const { id, corners } = frame
  const drag = useRef<{ pointerId: number; gesture: string; from: Point; corners: Quad; isMoving: boolean } | null>(
    null,
  )
  const down = (event: PointerEvent<SVGPolygonElement>) => {
    if (event.button !== 0 || drag.current !== null) return
    actions.onSelect(id)
    // A touch on another frame may be scrolling the picture.
    if (event.pointerType === 'touch' && !isSelected) return
    event.stopPropagation()
    const { pointerId } = event
    event.currentTarget.setPointerCapture(pointerId)
    drag.current = { pointerId, gesture: crypto.randomUUID(), from: scenePoint(event), corners, isMoving: false }
  }
  const move = (event: PointerEvent<SVGPolygonElement>) => {
    if (drag.current?.pointerId !== event.pointerId) return
    const [x, y] = scenePoint(event)
    const by: Point = [x - drag.current.from[0], y - drag.current.from[1]]
    drag.current.isMoving ||= Math.hypot(...by) * scale > DRAG_BEGINS_PX
    if (!drag.current.isMoving) return
    const quad = movedQuad(drag.current.corners, by, scene.widthPx, scene.heightPx)
    actions.onCorners(id, quad, `${id}:all:${drag.current.gesture}`)
  }
  const end = ({ pointerId }: PointerEvent<SVGPolygonElement>) => {
    if (drag.current?.pointerId === pointerId) drag.current = null
  }
  const key = (event: KeyboardEvent<SVGPolygonElement>) => {
    if (event.key === 'Delete') {
      actions.onRemove(id)
      return
    }
    const step = keyStep(event)
    if (step !== null) actions.onCorners(id, movedQuad(corners, step, scene.widthPx, scene.heightPx), `${id}:all:keys`)
  }
  const look = isConvex(corners) ? 'frame-body' : 'frame-body frame-crossed'
  if (!isFree) return <polygon points={pointsOf(corners)} className={look} />
  const [left, top] = corners[0]
  return (
    <polygon
      points={pointsOf(corners)}
      className={look}
      tabIndex={0}
      role="slider"
      aria-label={`Frame ${number} as a whole`}
      aria-valuenow={Math.round(left * 10) / 10}
      aria-valuetext={`${left.toFixed(1)}, ${top.toFixed(1)}`}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onLostPointerCapture={end}
      onKeyDown={key}
      onFocus={() => actions.onSelect(id)}
    />
  )
}

export const pointsOf = (points: readonly Point[]): string => points.map(point => point.join(',')).join(' ')

function withCorner([a, b, c, d]: Quad, which: number, point: Point): Quad {
  return [which === 0 ? point : a, which === 1 ? point : b, which === 2 ? point : c, which === 3 ? point : d]
}
