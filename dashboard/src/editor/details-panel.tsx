import { blendModeNames } from '@vitrine/engine'
import { Field, Select } from '../components/controls.tsx'
import { FieldFault } from './check-result.tsx'
import type { Draft } from './draft.ts'
import { type DraftFault, errorAt } from './faults-of-draft.ts'

export type ChangeDraft = (change: (draft: Draft) => Draft, gesture: string) => void

export const blendOptions = blendModeNames.map(mode => ({ value: mode, label: mode.replaceAll('-', ' ') }))

type DetailsPanelProps = { draft: Draft; faults: readonly DraftFault[]; onChange: ChangeDraft }

type Named = Pick<Draft, 'name' | 'category'>

type NameFieldsProps<Kept extends Named> = {
  draft: Kept
  faults: readonly DraftFault[]
  onChange: (change: (draft: Kept) => Kept, gesture: string) => void
}

/** The name of a template of either editor, and where it is listed. */
export function NameFields<Kept extends Named>({ draft, faults, onChange }: NameFieldsProps<Kept>) {
  return (
    <>
      <Field
        label="Name"
        value={draft.name}
        error={errorAt(faults, 'name')}
        maxLength={100}
        onChange={event => {
          const name = event.currentTarget.value
          onChange(before => ({ ...before, name }), 'name')
        }}
      />
      <Field
        label="Category"
        value={draft.category}
        error={errorAt(faults, 'category')}
        maxLength={60}
        onChange={event => {
          const category = event.currentTarget.value
          onChange(before => ({ ...before, category }), 'category')
        }}
      />
    </>
  )
}

/** What a template is and how its artwork is drawn. */
export function DetailsPanel({ draft, faults, onChange }: DetailsPanelProps) {
  const isLit = draft.frames.length > 0 && draft.frames.every(({ kept }) => kept['lighting'] !== undefined)
  return (
    <section className="panel stack-form" aria-label="Template">
      <NameFields draft={draft} faults={faults} onChange={onChange} />
      <Select
        label="Type"
        value={draft.type}
        onChange={event => {
          const type = event.currentTarget.value === 'product' ? 'product' : 'print'
          onChange(before => ({ ...before, type }), 'type')
        }}
        options={[
          { value: 'print', label: 'Print' },
          { value: 'product', label: 'Product' },
        ]}
      />
      {draft.type === 'product' && (
        <Field
          label="Surface"
          value={draft.surfaceType}
          error={errorAt(faults, 'surface')}
          help="fabric, ceramic, paper, canvas, glass …"
          onChange={event => {
            const surfaceType = event.currentTarget.value
            onChange(before => ({ ...before, surfaceType }), 'surface')
          }}
        />
      )}
      {isLit ? (
        <p className="quiet">The artwork is lit by the light of the scene, so there is no blending mode to choose.</p>
      ) : (
        <Select
          label="Blending mode"
          value={draft.blendingMode}
          onChange={event => {
            const blendingMode = event.currentTarget.value
            onChange(before => ({ ...before, blendingMode }), 'blending')
          }}
          options={blendOptions}
        />
      )}
      <FieldFault message={errorAt(faults, 'blending')} />
    </section>
  )
}
