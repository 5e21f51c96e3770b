/** Setting points by keyboard: arrow keys move a cross, Enter sets a point. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { announceUnseen } from '../components/announcer.tsx'
import type { Point } from './draft.ts'
import type { PolygonActions } from './polygon-actions.ts'
import { keyStep } from './stage-handle.tsx'

type PointCursorProps = {
  scene: { readonly widthPx: number; readonly heightPx: number }
  /** CSS pixels per scene pixel. */
  scale: number
  /** Points that are set. */
  count: number
  polygon: PolygonActions
  onActive: (point: Point | null) => void
}

export function PointCursor({ scene, scale, count, polygon, onActive }: PointCursorProps) {
  const [point, setPoint] = useState<Point>([Math.round(scene.widthPx / 2), Math.round(scene.heightPx / 2)])
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => element.current?.focus({ preventScroll: true }), [])
  const key = (event: KeyboardEvent) => {
    const step = keyStep(event)
    if (step !== null) {
      const next: Point = [
        Math.max(0, Math.min(scene.widthPx, point[0] + step[0])),
        Math.max(0, Math.min(scene.heightPx, point[1] + step[1])),
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
      className="point-cursor"
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
