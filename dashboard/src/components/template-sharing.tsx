/** Whether a template is private or shared, on its page and in the editor; operators can change it. */
import type { DashboardTemplate } from '@vitrine/contract'
import { useState } from 'react'
import { act } from '../api.ts'
import { queryClient, useSession } from '../session/session.ts'
import { ActionDialog } from './action-dialog.tsx'
import { announce } from './announcer.tsx'
import { Button } from './controls.tsx'

export function TemplateSharing({ template: { id, name, owner, editable } }: { template: DashboardTemplate }) {
  const { account } = useSession()
  const [asking, setAsking] = useState(false)
  const isShared = owner === 'shared'
  const change = async () => {
    await act(`/dashboard/api/templates/${id}/share`, { shared: !isShared })
    for (const queryKey of [['templates'], ['template', id]]) await queryClient.invalidateQueries({ queryKey })
    announce(isShared ? `${name} is private.` : `${name} is shared with every account.`)
    setAsking(false)
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
        <ActionDialog
          title={isShared ? `Make “${name}” private?` : `Share “${name}” with every account?`}
          label={label}
          action={change}
          onClose={() => setAsking(false)}
          isDestructive={isShared}
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
        </ActionDialog>
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
