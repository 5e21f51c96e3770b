import { type CreatedKey, createdKeySchema, limits, type NewKey } from '@vitrine/contract'
import { useState } from 'react'
import { post } from '../api.ts'
import { ActionDialog } from '../components/action-dialog.tsx'
import { announceUnseen } from '../components/announcer.tsx'
import { Field, Select } from '../components/controls.tsx'
import { textField } from '../fields.ts'
import { queryClient } from '../session/session.ts'
import { scopeChoices, scopesOfChoice } from './key-scope-choice.ts'

const DAY_MS = 86_400_000

const expiryChoices = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'day', label: 'At the end of a day…' },
] as const

/** The expiry of a choice; days end in the reader's time zone. */
function expiryOf(choice: string, day: string): string | null {
  if (choice === 'never') return null
  if (choice === 'day') return new Date(`${day}T23:59:59.999`).toISOString()
  return new Date(Date.now() + Number(choice) * DAY_MS).toISOString()
}

/** Today's date in the reader's time zone, in the format of a date field. */
const today = (): string => new Intl.DateTimeFormat('en-CA').format(new Date())

export function CreateKey({ onClose, onCreated }: { onClose: () => void; onCreated: (key: CreatedKey) => void }) {
  const [expiry, setExpiry] = useState<string>('never')
  const create = async (fields: FormData) => {
    const addresses = textField(fields, 'addresses')
      .split(/[\s,;]+/)
      .filter(Boolean)
    const wanted: NewKey = {
      name: textField(fields, 'name').trim(),
      expires_at: expiryOf(expiry, textField(fields, 'day')),
      scopes: scopesOfChoice(textField(fields, 'scopes')),
      allowed_addresses: addresses.length === 0 ? null : addresses,
    }
    const created = await post('/dashboard/api/keys', wanted, createdKeySchema)
    await queryClient.invalidateQueries({ queryKey: ['keys'] })
    announceUnseen(`Created the key ${created.name}.`)
    onCreated(created)
  }
  return (
    <ActionDialog title="Create a key" label="Create key" action={create} onClose={onClose} form="create-key">
      <Field
        label="Name"
        name="name"
        saveAs="create-key name"
        required
        maxLength={limits.keyNameCharactersMax}
        autoFocus
        autoComplete="off"
        help="Where it will be used: “Production”, “Anna's laptop”."
      />
      <Select
        label="Expires"
        value={expiry}
        options={expiryChoices}
        onChange={event => setExpiry(event.currentTarget.value)}
      />
      {expiry === 'day' && <Field label="Last day" name="day" type="date" required min={today()} />}
      <Select label="Permissions" name="scopes" options={scopeChoices} />
      <Field
        label="Allowed addresses (optional)"
        name="addresses"
        saveAs="create-key addresses"
        autoComplete="off"
        help="IP addresses or networks, separated by commas: 203.0.113.7, 2001:db8::/48."
      />
    </ActionDialog>
  )
}
