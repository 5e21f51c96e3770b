/** The picture of the editor: the photo with its frames or the exact preview, and the tools for them. */
import { useEffect, useRef, useState } from 'react'
import { asError } from '../as-error.ts'
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
import { findFramesIn } from './find-frames/find-frames-in.ts'
import type { PolygonActions } from './polygon-actions.ts'
import type { Quad } from './quad.ts'
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
  const finding = useFinding(draft, onChange, onSelect)
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
          bundle={() => bundleOfDraft(draft, draft.templateId ?? 'draft')}
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

function hintOf({ drawing, frames, areas }: Draft, foundCount: number, selected: string | null): Hint {
  if (foundCount > 0)
    return {
      fine: 'Click the areas that are frames, or choose one with the Tab key and press Enter.',
      coarse: 'Tap the areas that are frames.',
    }
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
    fine: `Drag a frame, its corners or the points of its shapes, or move what has the focus with the arrow keys: a pixel, with Shift ten, with Alt a tenth.${shapes} Zoom with + and -, with Control and the wheel, or with two fingers.`,
    coarse: 'Drag a frame, its corners or the points of its shapes. Zoom with two fingers.',
  }
}

type Finding = {
  /** Areas that may be frames, the largest first; none while nothing is offered. */
  readonly found: readonly Quad[]
  readonly isLooking: boolean
  readonly look: () => Promise<void>
  readonly take: (quad: Quad) => void
  readonly end: () => void
}

/** Whether nobody has made or moved a frame yet. */
const isUntouched = (draft: Draft): boolean =>
  draft.templateId === null && draft.areas.length === 0 && draft.drawing === null && touchedFrames(draft).length === 0

/**
 * Looks for frames in the photo, by itself where the photo is opened, and makes frames of those that are
 * chosen.
 */
function useFinding(draft: Draft, onChange: ChangeDraft, onSelect: (id: string) => void): Finding {
  const [found, setFound] = useState<readonly Quad[]>([])
  const [isLooking, setLooking] = useState(false)
  const now = useRef(draft)
  now.current = draft
  useEffect(() => {
    setFound([])
    if (!isUntouched(now.current)) return
    let isLeft = false
    findFramesIn(draft.photo).then(
      quads => {
        // Frames that were begun meanwhile are not hidden.
        if (isLeft || quads.length === 0 || !isUntouched(now.current)) return
        setFound(quads)
        announce(foundInWords(quads.length))
      },
      // Nobody asked: the button says what is wrong.
      () => undefined,
    )
    return () => {
      isLeft = true
    }
  }, [draft.photo])
  const isDrawing = draft.drawing !== null
  useEffect(() => {
    if (isDrawing) setFound([])
  }, [isDrawing])
  const look = async () => {
    setLooking(true)
    try {
      const quads = await findFramesIn(draft.photo)
      setFound(quads)
      announce(quads.length === 0 ? 'Nothing in this photo looks like a frame: draw one.' : foundInWords(quads.length))
    } catch (failure) {
      announce(asError(failure).message)
    } finally {
      setLooking(false)
    }
  }
  const take = (quad: Quad) => {
    const frame = frameOfCorners(quad)
    onChange(before => withFrame(before, frame), frame.id)
    onSelect(frame.id)
    setFound(others => others.filter(other => other !== quad))
  }
  return { found, isLooking, look, take, end: () => setFound([]) }
}

const foundInWords = (count: number): string => `${count} ${count === 1 ? 'area looks' : 'areas look'} like a frame.`

/** Drawing a frame, or finding frames. */
function FrameTools({ draft, mayAddFrame, onDrawFrame, polygon, finding }: EditorPictureProps & { finding: Finding }) {
  if (draft.drawing?.frameId === null)
    return (
      <Button className="button-small" onClick={polygon.onCancel}>
        Cancel drawing
      </Button>
    )
  const isOff = !mayAddFrame || draft.drawing !== null
  const isOffering = finding.found.length > 0
  return (
    <>
      {isOffering && (
        <Button className="button-small" look="primary" onClick={finding.end}>
          Done
        </Button>
      )}
      <Button className="button-small" disabled={isOff} onClick={onDrawFrame}>
        Draw a frame
      </Button>
      {!isOffering && (
        <Button
          className="button-small"
          disabled={isOff}
          aria-busy={finding.isLooking}
          onClick={() => void finding.look()}
        >
          {finding.isLooking ? 'Looking…' : 'Find frames'}
        </Button>
      )}
    </>
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
