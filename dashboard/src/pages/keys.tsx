import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { CreatedKey, DashboardKey, RotatedKey } from '@vitrine/contract'
import { useState } from 'react'
import { act } from '../api.ts'
import { ActionDialog } from '../components/action-dialog.tsx'
import { announce } from '../components/announcer.tsx'
import { Button, CopyButton, Select, SmallButton, Snippet } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { DocsLine } from '../components/docs-line.tsx'
import { Moment } from '../components/moment.tsx'
import { Pager } from '../components/pager.tsx'
import { SearchField } from '../components/search-field.tsx'
import { Empty, Loading } from '../components/states.tsx'
import { formatCount } from '../format.ts'
import { keyOrderOf, keyOrders, keysQuery } from '../queries/keys-query.ts'
import { templatesQuery } from '../queries/templates-query.ts'
import { queryClient, useSession } from '../session/session.ts'
import { curlSnippet } from '../snippets.ts'
import { CreateKey } from './create-key.tsx'
import { KeyTable } from './key-table.tsx'
import { PublishableKeys } from './publishable-keys.tsx'
import { RotateKey } from './rotate-key.tsx'
import { TryKey } from './try-key.tsx'

const route = getRouteApi('/signed-in/keys')

export function Keys() {
  const { search = '', page = 1, order = 'newest' } = route.useSearch()
  const navigate = route.useNavigate()
  const keys = useQuery(keysQuery({ page, search, order }))
  const [creating, setCreating] = useState(false)
  const [created, setCreated] = useState<CreatedKey | RotatedKey | null>(null)
  const [rotating, setRotating] = useState<DashboardKey | null>(null)
  const [revoking, setRevoking] = useState<DashboardKey | null>(null)
  const onSearch = (text: string) =>
    void navigate({ search: previous => ({ ...previous, search: text || undefined, page: undefined }), replace: true })
  return (
    <>
      <header className="page-head">
        <h1>Keys</h1>
        <Button look="primary" onClick={() => setCreating(true)}>
          Create key
        </Button>
      </header>
      <Loading query={keys} rows={5} />
      {keys.data?.in_all === 0 && (
        <Empty title="No keys yet">
          <p>
            A key lets your program make mockups. Use one for each program, so that you can revoke one without stopping
            the others.
          </p>
          <Button look="primary" onClick={() => setCreating(true)}>
            Create your first key
          </Button>
        </Empty>
      )}
      {keys.data !== undefined && keys.data.in_all > 0 && (
        <div className="stack">
          <div className="filters filters-two">
            <SearchField value={search} placeholder="Name or beginning of the key" onSearch={onSearch} />
            <Select
              label="Order"
              value={order}
              options={Object.entries(keyOrders).map(([value, label]) => ({ value, label }))}
              onChange={event => {
                const { value } = event.currentTarget
                void navigate({ search: previous => ({ ...previous, order: keyOrderOf(value), page: undefined }) })
              }}
            />
          </div>
          {keys.data.keys.length === 0 ? (
            <p>{search === '' ? 'There are no keys on this page.' : `No key matches “${search}”.`}</p>
          ) : (
            <KeyTable
              keys={keys.data.keys}
              requestsOf={(key, shown) => (
                <Link to="/requests" search={{ key: key.id }}>
                  {shown}
                </Link>
              )}
              actionsOf={key => <KeyActions apiKey={key} onRotate={setRotating} onRevoke={setRevoking} />}
            />
          )}
          <Pager
            page={page}
            totalPages={keys.data.total_pages}
            total={keys.data.total}
            what="keys"
            onPage={next => void navigate({ search: previous => ({ ...previous, page: next }) })}
          />
        </div>
      )}
      <PublishableKeys />
      {creating && (
        <CreateKey
          onClose={() => setCreating(false)}
          onCreated={key => {
            setCreating(false)
            setCreated(key)
          }}
        />
      )}
      {created !== null && <NewKey created={created} onClose={() => setCreated(null)} />}
      {rotating !== null && (
        <RotateKey
          apiKey={rotating}
          onClose={() => setRotating(null)}
          onRotated={key => {
            setRotating(null)
            setCreated(key)
          }}
        />
      )}
      {revoking !== null && <RevokeKey apiKey={revoking} onClose={() => setRevoking(null)} />}
    </>
  )
}

type KeyActionsProps = {
  apiKey: DashboardKey
  onRotate: (key: DashboardKey) => void
  onRevoke: (key: DashboardKey) => void
}

function KeyActions({ apiKey, onRotate, onRevoke }: KeyActionsProps) {
  if (apiKey.status !== 'active') return null
  return (
    <>
      {apiKey.replaced_by === null && <SmallButton label="Rotate" of={apiKey.name} onClick={() => onRotate(apiKey)} />}
      <SmallButton label="Revoke" of={apiKey.name} look="danger" onClick={() => onRevoke(apiKey)} />
    </>
  )
}

/** Shows a new key once: it exists only in this component's state. */
function NewKey({ created, onClose }: { created: CreatedKey | RotatedKey; onClose: () => void }) {
  const { service } = useSession()
  const [isCopied, setCopied] = useState(false)
  const templates = useInfiniteQuery(templatesQuery({}))
  const templateId = templates.data?.pages[0]?.templates[0]?.id ?? 'oak-frame-portrait'
  return (
    <Dialog
      title={`The key “${created.name}”`}
      onClose={onClose}
      closeQuestion={isCopied ? undefined : 'Have you copied the key?'}
    >
      <p>
        <strong>Copy it now: it is shown only once.</strong> Store it with your secrets, never in a web page or an app
        that others can open.
      </p>
      <div className="row">
        <code className="breaking">{created.key}</code>
        <CopyButton text={created.key} what="the key" onCopied={() => setCopied(true)} />
      </div>
      {'old_key_ends_at' in created ? (
        <p>
          Put it where the old key is: that one works until <Moment iso={created.old_key_ends_at} />.
        </p>
      ) : (
        <>
          <p>Your first mockup, with a picture of yours:</p>
          <Snippet code={curlSnippet({ baseUrl: service.base_url, key: created.key, templateId })} what="the command" />
          <TryKey apiKey={created.key} templateId={templateId} baseUrl={service.base_url} />
          <DocsLine />
        </>
      )}
    </Dialog>
  )
}

function RevokeKey({ apiKey, onClose }: { apiKey: DashboardKey; onClose: () => void }) {
  const revoke = async () => {
    await act(`/dashboard/api/keys/${encodeURIComponent(apiKey.id)}/revoke`)
    await queryClient.invalidateQueries({ queryKey: ['keys'] })
    announce(`Revoked the key ${apiKey.name}.`)
    onClose()
  }
  return (
    <ActionDialog
      title={`Revoke key “${apiKey.name}”?`}
      label={`Revoke ${apiKey.name}`}
      action={revoke}
      onClose={onClose}
      isDestructive
    >
      <p>
        Requests with it fail from now on. This can't be undone.
        {apiKey.last_used_at !== null && (
          <>
            {' '}
            It was last used <Moment iso={apiKey.last_used_at} /> and has sent {formatCount(apiKey.request_count)}{' '}
            requests.
          </>
        )}
      </p>
    </ActionDialog>
  )
}
