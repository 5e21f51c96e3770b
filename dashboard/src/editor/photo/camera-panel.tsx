import { Button, Select } from '../../components/controls.tsx'
import type { ChangePhoto, PhotoDraft } from './photo-draft.ts'
import { Sliders } from './slider-list.tsx'
import { cameraSliders } from './sliders.ts'

const tones = [
  { value: 'auto', label: 'As the photo tells' },
  { value: 'shoulder0.7', label: 'Soft highlights, as most cameras' },
  { value: 'srgb', label: 'Plain sRGB' },
] as const

type CameraPanelProps = {
  draft: PhotoDraft
  /** Whether points lie along a straight edge now. */
  isMeasuring: boolean
  onMeasure: (isMeasuring: boolean) => void
  onChange: ChangePhoto
}

/** What the camera did to the photo. */
export function CameraPanel({ draft, isMeasuring, onMeasure, onChange }: CameraPanelProps) {
  return (
    <section className="panel stack-form" aria-labelledby="camera">
      <h2 id="camera">Camera</h2>
      <Select
        label="Tone"
        value={draft.tone}
        onChange={event => {
          const chosen = tones.find(({ value }) => value === event.currentTarget.value)
          if (chosen !== undefined) onChange(before => ({ ...before, tone: chosen.value }), 'tone')
        }}
        options={tones}
      />
      <Sliders sliders={cameraSliders} of={draft} onChange={onChange} />
      <p className="field-help">
        {isMeasuring
          ? 'Drag the three points onto something that is straight, far from the middle of the photo: a table, a door, the edge of a frame.'
          : 'Or put three points along something straight.'}
      </p>
      <div>
        <Button
          className="button-small"
          look={isMeasuring ? 'primary' : 'quiet'}
          onClick={() => onMeasure(!isMeasuring)}
        >
          {isMeasuring ? 'Done measuring' : 'Measure a straight edge'}
        </Button>
      </div>
    </section>
  )
}
