/** Whether a template is private or shared, on its page and in the editor; operators can change it. */
import type { DashboardTemplate } from '@vitrine/contract'
import { useState } from 'react'
import { act } from '../api.ts'
import { asError } from '../as-error.ts'
import { queryClient, useSession } from '../session/session.ts'
import { announce } from './announcer.tsx'
import { Button } from './controls.tsx'
import { Dialog } from './dialog.tsx'
import { Failure } from './states.tsx'

export function TemplateSharing({ template: { id, name, owner, editable } }: { template: DashboardTemplate }) {
  const { account } = useSession()
  const [asking, setAsking] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const isShared = owner === 'shared'
  const change = async () => {
    try {
      await act(`/dashboard/api/templates/${id}/share`, { shared: !isShared })
      for (const queryKey of [['templates'], ['template', id]]) await queryClient.invalidateQueries({ queryKey })
      announce(isShared ? `${name} is private.` : `${name} is shared with every account.`)
      setAsking(false)
    } catch (failure) {
      setError(asError(failure))
    }
  }
  const label = isShared ? 'Make it private' : 'Share with every account'
  return (
    <div className="row">
      <SharingWords isShared={isShared} />
      {editable && account.role === 'operator' && (
        <Button className="button-small" onClick={() => setAsking(true)}>
          {label}…
        </Button>
      )}
      {asking && (
        <Dialog
          title={isShared ? `Make “${name}” private?` : `Share “${name}” with every account?`}
          onClose={() => {
            setAsking(false)
            setError(null)
          }}
          isDestructive={isShared}
          actions={
            <Button look={isShared ? 'danger' : 'primary'} onClick={() => void change()}>
              {label}
            </Button>
          }
        >
          <p>
            {isShared ? (
              <>
                It becomes a template of this account. Requests of all others for <code>{id}</code> answer “template not
                found” from now on.
              </>
            ) : (
              <>
                Every account sees it from now on, and renders it as <code>{id}</code>.
              </>
            )}
          </p>
          {error !== null && <Failure error={error} />}
        </Dialog>
      )}
    </div>
  )
}

/** Who can see a template, and who can change that. */
export function SharingWords({ isShared }: { isShared: boolean }) {
  const { account } = useSession()
  const others = account.role === 'operator' ? '' : ' Operators of this service may share it.'
  return (
    <span className="quiet small">
      <strong>{isShared ? 'Shared' : 'Private'}</strong>
      {isShared ? ': every account sees it and may render it.' : `: only this account sees it.${others}`}
    </span>
  )
}
