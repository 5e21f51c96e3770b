/** Keys that are embedded in a shop's pages and can be shown again at any time. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type PublishableKeyResource, publishableKeyListSchema } from '@vitrine/contract'
import { useState } from 'react'
import { act, get } from '../api.ts'
import { ActionDialog } from '../components/action-dialog.tsx'
import { announce } from '../components/announcer.tsx'
import { Button, CopyButton, SmallButton, Snippet } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Moment } from '../components/moment.tsx'
import { Loading } from '../components/states.tsx'
import { type Column, Table } from '../components/table-frame.tsx'
import { formatCount } from '../format.ts'
import { queryClient, useSession } from '../session/session.ts'
import { elementSnippet } from '../snippets.ts'
import { PublishableKeyForm } from './publishable-key-form.tsx'

const keysQuery = queryOptions({
  queryKey: ['publishable-keys'],
  queryFn: ({ signal }) => get('/dashboard/api/publishable-keys', publishableKeyListSchema, signal),
})

export function PublishableKeys() {
  const keys = useQuery(keysQuery)
  const [creating, setCreating] = useState(false)
  const [shown, setShown] = useState<PublishableKeyResource | null>(null)
  const [changing, setChanging] = useState<PublishableKeyResource | null>(null)
  const [revoking, setRevoking] = useState<PublishableKeyResource | null>(null)
  return (
    <section className="stack-form publishable-keys" aria-labelledby="publishable-keys">
      <div className="row row-apart">
        <h2 id="publishable-keys">Publishable keys</h2>
        <Button onClick={() => setCreating(true)}>Create publishable key</Button>
      </div>
      <p className="quiet">
        For live previews in your shop’s pages: such a key is public, works on the sites that you name, shows small
        previews, and never spends credits.
      </p>
      <Loading query={keys} rows={2} />
      {keys.data !== undefined && keys.data.keys.length > 0 && (
        <KeyTable keys={keys.data.keys} onShow={setShown} onEdit={setChanging} onRevoke={setRevoking} />
      )}
      {creating && (
        <PublishableKeyForm
          changed={null}
          onClose={() => setCreating(false)}
          onDone={key => {
            setCreating(false)
            setShown(key)
          }}
        />
      )}
      {changing !== null && (
        <PublishableKeyForm changed={changing} onClose={() => setChanging(null)} onDone={() => setChanging(null)} />
      )}
      {shown !== null && <UseKey shown={shown} onClose={() => setShown(null)} />}
      {revoking !== null && <RevokeKey revoking={revoking} onClose={() => setRevoking(null)} />}
    </section>
  )
}

type KeyTableProps = {
  keys: readonly PublishableKeyResource[]
  onShow: (key: PublishableKeyResource) => void
  onEdit: (key: PublishableKeyResource) => void
  onRevoke: (key: PublishableKeyResource) => void
}

function KeyTable({ keys, onShow, onEdit, onRevoke }: KeyTableProps) {
  const actions = (key: PublishableKeyResource) =>
    key.revoked_at === null && (
      <>
        <SmallButton label="Show" of={key.name} onClick={() => onShow(key)} />
        <SmallButton label="Edit" of={key.name} onClick={() => onEdit(key)} />
        <SmallButton label="Revoke" of={key.name} look="danger" onClick={() => onRevoke(key)} />
      </>
    )
  return (
    <Table
      label="Publishable keys"
      rows={keys}
      isSpent={({ revoked_at }) => revoked_at !== null}
      columns={[...columns, { label: 'Actions', look: 'cell-actions', cell: actions }]}
    />
  )
}

const columns: readonly Column<PublishableKeyResource>[] = [
  {
    label: 'Name',
    look: 'cell-title',
    cell: ({ name, key, revoked_at }) => (
      <div>
        {name}
        <span className="cell-note">{revoked_at === null ? <code>{key.slice(0, 12)}…</code> : 'Revoked'}</span>
      </div>
    ),
  },
  {
    label: 'Pages',
    cell: ({ origins }) => (
      <ul>
        {origins.map(origin => (
          <li key={origin}>{origin}</li>
        ))}
      </ul>
    ),
  },
  {
    label: 'Shows',
    cell: ({ template_ids, width, watermark, loads_per_day }) => (
      <div>
        {template_ids === null ? 'All shared templates' : countOfTemplates(template_ids)}
        <span className="cell-note">
          {width} px · {watermark === null ? 'no watermark' : `“${watermark}”`} · {formatCount(loads_per_day)} loads per
          day
        </span>
      </div>
    ),
  },
  { label: 'Created', cell: ({ created_at }) => <Moment iso={created_at} /> },
]

const countOfTemplates = ({ length }: readonly string[]): string =>
  length === 1 ? 'One template' : `${formatCount(length)} templates`

function UseKey({ shown, onClose }: { shown: PublishableKeyResource; onClose: () => void }) {
  const { service } = useSession()
  const { origin } = new URL(service.base_url)
  return (
    <Dialog title={`The publishable key “${shown.name}”`} onClose={onClose}>
      <div className="row">
        <code className="breaking">{shown.key}</code>
        <CopyButton text={shown.key} what="the key" />
      </div>
      <p>Use it on the sites that you named. This is all that a product page needs:</p>
      <Snippet
        code={elementSnippet({ origin, key: shown.key, templateId: shown.template_ids?.[0] })}
        what="the element"
      />
    </Dialog>
  )
}

function RevokeKey({ revoking, onClose }: { revoking: PublishableKeyResource; onClose: () => void }) {
  const revoke = async () => {
    await act(`/dashboard/api/publishable-keys/${encodeURIComponent(revoking.id)}/revoke`)
    await queryClient.invalidateQueries(keysQuery)
    announce(`Revoked the publishable key ${revoking.name}.`)
    onClose()
  }
  return (
    <ActionDialog
      title={`Revoke publishable key “${revoking.name}”?`}
      label={`Revoke ${revoking.name}`}
      action={revoke}
      onClose={onClose}
      isDestructive
    >
      <p>Pages with it show their own pictures instead of previews from now on. This can't be undone.</p>
    </ActionDialog>
  )
}
