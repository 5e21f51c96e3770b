/** The picture of the editor: the photo with its frames or the exact preview, and the tools for them. */
import { useRef, useState } from 'react'
import type { ProductColors } from '../coloring/product-colors.ts'
import { announce } from '../components/announcer.tsx'
import { Button } from '../components/controls.tsx'
import { FilePicker } from '../components/file-picker.tsx'
import { PointerWords } from '../components/pointer-words.tsx'
import { Skeleton } from '../components/states.tsx'
import { bundleOfDraft } from './bundle-of-draft.ts'
import type { ChangeDraft } from './details-panel.tsx'
import { type Draft, frameOfCorners, touchedFrames, withFrame, withoutFrame } from './draft.ts'
import { ExactPreview } from './exact-preview.tsx'
import { FindTools } from './find-frames/find-tools.tsx'
import { type Finding, useFinding } from './find-frames/use-finding.ts'
import type { PolygonActions } from './polygon-actions.ts'
import { shapeActionsOf } from './shape-handles.tsx'
import { shapesOf } from './shapes.ts'
import { Stage } from './stage.tsx'
import type { FrameActions } from './stage-frame.tsx'
import { type StageZoom, useStageZoom } from './use-stage-zoom.ts'

export type EditorView = 'edit' | 'preview'

type EditorPictureProps = {
  draft: Draft
  photo: ImageBitmap | null
  sampleUrl: string
  selected: string | null
  view: EditorView
  /** Whether another frame by corners may be added. */
  mayAddFrame: boolean
  onView: (view: EditorView) => void
  onSelect: (id: string) => void
  onChange: ChangeDraft
  onDrawFrame: () => void
  polygon: PolygonActions
}

export function EditorPicture(props: EditorPictureProps) {
  const { draft, photo, sampleUrl, selected, view, onView, onSelect, onChange, polygon } = props
  const stageView = useRef<HTMLDivElement>(null)
  const zooming = useStageZoom(stageView)
  const [colors, setColors] = useState<ProductColors>({})
  const finding = useFinding({
    photo: draft.photo,
    isUntouched: isUntouched(draft),
    isDrawing: draft.drawing !== null,
    onTake: quad => {
      const frame = frameOfCorners(quad)
      onChange(before => withFrame(before, frame), frame.id)
      onSelect(frame.id)
    },
  })
  const frameActions: FrameActions = {
    onSelect,
    onCorners: (id, corners, gesture) =>
      onChange(
        before => ({
          ...before,
          frames: before.frames.map(frame => (frame.id === id ? { ...frame, corners } : frame)),
        }),
        gesture,
      ),
    onRemove: id => {
      onChange(before => withoutFrame(before, id), crypto.randomUUID())
      announce('Removed the frame: Control and Z takes it back.')
    },
  }
  const isEditing = view === 'edit'
  return (
    <div className="editor-picture">
      <div className="row editor-tools">
        <div className="row" role="group" aria-label="View">
          {(['edit', 'preview'] as const).map(name => (
            <Button
              key={name}
              className="button-small"
              look={view === name ? 'primary' : 'quiet'}
              aria-pressed={view === name}
              onClick={() => onView(name)}
            >
              {name === 'edit' ? 'Frames' : 'Exact preview'}
            </Button>
          ))}
        </div>
        <FilePicker
          label="Sample artwork"
          className="button-small"
          onFile={sample => onChange(before => ({ ...before, sample }), crypto.randomUUID())}
        >
          Try another artwork
        </FilePicker>
        {isEditing && <FrameTools {...props} finding={finding} />}
        {isEditing && <ZoomTools {...zooming.shown} />}
      </div>
      {!isEditing && (
        <ExactPreview
          draft={draft}
          bundle={() => bundleOfDraft(draft)}
          artwork={async () => draft.sample ?? (await fetch(sampleUrl)).blob()}
          areas={draft.areas}
          colors={colors}
          onColors={setColors}
        />
      )}
      {isEditing && photo === null && <Skeleton rows={1} height={480} />}
      {isEditing && photo !== null && (
        <Stage
          draft={draft}
          photo={photo}
          sampleUrl={sampleUrl}
          selected={selected}
          view={stageView}
          zooming={zooming}
          frameActions={frameActions}
          shapeActions={shapeActionsOf(onChange)}
          polygon={polygon}
          found={finding.found}
          onTake={finding.take}
        />
      )}
      {isEditing && (
        <p className="quiet editor-hint">
          <PointerWords {...hintOf(draft, finding.found.length, selected)} />
        </p>
      )}
    </div>
  )
}

type Hint = { readonly fine: string; readonly coarse: string }

export const foundHint: Hint = {
  fine: 'Click the areas that are frames, or choose one with the Tab key and press Enter.',
  coarse: 'Tap the areas that are frames.',
}

function hintOf({ drawing, frames, areas }: Draft, foundCount: number, selected: string | null): Hint {
  if (foundCount > 0) return foundHint
  if (drawing?.frameId === null)
    return {
      fine: 'Drag a rectangle, or click the four corners. By keyboard: arrow keys, Enter for a corner, Escape ends it.',
      coarse: 'Drag a rectangle, or tap the four corners.',
    }
  if (drawing !== null)
    return {
      fine: 'Click point by point; a click on the first point closes the shape.',
      coarse: 'Tap point by point; a tap on the first point closes the shape.',
    }
  const hasShapes = [...frames, ...areas].some(({ id, mask }) => id === selected && shapesOf(mask).length > 0)
  const shapes = hasShapes
    ? ' A double click on a point of a shape, or Enter, adds one after it; Delete removes it.'
    : ' Delete removes a frame.'
  return {
    fine: `Drag a frame, its corners or the points of its shapes (points with Alt a tenth as far), or move what has the focus with the arrow keys: a pixel, with Shift ten, with Alt a tenth.${shapes} Zoom with + and -, with Control and the wheel, or with two fingers.`,
    coarse: 'Drag a frame, its corners or the points of its shapes. Zoom with two fingers.',
  }
}

/** Whether the user has not made or moved a frame yet. */
const isUntouched = (draft: Draft): boolean =>
  draft.isNew && draft.areas.length === 0 && draft.drawing === null && touchedFrames(draft).length === 0

/** Drawing a frame, or finding frames. */
function FrameTools({ draft, mayAddFrame, onDrawFrame, polygon, finding }: EditorPictureProps & { finding: Finding }) {
  if (draft.drawing?.frameId === null)
    return (
      <Button className="button-small" onClick={polygon.onCancel}>
        Cancel drawing
      </Button>
    )
  const isOff = !mayAddFrame || draft.drawing !== null
  return (
    <FindTools finding={finding} isOff={isOff}>
      <Button className="button-small" disabled={isOff} onClick={onDrawFrame}>
        Draw a frame
      </Button>
    </FindTools>
  )
}

export function ZoomTools({ zoom, isLeast, isMost, onStep, onWhole }: StageZoom) {
  return (
    <div className="row zoom-tools" role="group" aria-label="Zoom">
      <Button className="button-small" disabled={isLeast} onClick={() => onStep(-1)} aria-label="Zoom out">
        −
      </Button>
      <Button className="button-small" disabled={isLeast} onClick={onWhole}>
        {Math.round(zoom * 100)} %<span className="visually-hidden">: show the whole picture</span>
      </Button>
      <Button className="button-small" disabled={isMost} onClick={() => onStep(1)} aria-label="Zoom in">
        +
      </Button>
    </div>
  )
}
