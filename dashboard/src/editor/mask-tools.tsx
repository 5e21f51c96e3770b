/** Makes the mask of a frame or of a part: drawn on the photo, uploaded, removed. */
import type { ReactNode } from 'react'
import { Button, SmallButton } from '../components/controls.tsx'
import { FilePicker } from '../components/file-picker.tsx'
import { counted } from '../format.ts'
import type { ChangeDraft } from './details-panel.tsx'
import type { Draft, DraftMask } from './draft.ts'
import type { DraftFault } from './faults-of-draft.ts'
import type { PolygonActions } from './polygon-actions.ts'

/** Types that a browser and the service read as a layer of a template. */
export const PICTURE_TYPES = 'image/jpeg,image/png,image/webp'

/** What panels of things with shapes need. */
export type ShapesPanelProps = {
  draft: Draft
  faults: readonly DraftFault[]
  onChange: ChangeDraft
  selected: string | null
  onSelect: (id: string) => void
  /** Starts a polygon of the thing with this id. */
  onStartPolygon: (id: string) => void
  polygon: PolygonActions
}

type PolygonToolsProps = {
  /** What is clicked around: "the part". */
  around: string
  pointCount: number
  polygon: PolygonActions
}

/** While a polygon is drawn. */
export function PolygonTools({ around, pointCount, polygon }: PolygonToolsProps) {
  return (
    <div className="stack-small">
      <p className="field-help">
        Click around {around}. By keyboard: arrow keys, Enter for a point, Backspace takes one back.
      </p>
      <div className="row">
        <Button look="primary" className="button-small" onClick={polygon.onFinish}>
          Finish ({counted(pointCount, 'point')})
        </Button>
        <Button className="button-small" onClick={polygon.onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

type MaskButtonsProps = {
  /** Whose mask it is: "frame 1". */
  of: string
  mask: DraftMask
  onDraw: () => void
  onMask: (mask: DraftMask) => void
  /** What the button for drawing says. */
  children: ReactNode
}

export function MaskButtons({ of, mask, onDraw, onMask, children }: MaskButtonsProps) {
  return (
    <div className="row">
      <Button className="button-small" onClick={onDraw}>
        {children}
      </Button>
      <FilePicker
        label={`Mask of ${of}`}
        accept={PICTURE_TYPES}
        className="button-small"
        onFile={picture => onMask({ kind: 'drawn', picture, polygons: [] })}
      >
        Upload a mask<span className="visually-hidden"> for {of}</span>
      </FilePicker>
      {mask.kind !== 'none' && (
        <SmallButton label="Remove the mask" of={`of ${of}`} onClick={() => onMask({ kind: 'none' })} />
      )}
    </div>
  )
}
