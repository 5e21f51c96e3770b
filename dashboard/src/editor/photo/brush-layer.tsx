/** Brushing on the photo: strokes by pointer and by keyboard, and the outline found from them. */
import { type PointerEvent, useRef, useState } from 'react'
import { announceUnseen } from '../../components/announcer.tsx'
import type { Point } from '../draft.ts'
import { PointCursor } from '../point-cursor.tsx'
import { pointsOf } from '../stage-frame.tsx'
import type { ScenePoint } from '../stage-handle.tsx'
import { type OpenStroke, withPlace } from './brush.ts'
import type { Brushing } from './use-brush.ts'
import type { Outline } from './use-photo-picture.ts'

/** The eraser of a pen is its sixth button. */
const PEN_ERASER = 32

type BrushLayerProps = {
  scene: { readonly widthPx: number; readonly heightPx: number }
  brushing: Brushing
  outline: Outline
  /** CSS pixels per scene pixel. */
  scale: number
  scenePoint: ScenePoint
}

export function BrushLayer({ scene, brushing, outline, scale, scenePoint }: BrushLayerProps) {
  const { brush, open, last, onOpen, onStroke, onEnd } = brushing
  const { radiusPx } = brush
  const stroke = useRef<(OpenStroke & { readonly pointerId: number }) | null>(null)
  const [at, setAt] = useState<Point | null>(null)
  const setStroke = (changed: typeof stroke.current) => {
    stroke.current = changed
    onOpen(changed)
  }
  const handlers = {
    onPointerDown: (event: PointerEvent<SVGSVGElement>) => {
      const isEraser = event.pointerType === 'pen' && (event.buttons & PEN_ERASER) > 0
      if ((event.button !== 0 && !isEraser) || stroke.current !== null) return
      event.stopPropagation()
      event.currentTarget.setPointerCapture(event.pointerId)
      const joined = event.shiftKey && last !== null ? [last] : []
      const erases = isEraser || brush.erases !== event.altKey
      setStroke({ pointerId: event.pointerId, points: [...joined, scenePoint(event)], erases })
    },
    onPointerMove: (event: PointerEvent<SVGSVGElement>) => {
      setAt(event.pointerType === 'touch' ? null : scenePoint(event))
      const before = stroke.current
      // A palm may touch the photo while a pen brushes.
      if (before?.pointerId !== event.pointerId) return
      const coalesced = event.nativeEvent.getCoalescedEvents()
      const places = (coalesced.length > 0 ? coalesced : [event]).map(scenePoint)
      const points = places.reduce<readonly Point[]>((line, place) => withPlace(line, place, radiusPx), before.points)
      if (points !== before.points) setStroke({ ...before, points })
    },
    onPointerUp: ({ pointerId }: PointerEvent<SVGSVGElement>) => {
      if (stroke.current?.pointerId !== pointerId) return
      onStroke(stroke.current)
      setStroke(null)
    },
    onPointerCancel: ({ pointerId }: PointerEvent<SVGSVGElement>) => {
      if (stroke.current?.pointerId === pointerId) setStroke(null)
    },
    onPointerLeave: () => setAt(null),
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: brushed by keyboard too, see PointCursor */}
      <svg
        viewBox={`0 0 ${scene.widthPx} ${scene.heightPx}`}
        role="group"
        aria-label="Brush on the photo"
        className="stage-drawing"
        {...handlers}
      >
        {open !== null && (
          <polyline
            className={open.erases ? 'brush-stroke brush-erases' : 'brush-stroke'}
            points={pointsOf(open.points.length > 1 ? open.points : [...open.points, ...open.points])}
            strokeWidth={2 * radiusPx}
          />
        )}
        <OutlinePath outline={outline} />
        {at !== null && (
          <circle
            className={brush.erases ? 'brush-ring brush-erases' : 'brush-ring'}
            cx={at[0]}
            cy={at[1]}
            r={radiusPx}
          />
        )}
      </svg>
      <PointCursor
        scene={scene}
        scale={scale}
        stepPx={Math.max(1, radiusPx / 4)}
        label="Brush: arrow keys move it, Enter brushes, Shift and Enter brushes on from the last place"
        words={wordsOf(brush)}
        onPoint={(point, isJoined) => {
          onStroke({ points: isJoined && last !== null ? [last, point] : [point], erases: brush.erases })
          announceUnseen(`${brush.erases ? 'Took away' : 'Brushed'} at ${point[0].toFixed()}, ${point[1].toFixed()}.`)
        }}
        onFinish={onEnd}
        onCancel={onEnd}
        onActive={setAt}
      />
    </>
  )
}

const wordsOf = ({ erases, radiusPx }: Brushing['brush']): string =>
  `${erases ? 'takes away' : 'adds'}, ${Math.round(2 * radiusPx)} pixels wide`

/** Light and dark dashes, visible on every photo. */
function OutlinePath({ outline }: { outline: Outline }) {
  if (outline.length === 0) return null
  const path = outline.map(line => `M${line.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`).join('')
  return (
    <>
      <path className="brush-edge" d={path} />
      <path className="brush-edge brush-edge-dashes" d={path} />
    </>
  )
}
