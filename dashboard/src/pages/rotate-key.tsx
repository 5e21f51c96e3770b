import { type DashboardKey, type KeyRotation, limits, type RotatedKey, rotatedKeySchema } from '@vitrine/contract'
import { post } from '../api.ts'
import { ActionDialog } from '../components/action-dialog.tsx'
import { announce } from '../components/announcer.tsx'
import { Select } from '../components/controls.tsx'
import { textField } from '../fields.ts'
import { queryClient } from '../session/session.ts'

const overlapChoices = [
  { value: '0', label: 'No time: it ends now' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
  { value: String(limits.keyOverlapHoursMax), label: '30 days' },
] as const

type RotateKeyProps = { apiKey: DashboardKey; onClose: () => void; onRotated: (key: RotatedKey) => void }

export function RotateKey({ apiKey, onClose, onRotated }: RotateKeyProps) {
  const rotate = async (fields: FormData) => {
    const wanted: KeyRotation = { overlap_hours: Number(textField(fields, 'overlap')) }
    const path = `/dashboard/api/keys/${encodeURIComponent(apiKey.id)}/rotate`
    const rotated = await post(path, wanted, rotatedKeySchema)
    await queryClient.invalidateQueries({ queryKey: ['keys'] })
    announce(`Rotated the key ${rotated.name}.`)
    onRotated(rotated)
  }
  return (
    <ActionDialog title={`Rotate key “${apiKey.name}”?`} label="Create the new key" action={rotate} onClose={onClose}>
      <p>
        A new key takes its place, with the same name and limits
        {apiKey.expires_at !== null && ', and the same lifetime'}. The old one continues to work for a while, so that
        you can replace it without interruption.
      </p>
      <Select
        label="The old key works for another"
        name="overlap"
        options={overlapChoices}
        defaultValue={String(limits.keyOverlapHoursDefault)}
      />
    </ActionDialog>
  )
}
