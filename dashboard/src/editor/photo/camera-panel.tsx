import { Select } from '../../components/controls.tsx'
import type { ChangePhoto, PhotoDraft } from './photo-draft.ts'
import { Slider } from './slider.tsx'

const tones = [
  { value: 'auto', label: 'As the photo tells' },
  { value: 'shoulder0.7', label: 'Soft highlights, as most cameras' },
  { value: 'srgb', label: 'Plain sRGB' },
] as const

/** What the camera did to the photo. */
export function CameraPanel({ draft: { tone, lens }, onChange }: { draft: PhotoDraft; onChange: ChangePhoto }) {
  return (
    <section className="panel stack-form" aria-labelledby="camera">
      <h2 id="camera">Camera</h2>
      <Select
        label="Tone"
        value={tone}
        onChange={event => {
          const chosen = tones.find(({ value }) => value === event.currentTarget.value)
          if (chosen !== undefined) onChange(before => ({ ...before, tone: chosen.value }), 'tone')
        }}
        options={tones}
      />
      <Slider
        label="Lens"
        value={lens}
        from={-0.3}
        to={0.3}
        step={0.005}
        words={lens === 0 ? 'straight' : `${lens > 0 ? 'barrel' : 'pincushion'} ${Math.abs(lens * 100).toFixed(1)} %`}
        help="Until the edges of the grid lie along straight edges of the product."
        onChange={value => onChange(before => ({ ...before, lens: value }), 'lens')}
      />
    </section>
  )
}
