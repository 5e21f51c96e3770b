/** A straight edge of the photo, by three points along it: the lens bends it. */
import { lensOfEdge } from '@vitrine/photo'
import type { ComponentProps } from 'react'
import type { Point } from '../draft.ts'
import { pointsOf } from '../stage-frame.tsx'
import { Handle } from '../stage-handle.tsx'
import type { ChangePhoto, PhotoDraft } from './photo-draft.ts'

/** Its ends, and a point between. */
export type LensEdge = readonly [from: Point, between: Point, to: Point]

/** Near the upper edge of the photo, where lenses bend most. */
export const newEdge = ({ widthPx, heightPx }: PhotoDraft): LensEdge => {
  const at = (share: number): Point => [widthPx * share, heightPx * 0.12]
  return [at(0.1), at(0.5), at(0.9)]
}

/** The draft with the lens found from the edge; unchanged if none is found. */
export function withLensOf(draft: PhotoDraft, edge: LensEdge): PhotoDraft {
  const lens = lensOfEdge(edge, draft.widthPx, draft.heightPx)
  return lens === null ? draft : { ...draft, lens: Number(lens.toFixed(3)) }
}

type LensEdgeProps = {
  draft: PhotoDraft
  edge: LensEdge
  handle: Pick<ComponentProps<typeof Handle>, 'scenePoint' | 'onActive' | 'radius'>
  onEdge: (edge: LensEdge | null) => void
  onChange: ChangePhoto
}

const names = ['One end', 'A point between the ends', 'The other end'] as const

export function LensEdgeHandles({ draft, edge, handle, onEdge, onChange }: LensEdgeProps) {
  return (
    <svg viewBox={`0 0 ${draft.widthPx} ${draft.heightPx}`} role="group" aria-label="A straight edge">
      <polyline className="lens-edge" points={pointsOf(edge)} />
      {edge.map((corner, which) => (
        <Handle
          key={names[which]}
          {...handle}
          label={`${names[which]} of the straight edge`}
          corner={corner}
          onMove={(to, gesture) => {
            const [from, between, end] = edge
            const moved: LensEdge = [which === 0 ? to : from, which === 1 ? to : between, which === 2 ? to : end]
            onEdge(moved)
            onChange(before => withLensOf(before, moved), `lens:${which}:${gesture}`)
          }}
          onRemove={() => onEdge(null)}
        />
      ))}
    </svg>
  )
}
