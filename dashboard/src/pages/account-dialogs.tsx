/** Operators' actions on an account, each in a dialog. */

import { type DashboardAccount, type Invitation, invitationSchema, limits } from '@vitrine/contract'
import { useState } from 'react'
import { act, post } from '../api.ts'
import { ActionDialog } from '../components/action-dialog.tsx'
import { announce } from '../components/announcer.tsx'
import { CopyButton, Field } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Moment } from '../components/moment.tsx'
import { savedText } from '../components/saved-text.ts'
import { textField } from '../fields.ts'
import { formatCount, formatCredits, formatMomentUtc } from '../format.ts'
import { queryClient } from '../session/session.ts'

const refresh = () => queryClient.invalidateQueries({ queryKey: ['accounts'] })
const pathOf = ({ id }: DashboardAccount, action: string) =>
  `/dashboard/api/accounts/${encodeURIComponent(id)}/${action}`

type InviteProps = { onClose: () => void; onInvited: (invitation: Invitation) => void }

export function CreateAccount({ onClose, onInvited }: InviteProps) {
  const create = async (fields: FormData) => {
    const wanted = { email: textField(fields, 'email'), credits: Number(textField(fields, 'credits')) }
    const invitation = await post('/dashboard/api/accounts', wanted, invitationSchema)
    await refresh()
    announce(`Created the account of ${invitation.email}.`)
    onInvited(invitation)
  }
  return (
    <ActionDialog
      title="Create an account"
      label="Create account"
      action={create}
      onClose={onClose}
      form="create-account"
    >
      <Field
        label="E-mail"
        name="email"
        saveAs="create-account email"
        type="email"
        required
        maxLength={254}
        autoFocus
        autoComplete="off"
      />
      <Field
        label="Starting credits"
        name="credits"
        saveAs="create-account credits"
        type="number"
        min={0}
        max={10_000_000}
        step={1}
        required
        defaultValue="0"
        help="One credit makes one mockup."
      />
    </ActionDialog>
  )
}

/** Says how the link reaches its recipient. The link exists only in this component's state. */
export function Invited({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const { email, sign_in_url, expires_at } = invitation
  const [isCopied, setCopied] = useState(false)
  if (sign_in_url === null)
    return (
      <Dialog title={`A link is on its way to ${email}`} onClose={onClose}>
        <p>
          It signs in once, until <Moment iso={expires_at} />. Later they choose a password with “Forgot your
          password?”.
        </p>
      </Dialog>
    )
  const message = [
    `You have an account at ${location.origin}. This link signs you in, once, until ${formatMomentUtc(expires_at)}:`,
    sign_in_url,
    'Once signed in, choose a password under Account for signing in from then on.',
  ].join('\n\n')
  const onCopied = () => setCopied(true)
  return (
    <Dialog
      title={`A sign-in link for ${email}`}
      onClose={onClose}
      closeQuestion={isCopied ? undefined : 'Have you copied the link?'}
    >
      <p>
        <strong>This service sends no mail: give them this link yourself.</strong> It signs in once, until{' '}
        <Moment iso={expires_at} />, and is shown only once. Once signed in, they choose a password.
      </p>
      <div className="row">
        <code className="breaking">{sign_in_url}</code>
        <CopyButton text={sign_in_url} what="the link" onCopied={onCopied} />
      </div>
      <div className="row">
        <CopyButton text={message} what="a message to send" label="a message with it" onCopied={onCopied} isPrimary />
      </div>
    </Dialog>
  )
}

export function Invite({ account, onClose, onInvited }: InviteProps & { account: DashboardAccount }) {
  const invite = async () => {
    onInvited(await post(pathOf(account, 'sign-in-link'), {}, invitationSchema))
  }
  return (
    <ActionDialog
      title={`A sign-in link for ${account.email}?`}
      label="Create the link"
      action={invite}
      onClose={onClose}
    >
      <p>
        It signs in without a password, once, within {limits.handedLinkHours} hours, and asks for the second factor if
        the account has one. Make sure that only they receive it. The audit records it.
      </p>
    </ActionDialog>
  )
}

type DeleteProps = { account: DashboardAccount; onClose: () => void; onDeleted: () => void }

export function Delete({ account, onClose, onDeleted }: DeleteProps) {
  const remove = async (fields: FormData) => {
    await act(pathOf(account, 'delete'), { email: textField(fields, 'email') })
    announce(`Deleted ${account.email}.`)
    onDeleted()
    await refresh()
  }
  return (
    <ActionDialog
      title={`Delete ${account.email}?`}
      label={`Delete ${account.email}`}
      action={remove}
      onClose={onClose}
      look="danger"
    >
      <p>
        Keys stop working, private templates and the address are erased, {formatCredits(account.spendable_credits)} are
        lost. The ledger keeps amounts without a name. This can't be undone.
      </p>
      <Field label={`Type ${account.email} to confirm`} name="email" required autoComplete="off" />
    </ActionDialog>
  )
}

export function Grant({ account, onClose }: { account: DashboardAccount; onClose: () => void }) {
  const form = `grant-${account.id}`
  const [credits, setCredits] = useState(() => savedText(`${form} credits`) ?? '100')
  // One grant per form: a request that is sent twice has the same id.
  const [grantId] = useState(() => crypto.randomUUID())
  const grant = async (fields: FormData) => {
    await act(pathOf(account, 'grant'), { credits: Number(credits), reason: fields.get('reason'), grant_id: grantId })
    await refresh()
    announce(`Granted ${formatCredits(Number(credits))} to ${account.email}.`)
    onClose()
  }
  return (
    <ActionDialog
      title={`Grant credits to ${account.email}`}
      label={`Grant ${formatCredits(Number(credits) || 0)}`}
      action={grant}
      onClose={onClose}
      form={form}
    >
      <Field
        label="Credits"
        saveAs={`${form} credits`}
        type="number"
        min={1}
        max={10_000_000}
        step={1}
        required
        value={credits}
        onChange={event => setCredits(event.currentTarget.value)}
        help={`Balance after: ${formatCount(account.spendable_credits + (Number(credits) || 0))}`}
      />
      <Field
        label="Reason"
        name="reason"
        saveAs={`${form} reason`}
        required
        maxLength={200}
        help="The customer sees it with the movement."
      />
    </ActionDialog>
  )
}

export function Suspend({ account, onClose }: { account: DashboardAccount; onClose: () => void }) {
  const suspend = account.suspended_at === null
  const change = async () => {
    const turn = async (action: 'suspend' | 'restore') => {
      await act(pathOf(account, action))
      await refresh()
    }
    await turn(suspend ? 'suspend' : 'restore')
    announce(suspend ? `Suspended ${account.email}.` : `Restored ${account.email}.`, {
      undo: () => turn(suspend ? 'restore' : 'suspend'),
    })
    onClose()
  }
  return (
    <ActionDialog
      title={suspend ? `Suspend ${account.email}?` : `Restore ${account.email}?`}
      label={suspend ? 'Suspend' : 'Restore'}
      action={change}
      onClose={onClose}
      isDestructive
    >
      <p>
        {suspend
          ? 'Its keys stop working and its sessions end at once. Credits, keys and the ledger stay as they are; you can restore it.'
          : 'Its keys work again from now on.'}
      </p>
    </ActionDialog>
  )
}
