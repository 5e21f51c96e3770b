import { Button, Select } from '../components/controls.tsx'
import { FilePicker } from '../components/file-picker.tsx'
import { FieldFault } from './check-result.tsx'
import { blendOptions, type ChangeDraft } from './details-panel.tsx'
import type { Draft, DraftOverlay } from './draft.ts'
import { type DraftFault, errorAt } from './faults-of-draft.ts'
import { OpacitySlider } from './opacity-slider.tsx'

const OVERLAYS_MAX = 8

type OverlaysPanelProps = { draft: Draft; faults: readonly DraftFault[]; onChange: ChangeDraft }

/** Pictures over everything: a plant in front of a frame, a glare on its glass. */
export function OverlaysPanel({ draft, faults, onChange }: OverlaysPanelProps) {
  const change = (id: string, part: Partial<DraftOverlay>, gesture: string) =>
    onChange(
      before => ({ ...before, overlays: before.overlays.map(one => (one.id === id ? { ...one, ...part } : one)) }),
      gesture,
    )
  const add = (picture: File) => {
    const overlay = { id: crypto.randomUUID(), picture, layer: null, blendingMode: 'normal', opacity: 1 }
    onChange(before => ({ ...before, overlays: [...before.overlays, overlay] }), overlay.id)
  }
  return (
    <section className="panel stack-form" aria-labelledby="in-front">
      <h2 id="in-front">In front of everything</h2>
      <p className="field-help">
        A PNG or WebP with clear parts that covers the whole photo: a plant, a hand, a reflection.
      </p>
      {draft.overlays.map((overlay, index) => (
        <fieldset key={overlay.id} className="overlay">
          <legend>Picture {index + 1}</legend>
          <FieldFault message={errorAt(faults, `overlay ${index}`)} />
          <Select
            label="Blending mode"
            value={overlay.blendingMode}
            onChange={event => change(overlay.id, { blendingMode: event.currentTarget.value }, `${overlay.id}:mode`)}
            options={blendOptions}
          />
          <OpacitySlider
            opacity={overlay.opacity}
            onChange={opacity => change(overlay.id, { opacity }, `${overlay.id}:opacity`)}
          />
          <Button
            look="danger"
            className="button-small"
            onClick={() =>
              onChange(
                before => ({ ...before, overlays: before.overlays.filter(({ id }) => id !== overlay.id) }),
                crypto.randomUUID(),
              )
            }
          >
            Remove picture {index + 1}
          </Button>
        </fieldset>
      ))}
      {draft.overlays.length < OVERLAYS_MAX && (
        <div>
          <FilePicker label="Picture in front" accept="image/png,image/webp" onFile={add}>
            Add a picture in front
          </FilePicker>
        </div>
      )}
    </section>
  )
}
