/** A form with the name and permissions of a publishable key, for a new key or an existing one. */
import { limits, type NewPublishableKey, type PublishableKeyResource, publishableKeySchema } from '@vitrine/contract'
import { useState } from 'react'
import { post } from '../api.ts'
import { ActionDialog } from '../components/action-dialog.tsx'
import { announce } from '../components/announcer.tsx'
import { Field, Select } from '../components/controls.tsx'
import { textField } from '../fields.ts'
import { queryClient } from '../session/session.ts'
import { KeyTemplates } from './key-templates.tsx'

const templateChoices = [
  { value: 'all', label: 'All shared templates' },
  { value: 'some', label: 'These templates…' },
] as const

const FORM = 'publishable-key'

const wordsOf = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)

type FormProps = {
  /** Null for a new key. */
  changed: PublishableKeyResource | null
  onClose: () => void
  onDone: (key: PublishableKeyResource) => void
}

export function PublishableKeyForm({ changed, onClose, onDone }: FormProps) {
  const [opens, setOpens] = useState(changed === null || changed.template_ids === null ? 'all' : 'some')
  const [templateIds, setTemplateIds] = useState<readonly string[]>(changed?.template_ids ?? [])
  const save = async (fields: FormData) => {
    const wanted: NewPublishableKey = {
      name: textField(fields, 'name').trim(),
      origins: wordsOf(textField(fields, 'origins')),
      template_ids: opens === 'all' ? null : [...templateIds],
      width: Number(textField(fields, 'width')),
      watermark: textField(fields, 'watermark'),
      loads_per_day: Number(textField(fields, 'loads')),
    }
    const path = changed === null ? '' : `/${encodeURIComponent(changed.id)}`
    const key = await post(`/dashboard/api/publishable-keys${path}`, wanted, publishableKeySchema)
    await queryClient.invalidateQueries({ queryKey: ['publishable-keys'] })
    announce(`${changed === null ? 'Created' : 'Changed'} the publishable key ${key.name}.`)
    onDone(key)
  }
  // Only the text for a new key is saved; it must not appear when a key is edited.
  const saved = (field: string) => (changed === null ? { saveAs: `${FORM} ${field}` } : {})
  return (
    <ActionDialog
      title={changed === null ? 'Create a publishable key' : `Edit publishable key “${changed.name}”`}
      label={changed === null ? 'Create publishable key' : 'Save'}
      action={save}
      onClose={onClose}
      form={FORM}
    >
      <Field
        label="Name"
        name="name"
        {...saved('name')}
        required
        maxLength={limits.keyNameCharactersMax}
        autoFocus
        autoComplete="off"
        defaultValue={changed?.name}
        help="Where it will be used: “Shop”, “Test shop”."
      />
      <Field
        label="Allowed sites"
        name="origins"
        {...saved('origins')}
        required
        autoComplete="off"
        placeholder="https://shop.example"
        defaultValue={changed?.origins.join(', ')}
        help="Origins with https, separated by commas. http://localhost:* is your own computer."
      />
      <Select
        label="Available templates"
        value={opens}
        options={templateChoices}
        onChange={event => setOpens(event.currentTarget.value)}
      />
      {opens === 'some' && <KeyTemplates chosen={templateIds} onChange={setTemplateIds} />}
      <Field
        label="Maximum width in pixels"
        name="width"
        type="number"
        required
        min={limits.pageWidthPxMin}
        max={limits.pageWidthPxMax}
        defaultValue={changed?.width ?? limits.pageWidthPxMax}
        help="Anyone who sees a preview can save it at this size."
      />
      <Field
        label="Watermark (optional)"
        name="watermark"
        {...saved('watermark')}
        maxLength={limits.watermarkCharactersMax}
        autoComplete="off"
        placeholder="shop.example"
        defaultValue={changed?.watermark ?? undefined}
        help="Latin letters and digits, drawn over every preview."
      />
      <Field
        label="Loads per day"
        name="loads"
        type="number"
        required
        min={1}
        max={limits.pageLoadsPerDayMax}
        defaultValue={changed?.loads_per_day ?? limits.pageLoadsPerDayDefault}
        help="Each visitor of a page loads a preview once."
      />
    </ActionDialog>
  )
}
