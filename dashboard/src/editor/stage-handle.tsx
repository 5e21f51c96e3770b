/** One point on the photo: dragged with a pointer, with Alt a tenth as far, or moved with the arrow keys. */
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import type { Point } from './draft.ts'

/** Of a step: by keys and by pointers, while Alt is held. */
const FINE_STEP = 0.1

const arrowSteps: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** By a pixel, with Shift by ten, with Alt by a tenth. */
export function keyStep(event: KeyboardEvent): Point | null {
  const step = arrowSteps[event.key]
  if (step === undefined) return null
  event.preventDefault()
  const size = event.altKey ? FINE_STEP : event.shiftKey ? 10 : 1
  return [step[0] * size, step[1] * size]
}

/** The position of a pointer, in scene pixels. */
export type ScenePoint = (event: { readonly clientX: number; readonly clientY: number }) => Point

/** Whether points are dragged with fingers, which need more room. */
export const IS_POINTER_COARSE = matchMedia('(pointer: coarse)').matches

/** Of the radius that can be pressed, what is drawn: a point for fingers would hide much of the picture. */
const DRAWN_SHARE = IS_POINTER_COARSE ? 0.5 : 1

type HandleProps = {
  label: string
  corner: Point
  /** Within which it can be pressed, in scene pixels. */
  radius: number
  scenePoint: ScenePoint
  /** The point that is being dragged; null: none. */
  onActive: (point: Point | null) => void
  onFocus?: () => void
  onMove: (point: Point, gesture: string) => void
  onRemove: () => void
  /** One more point after this one: by Enter, or a double click. */
  onAdd?: () => void
  /** An additional class. */
  look?: string
}

export function Handle(props: HandleProps) {
  const { label, corner, radius, scenePoint, onActive, onFocus, onMove, onRemove, onAdd, look } = props
  const drag = useRef<{ pointerId: number; gesture: string; pointer: Point; point: Point } | null>(null)
  const down = (event: PointerEvent<SVGCircleElement>) => {
    if (event.button !== 0 || drag.current !== null) return
    event.stopPropagation()
    const { pointerId } = event
    event.currentTarget.setPointerCapture(pointerId)
    drag.current = { pointerId, gesture: crypto.randomUUID(), pointer: scenePoint(event), point: corner }
    onActive(corner)
  }
  const move = (event: PointerEvent<SVGCircleElement>) => {
    if (drag.current?.pointerId !== event.pointerId) return
    const { gesture, pointer: from, point: before } = drag.current
    const to = scenePoint(event)
    const share = event.altKey ? FINE_STEP : 1
    const point: Point = [before[0] + share * (to[0] - from[0]), before[1] + share * (to[1] - from[1])]
    drag.current = { ...drag.current, pointer: to, point }
    onActive(point)
    onMove(point, gesture)
  }
  const end = ({ pointerId }: PointerEvent<SVGCircleElement>) => {
    if (drag.current?.pointerId !== pointerId) return
    drag.current = null
    onActive(null)
  }
  const key = (event: KeyboardEvent<SVGCircleElement>) => {
    if (event.key === 'Delete') {
      onRemove()
      return
    }
    if (event.key === 'Enter' && onAdd !== undefined) {
      event.preventDefault()
      onAdd()
      return
    }
    const step = keyStep(event)
    if (step === null) return
    const point: Point = [corner[0] + step[0], corner[1] + step[1]]
    onActive(point)
    onMove(point, 'keys')
    event.currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  const [cx, cy] = corner
  return (
    <>
      <circle
        className="handle"
        cx={cx}
        cy={cy}
        r={radius}
        tabIndex={0}
        role="slider"
        aria-label={label}
        aria-valuenow={Math.round(cx * 10) / 10}
        aria-valuetext={`${cx.toFixed(1)}, ${cy.toFixed(1)}`}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
        onLostPointerCapture={end}
        onDoubleClick={onAdd}
        onKeyDown={key}
        onFocus={onFocus}
        onBlur={() => onActive(null)}
      />
      <circle
        className={look === undefined ? 'handle-dot' : `handle-dot ${look}`}
        cx={cx}
        cy={cy}
        r={radius * DRAWN_SHARE}
      />
    </>
  )
}
