/** The brush in use, and its unfinished stroke. */
import { MAX_STROKES, type Stroke } from '@vitrine/photo'
import { useEffect, useMemo, useState } from 'react'
import { announce } from '../../components/announcer.tsx'
import type { Point } from '../draft.ts'
import {
  type Brush,
  type BrushTarget,
  mayBrush,
  nameOfTarget,
  newBrush,
  type OpenStroke,
  steppedRadius,
  strokesOf,
  withStroke,
} from './brush.ts'
import type { ChangePhoto, PhotoDraft } from './photo-draft.ts'
import type { Brushed } from './use-photo-picture.ts'

export type Brushing = {
  readonly brush: Brush
  readonly open: OpenStroke | null
  /** Where the last stroke ended; null: there is none. */
  readonly last: Point | null
  readonly onBrush: (brush: Brush) => void
  /** null: the stroke was cancelled. */
  readonly onOpen: (stroke: OpenStroke | null) => void
  readonly onStroke: (stroke: OpenStroke) => void
  readonly onEnd: () => void
}

type BrushState = {
  /** null: nothing is brushed over. */
  readonly brushing: Brushing | null
  /** What the outline is requested for, including the unfinished stroke. */
  readonly brushed: Brushed | null
  readonly start: (target: BrushTarget) => void
}

export function useBrush(draft: PhotoDraft, onChange: ChangePhoto): BrushState {
  const [brush, setBrush] = useState<Brush | null>(null)
  const [open, setOpen] = useState<OpenStroke | null>(null)
  const { widthPx, heightPx } = draft
  const strokes = brush === null ? null : strokesOf(draft, brush.target)
  const target = brush === null || strokes === null ? null : nameOfTarget(brush.target)
  const radius = brush?.radiusPx ?? 0
  const brushed = useMemo<Brushed | null>(() => {
    if (target === null || strokes === null) return null
    return { target, strokes: open === null ? strokes : [...strokes, { ...open, radius }], widthPx, heightPx }
  }, [target, strokes, open, radius, widthPx, heightPx])
  useBrushKeys(brush, draft, setBrush)
  const start = (next: BrushTarget) =>
    setBrush(before => (before === null ? newBrush(next, draft) : { ...before, target: next, erases: false }))
  if (brush === null || strokes === null) return { brushing: null, brushed, start }
  const onStroke = (stroke: OpenStroke) => {
    if (stroke.erases && strokes.length === 0) announce('There is nothing to take away yet: brush over it first.')
    else if (!mayBrush(strokes))
      announce(`A drawing has ${MAX_STROKES} strokes at most: undo some, and brush with a thicker brush.`)
    else onChange(before => withStroke(before, brush.target, strokeOf(stroke, brush.radiusPx)), crypto.randomUUID())
  }
  return {
    brushing: {
      brush,
      open,
      last: strokes.at(-1)?.points.at(-1) ?? null,
      onBrush: setBrush,
      onOpen: setOpen,
      onStroke,
      onEnd: () => setBrush(null),
    },
    brushed,
    start,
  }
}

const strokeOf = ({ points, erases }: OpenStroke, radius: number): Stroke => ({
  points: points.map(([x, y]) => [x, y]),
  radius,
  erases,
})

const hasOwnKeys = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input:not([type=range]), textarea, select')

/** [ and ] change its size, X switches between adding and removing. */
function useBrushKeys(brush: Brush | null, draft: PhotoDraft, onBrush: (brush: Brush) => void): void {
  useEffect(() => {
    if (brush === null) return
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || hasOwnKeys(event.target)) return
      if (event.key === '[') onBrush(steppedRadius(brush, -1, draft))
      else if (event.key === ']') onBrush(steppedRadius(brush, 1, draft))
      else if (event.key.toLowerCase() === 'x') onBrush({ ...brush, erases: !brush.erases })
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [brush, draft, onBrush])
}
