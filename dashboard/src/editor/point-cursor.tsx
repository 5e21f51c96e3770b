/** Setting points by keyboard: arrow keys move a cross, Enter sets a point. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Point } from './draft.ts'
import { keyStep } from './stage-handle.tsx'

type PointCursorProps = {
  scene: { readonly widthPx: number; readonly heightPx: number }
  /** CSS pixels per scene pixel. */
  scale: number
  /** Scene pixels: what an arrow key moves it by. */
  stepPx?: number
  /** What its keys do. */
  label: string
  /** Read aloud after its position. */
  words: string
  /** By Enter; `isJoined`: by Shift and Enter. */
  onPoint: (point: Point, isJoined: boolean) => void
  onUndoPoint?: () => void
  onFinish: () => void
  onCancel: () => void
  onActive: (point: Point | null) => void
}

export function PointCursor(props: PointCursorProps) {
  const { scene, scale, stepPx = 1, label, words, onPoint, onUndoPoint, onFinish, onCancel, onActive } = props
  const [point, setPoint] = useState<Point>([Math.round(scene.widthPx / 2), Math.round(scene.heightPx / 2)])
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => element.current?.focus({ preventScroll: true }), [])
  const key = (event: KeyboardEvent) => {
    const step = keyStep(event)
    if (step !== null) {
      const next: Point = [
        Math.max(0, Math.min(scene.widthPx, point[0] + stepPx * step[0])),
        Math.max(0, Math.min(scene.heightPx, point[1] + stepPx * step[1])),
      ]
      setPoint(next)
      onActive(next)
      return
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onFinish()
    else if (event.key === 'Enter' || event.key === ' ') onPoint(point, event.shiftKey)
    else if (event.key === 'Backspace' && onUndoPoint !== undefined) onUndoPoint()
    else if (event.key === 'Escape') onCancel()
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={element}
      className="point-cursor"
      tabIndex={0}
      role="slider"
      aria-label={label}
      aria-valuenow={Math.round(point[0])}
      aria-valuetext={`${point[0].toFixed(1)}, ${point[1].toFixed(1)}; ${words}`}
      style={{ transform: `translate(${point[0] * scale}px, ${point[1] * scale}px)` }}
      onKeyDown={key}
      onBlur={() => onActive(null)}
    />
  )
}
