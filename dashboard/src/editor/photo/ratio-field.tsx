/** The artwork's aspect ratio, for a frame whose measures are unknown. */
import { Field } from '../../components/controls.tsx'
import { aspectRatioOf, type PhotoDraft, type PhotoFrame } from './photo-draft.ts'

type RatioFieldProps = { draft: PhotoDraft; frame: PhotoFrame; onRatio: (ratio: number | null) => void }

export function RatioField({ draft, frame, onRatio }: RatioFieldProps) {
  const isAutomatic = frame.aspectRatio === null
  return (
    <Field
      label="Width / height of the artwork"
      type="number"
      min={0.05}
      max={20}
      step={0.01}
      value={Number((aspectRatioOf(frame, draft) ?? 1).toFixed(3))}
      help={
        isAutomatic
          ? 'From the corners. Type a number to set it.'
          : 'Set by hand. Empty the field to take it from the corners.'
      }
      onChange={event => {
        const { valueAsNumber: ratio } = event.currentTarget
        if (event.currentTarget.value === '') onRatio(null)
        else if (ratio >= 0.05 && ratio <= 20) onRatio(ratio)
      }}
    />
  )
}
