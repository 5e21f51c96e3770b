/** Pointers while something is drawn: clicks set points, and a drag draws the box of a new frame. */
import { type PointerEvent, useRef, useState } from 'react'
import type { Draft, Point } from './draft.ts'
import type { PolygonActions } from './polygon-actions.ts'
import { SHAPE_POINTS_MIN } from './shapes.ts'
import type { ScenePoint } from './stage-handle.tsx'

/** CSS pixels: a shorter drag is a click. */
const DRAG_BEGINS_PX = 6
/** CSS pixels around a shape's first point: a click there closes it. */
const CLOSES_WITHIN_PX = 10

type Box = readonly [from: Point, to: Point]

type DrawingInput = {
  readonly drawing: Draft['drawing']
  /** CSS pixels per scene pixel. */
  readonly scale: number
  readonly scenePoint: ScenePoint
  readonly polygon: PolygonActions
}

export function useDrawing({ drawing, scale, scenePoint, polygon }: DrawingInput) {
  const press = useRef<{ readonly pointerId: number; readonly from: Point } | null>(null)
  /** The box that a pointer draws now; null: none. */
  const [box, setBox] = useState<Box | null>(null)
  const isNear = ([ax, ay]: Point, [bx, by]: Point, px: number) => Math.hypot(ax - bx, ay - by) * scale <= px
  const setPoint = (point: Point) => {
    const [first] = drawing?.points ?? []
    const isClosing = drawing !== null && drawing.frameId !== null && drawing.points.length >= SHAPE_POINTS_MIN
    if (isClosing && first !== undefined && isNear(first, point, CLOSES_WITHIN_PX)) polygon.onFinish()
    else polygon.onPoint(point)
  }
  const end = ({ pointerId }: PointerEvent<SVGSVGElement>) => {
    if (press.current?.pointerId !== pointerId) return
    press.current = null
    setBox(null)
  }
  const handlers = {
    onPointerDown: (event: PointerEvent<SVGSVGElement>) => {
      if (drawing === null || event.button !== 0 || press.current !== null) return
      event.stopPropagation()
      event.currentTarget.setPointerCapture(event.pointerId)
      press.current = { pointerId: event.pointerId, from: scenePoint(event) }
    },
    onPointerMove: (event: PointerEvent<SVGSVGElement>) => {
      if (press.current?.pointerId !== event.pointerId || drawing === null) return
      const { from } = press.current
      const to = scenePoint(event)
      const isBox = drawing.frameId === null && drawing.points.length === 0
      if (isBox && !isNear(from, to, DRAG_BEGINS_PX)) setBox([from, to])
    },
    onPointerUp: (event: PointerEvent<SVGSVGElement>) => {
      if (press.current?.pointerId !== event.pointerId) return
      if (box !== null) polygon.onBox(...box)
      else setPoint(press.current.from)
      end(event)
    },
    onPointerCancel: end,
    onLostPointerCapture: end,
  }
  return { box, handlers }
}
