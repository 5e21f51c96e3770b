import { blendModeNames } from '@vitrine/engine'
import { Field, Select } from '../components/controls.tsx'
import type { Draft } from './draft.ts'

export type ChangeDraft = (change: (draft: Draft) => Draft, gesture: string) => void

export const blendOptions = blendModeNames.map(mode => ({ value: mode, label: mode.replaceAll('-', ' ') }))

/** What a template is called and where it is found. */
export function DetailsPanel({ draft, onChange }: { draft: Draft; onChange: ChangeDraft }) {
  const isLit = draft.frames.some(({ kept }) => kept['lighting'] !== undefined)
  return (
    <section className="panel stack-form" aria-label="Template">
      <Field
        label="Name"
        value={draft.name}
        maxLength={100}
        onChange={event => {
          const name = event.currentTarget.value
          onChange(before => ({ ...before, name }), 'name')
        }}
      />
      <Field
        label="Category"
        value={draft.category}
        maxLength={60}
        onChange={event => {
          const category = event.currentTarget.value
          onChange(before => ({ ...before, category }), 'category')
        }}
      />
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
    </section>
  )
}
