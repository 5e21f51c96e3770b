import { Button, Field, SmallButton } from '../components/controls.tsx'
import { FieldFault } from './check-result.tsx'
import { type DraftFrame, FRAMES_MAX, isMapped, newFrame, ratioOf, withoutFrame } from './draft.ts'
import { errorAt } from './faults-of-draft.ts'
import { MaskButtons, PolygonTools, type ShapesPanelProps } from './mask-tools.tsx'
import { OpacitySlider } from './opacity-slider.tsx'

/** The frames in the order in which they are drawn. */
export function FramesPanel(props: ShapesPanelProps) {
  const { draft, onSelect, onChange } = props
  const isFull = draft.frames.length >= FRAMES_MAX
  const add = () => {
    const frame = newFrame(draft.widthPx, draft.heightPx, draft.frames.length)
    onChange(before => ({ ...before, frames: [...before.frames, frame] }), frame.id)
    onSelect(frame.id)
  }
  return (
    <section className="stack-form" aria-label="Frames">
      {draft.frames.map((frame, index) => (
        <FramePanel key={frame.id} {...props} frame={frame} index={index} />
      ))}
      {isMapped(draft) ? (
        <p className="quiet">
          The frames of this template lie on curved surfaces, by maps that came with its bundle: their places stay as
          they are.
        </p>
      ) : (
        <Button onClick={add} disabled={isFull}>
          {isFull ? `A template has ${FRAMES_MAX} frames at most` : 'Add a frame'}
        </Button>
      )}
    </section>
  )
}

type FramePanelProps = ShapesPanelProps & { frame: DraftFrame; index: number }

function FramePanel(props: FramePanelProps) {
  const { draft, faults, frame, index, selected, onSelect, onChange } = props
  const change = (part: Partial<DraftFrame>, gesture: string) =>
    onChange(
      before => ({ ...before, frames: before.frames.map(one => (one.id === frame.id ? { ...one, ...part } : one)) }),
      gesture,
    )
  const move = (by: number) =>
    onChange(before => {
      const frames = before.frames.filter(({ id }) => id !== frame.id)
      frames.splice(before.frames.findIndex(({ id }) => id === frame.id) + by, 0, frame)
      return { ...before, frames }
    }, crypto.randomUUID())
  return (
    <fieldset
      className={frame.id === selected ? 'panel frame-panel frame-panel-selected' : 'panel frame-panel'}
      onFocus={() => onSelect(frame.id)}
    >
      <legend>Frame {index + 1}</legend>
      <FieldFault message={errorAt(faults, `frame ${index}`)} />
      <div className="row frame-order">
        <SmallButton
          label="Draw earlier"
          of={`than the frame before: frame ${index + 1}`}
          disabled={index === 0}
          onClick={() => move(-1)}
        />
        <SmallButton
          label="Draw later"
          of={`than the frame after: frame ${index + 1}`}
          disabled={index === draft.frames.length - 1}
          onClick={() => move(1)}
        />
        <SmallButton
          label="Remove"
          of={`frame ${index + 1}`}
          look="danger"
          onClick={() => onChange(before => withoutFrame(before, frame.id), crypto.randomUUID())}
        />
      </div>
      <Field
        label="Ratio (width / height)"
        type="number"
        step="any"
        min={0.05}
        max={20}
        value={frame.aspectRatio ?? ''}
        placeholder={ratioOf(frame, draft).toFixed(3)}
        help={ratioHelp(frame)}
        onChange={event => {
          const value = Number(event.currentTarget.value)
          change({ aspectRatio: value > 0 ? value : null }, `${frame.id}:ratio`)
        }}
      />
      <OpacitySlider opacity={frame.opacity} onChange={opacity => change({ opacity }, `${frame.id}:opacity`)} />
      <FrameMask {...props} onMask={mask => change({ mask }, crypto.randomUUID())} />
      {frame.kept['lighting'] !== undefined && frame.corners !== null && (
        <p className="field-help">
          This frame is lit by pictures that came with its bundle. They stay where they are when its corners move.
        </p>
      )}
    </fieldset>
  )
}

function ratioHelp(frame: DraftFrame): string {
  if (frame.corners === null) return 'The ratio of the artwork that the map was made for.'
  return frame.aspectRatio === null
    ? 'From the quad’s perspective. Type a number to set it by hand.'
    : 'Set by hand. Empty the field to take it from the quad.'
}

type FrameMaskProps = FramePanelProps & { onMask: (mask: DraftFrame['mask']) => void }

function FrameMask({ draft: { drawing }, frame, index, onStartPolygon, polygon, onMask }: FrameMaskProps) {
  if (drawing?.frameId === frame.id)
    return <PolygonTools around="what stands in front" pointCount={drawing.points.length} polygon={polygon} />
  const { mask } = frame
  return (
    <div className="stack-small">
      <p className="field-help">
        {mask.kind === 'none' && 'Nothing stands in front of this frame.'}
        {mask.kind === 'kept' && 'The mask of its bundle hides parts of this frame.'}
        {mask.kind === 'drawn' && describeDrawn(mask.polygons.length, mask.picture !== null)}
      </p>
      <MaskButtons of={`frame ${index + 1}`} mask={mask} onDraw={() => onStartPolygon(frame.id)} onMask={onMask}>
        Draw what is in front<span className="visually-hidden"> of frame {index + 1}</span>
      </MaskButtons>
    </div>
  )
}

function describeDrawn(polygons: number, hasPicture: boolean): string {
  const shapes = polygons === 1 ? 'One shape stands' : `${polygons} shapes stand`
  if (!hasPicture) return `${shapes} in front of this frame.`
  return polygons === 0
    ? 'A mask picture hides parts of this frame.'
    : `${shapes} in front of this frame, besides a mask picture.`
}
