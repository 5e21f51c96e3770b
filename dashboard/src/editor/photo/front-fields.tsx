/** Leaves, fingers and cords that hide part of the artwork. */
import { Button, SmallButton } from '../../components/controls.tsx'
import { type BrushTarget, isSameTarget } from './brush.ts'
import { type ChangePhoto, type PhotoFrame, withFrame } from './photo-draft.ts'

type FrontFieldsProps = {
  frame: PhotoFrame
  index: number
  /** What is being brushed over; null: nothing is. */
  brushed: BrushTarget | null
  /** null: ends. */
  onBrush: (target: BrushTarget | null) => void
  onChange: ChangePhoto
}

export function FrontFields({ frame, index, brushed, onBrush, onChange }: FrontFieldsProps) {
  const { id, front } = frame
  const target = { frameId: id }
  const isBrushing = brushed !== null && isSameTarget(brushed, target)
  return (
    <div className="stack-small">
      <p className="field-help">
        {front.length === 0
          ? 'Nothing is in front of the artwork.'
          : 'What was brushed over is in front of the artwork.'}
      </p>
      <div className="row">
        <Button
          className="button-small"
          look={isBrushing ? 'primary' : 'quiet'}
          onClick={() => onBrush(isBrushing ? null : target)}
        >
          {isBrushing ? 'Done brushing' : front.length === 0 ? 'Brush over what is in front' : 'Brush again'}
          <span className="visually-hidden"> of frame {index + 1}</span>
        </Button>
        {front.length > 0 && (
          <SmallButton
            label="Nothing is in front"
            of={`of frame ${index + 1}`}
            onClick={() =>
              onChange(before => withFrame(before, id, one => ({ ...one, front: [] })), crypto.randomUUID())
            }
          />
        )}
      </div>
    </div>
  )
}
