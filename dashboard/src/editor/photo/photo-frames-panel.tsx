/** The surface of a frame, and how the light of the photo falls on it. */
import { MAX_FRAMES } from '@vitrine/photo'
import { useState } from 'react'
import { Button } from '../../components/controls.tsx'
import { BodyFields } from './body-fields.tsx'
import type { BrushTarget } from './brush.ts'
import { ClothFields } from './cloth-fields.tsx'
import { FrontFields } from './front-fields.tsx'
import { GroundFields } from './ground-fields.tsx'
import { type ChangePhoto, type PhotoDraft, type PhotoFrame, withFrame } from './photo-draft.ts'
import type { FrameLines } from './photo-messages.ts'
import { RatioField } from './ratio-field.tsx'
import { Sliders } from './slider-list.tsx'
import { lightSliders, shapeSliders } from './sliders.ts'
import { startFrame } from './start-frames.ts'
import { KindChoice, kindWords } from './what-is-it.tsx'

type PhotoFramesPanelProps = {
  draft: PhotoDraft
  lines: readonly FrameLines[]
  selected: string | null
  onSelect: (id: string) => void
  onChange: ChangePhoto
  onRemove: (id: string) => void
  /** What is being brushed over; null: nothing is. */
  brushed: BrushTarget | null
  /** null: ends. */
  onBrush: (target: BrushTarget | null) => void
  /** Where the frame may lie, by the outline of the brushed product. */
  onPropose: (frame: PhotoFrame) => void
}

export function PhotoFramesPanel(props: PhotoFramesPanelProps) {
  const { draft, lines, onChange, onSelect } = props
  const [isAdding, setAdding] = useState(false)
  return (
    <section className="stack-form" aria-label="Frames">
      {draft.frames.map((frame, index) => (
        <FrameFields key={frame.id} {...props} frame={frame} index={index} lines={lines[index]} />
      ))}
      {isAdding && (
        <fieldset className="overlay" ref={focusFirst}>
          <legend>What is the next one?</legend>
          <KindChoice
            disabled={false}
            onKind={kind => {
              const frame = startFrame(kind, draft, draft.frames.length)
              onChange(before => ({ ...before, frames: [...before.frames, frame] }), frame.id)
              onSelect(frame.id)
              setAdding(false)
            }}
          />
          <div>
            <Button className="button-small" onClick={() => setAdding(false)}>
              Cancel
            </Button>
          </div>
        </fieldset>
      )}
      {!isAdding && (
        <Button disabled={draft.frames.length >= MAX_FRAMES} onClick={() => setAdding(true)}>
          Add a frame
        </Button>
      )}
    </section>
  )
}

const focusFirst = (choice: HTMLElement | null) => choice?.querySelector('button')?.focus()

type FrameFieldsProps = Omit<PhotoFramesPanelProps, 'lines'> & {
  frame: PhotoFrame
  index: number
  lines: FrameLines | undefined
}

function FrameFields(props: FrameFieldsProps) {
  const { draft, frame, index, selected, lines, onSelect, onChange, onRemove } = props
  const { id, shape } = frame
  const edit = (apply: (before: PhotoFrame) => PhotoFrame, gesture: string) =>
    onChange(before => withFrame(before, id, apply), `${id}:${gesture}`)
  const change = (part: Partial<PhotoFrame>, gesture: string) => edit(one => ({ ...one, ...part }), gesture)
  return (
    <fieldset
      className={id === selected ? 'panel frame-panel frame-panel-selected' : 'panel frame-panel'}
      onFocus={() => onSelect(id)}
    >
      <legend>
        Frame {index + 1}: {shape.kind === 'cloth' ? 'cloth' : kindWords[shape.kind].name.toLowerCase()}
      </legend>
      <ProposeButton {...props} />
      {shape.kind === 'body' ? (
        <BodyFields {...{ id, shape, lines, onChange }} />
      ) : (
        <RatioField draft={draft} frame={frame} onRatio={aspectRatio => change({ aspectRatio }, 'ratio')} />
      )}
      {shape.kind === 'cloth' && <ClothFields {...{ id, shape, onChange }} hasProduct={draft.product !== null} />}
      <Sliders sliders={shapeSliders(draft)} of={frame} onChange={edit} />
      <GroundFields frame={frame} onGround={change} />
      <Sliders sliders={lightSliders} of={frame} onChange={edit} />
      <FrontFields {...props} />
      {draft.frames.length > 1 && (
        <Button look="danger" className="button-small" onClick={() => onRemove(id)}>
          Remove frame {index + 1}
        </Button>
      )}
    </fieldset>
  )
}

/** A frame that is placed on its product once that is brushed over. */
function ProposeButton({ draft, frame, index, brushed, onBrush, onPropose }: FrameFieldsProps) {
  const isBrushed = draft.product !== null
  // Flat frames are found without a brush.
  if (brushed === 'product' || (!isBrushed && frame.shape.kind === 'flat')) return null
  return (
    <div>
      <Button className="button-small" onClick={() => (isBrushed ? onPropose(frame) : onBrush('product'))}>
        {isBrushed ? 'Put it on the brushed product' : 'Find its place by a brush'}
        <span className="visually-hidden">: frame {index + 1}</span>
      </Button>
    </div>
  )
}
