/** The signed-in account: address, password, second factor, sessions, deletion. */

import './account.css'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type SecondFactor as Enrolment, openSessionsSchema, secondFactorSchema } from '@vitrine/contract'
import { type ReactNode, useRef, useState } from 'react'
import { act, get, post } from '../api.ts'
import { ActionDialog } from '../components/action-dialog.tsx'
import { announce } from '../components/announcer.tsx'
import { Button, CopyButton, Field, Select, SmallButton } from '../components/controls.tsx'
import { Moment } from '../components/moment.tsx'
import { NewPasswordField } from '../components/new-password-field.tsx'
import { Page } from '../components/page.tsx'
import { QrCode } from '../components/qr-code.tsx'
import { Failure, Loading } from '../components/states.tsx'
import { useAction, useWork } from '../components/use-action.ts'
import { textField } from '../fields.ts'
import { queryClient, sessionQuery, useSession } from '../session/session.ts'
import { forgetPerson } from '../shell/sign-out.ts'
import { chooseTheme, chosenTheme, themeOf, themes } from '../theme.ts'
import { RecentEvents } from './recent-events.tsx'

const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => get('/dashboard/api/account/sessions', openSessionsSchema, signal),
})
const refreshSession = () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })

/** A form that posts its fields and reports success or failure. */
function ActionForm({
  action,
  done,
  children,
  label,
}: {
  action: (fields: FormData) => Promise<unknown>
  done: string
  children: ReactNode
  label: string
}) {
  const [success, setSuccess] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const { error, submit } = useAction(async fields => {
    setSuccess(false)
    await action(fields)
    form.current?.reset()
    setSuccess(true)
    announce(done)
  }, 'account')
  return (
    <form className="form" ref={form} onSubmit={submit}>
      {children}
      {error !== null && <Failure error={error} />}
      {success && <p className="notice">{done}</p>}
      <div>
        <Button type="submit">{label}</Button>
      </div>
    </form>
  )
}

function Appearance() {
  const [theme, setTheme] = useState(chosenTheme)
  return (
    <section className="panel stack">
      <h2>Appearance</h2>
      <div className="form">
        <Select
          label="Theme in this browser"
          value={theme}
          options={Object.entries(themes).map(([value, label]) => ({ value, label }))}
          onChange={event => {
            const chosen = themeOf(event.currentTarget.value)
            chooseTheme(chosen)
            setTheme(chosen)
          }}
        />
      </div>
    </section>
  )
}

export function Account() {
  const { account, service } = useSession()
  return (
    <Page title="Account">
      <div className="stack">
        <section className="panel stack">
          <h2>E-mail</h2>
          <p>
            {account.email}{' '}
            {service.mail && !account.email_verified && <span className="quiet">(not verified yet)</span>}
          </p>
          <ActionForm
            label="Change e-mail"
            done={
              service.mail
                ? 'A message with a link is on its way to the new address.'
                : 'A link to confirm the new address is in the operator’s log.'
            }
            action={fields =>
              act('/dashboard/api/account/email', {
                email: fields.get('email'),
                password: fields.get('password') ?? undefined,
              })
            }
          >
            <Field label="New e-mail" name="email" saveAs="account email" type="email" required autoComplete="email" />
            {account.has_password && (
              <Field label="Your password" name="password" type="password" required autoComplete="current-password" />
            )}
          </ActionForm>
        </section>
        <section className="panel stack">
          <h2>Password</h2>
          {account.has_password ? (
            <ActionForm
              label="Change password"
              done="Your password is changed and all other sessions have ended."
              action={fields =>
                act('/dashboard/auth/change-password', {
                  currentPassword: fields.get('current'),
                  newPassword: fields.get('password'),
                })
              }
            >
              <Field label="Current password" name="current" type="password" autoComplete="current-password" required />
              <NewPasswordField label="New password" />
            </ActionForm>
          ) : (
            <ActionForm
              label="Set password"
              done="Your password is set. Sign in with it from now on."
              action={async fields => {
                await act('/dashboard/api/account/password', { password: fields.get('password') })
                await refreshSession()
              }}
            >
              <p>You signed in with a link. Set a password to sign in without a link.</p>
              <NewPasswordField label="Password" help="At least 8 characters." />
            </ActionForm>
          )}
        </section>
        {account.has_password ? <SecondFactor enabled={account.two_factor_enabled} /> : <NoSecondFactorYet />}
        <Sessions />
        <Appearance />
        <RecentEvents />
        {account.role === 'operator' ? <NoDeletion /> : <Deletion />}
      </div>
    </Page>
  )
}

function NoSecondFactorYet() {
  return (
    <section className="panel stack">
      <h2>Second factor</h2>
      <p>A code from an authenticator app, in addition to the password: set a password first.</p>
    </section>
  )
}

function SecondFactor({ enabled }: { enabled: boolean }) {
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null)
  const secret = enrolment === null ? null : new URL(enrolment.totpURI).searchParams.get('secret')
  if (enabled) {
    return (
      <section className="panel stack">
        <h2>Second factor</h2>
        <p>Signing in asks for a code from your authenticator app.</p>
        <ActionForm
          label="Switch off"
          done="The second factor is off."
          action={async fields => {
            await act('/dashboard/auth/two-factor/disable', { password: fields.get('password') })
            await refreshSession()
          }}
        >
          <Field label="Password" name="password" type="password" autoComplete="current-password" required />
        </ActionForm>
      </section>
    )
  }
  return (
    <section className="panel stack">
      <h2>Second factor</h2>
      {enrolment === null || secret === null ? (
        <ActionForm
          label="Set up"
          done="Continue below."
          action={async fields =>
            setEnrolment(
              await post('/dashboard/auth/two-factor/enable', { password: fields.get('password') }, secondFactorSchema),
            )
          }
        >
          <p>A code from an authenticator app, in addition to the password.</p>
          <Field label="Password" name="password" type="password" autoComplete="current-password" required />
        </ActionForm>
      ) : (
        <>
          <div className="enrolment">
            <QrCode text={enrolment.totpURI} label="QR code for your authenticator app" />
            <div className="stack">
              <p>Scan this with your authenticator app. It is drawn in your browser; nothing is sent.</p>
              <p>
                Or type the secret: <code className="breaking">{secret}</code>{' '}
                <CopyButton text={secret} what="the secret" />, or <a href={enrolment.totpURI}>open the app</a> on this
                device.
              </p>
            </div>
          </div>
          <p>
            Save these codes with your passwords. If you lose the app, each works once:{' '}
            <CopyButton text={enrolment.backupCodes.join('\n')} what="the codes" />
          </p>
          <pre>{enrolment.backupCodes.join('\n')}</pre>
          <ActionForm
            label="Switch on"
            done="The second factor is on."
            action={async fields => {
              await act('/dashboard/auth/two-factor/verify-totp', {
                code: textField(fields, 'code').replaceAll(' ', ''),
              })
              await refreshSession()
            }}
          >
            <Field label="Code from the app" name="code" inputMode="numeric" autoComplete="one-time-code" required />
          </ActionForm>
        </>
      )}
    </section>
  )
}

function Sessions() {
  const sessions = useQuery(sessionsQuery)
  const end = async (path: string, done: string): Promise<void> => {
    await act(`/dashboard/api/account/sessions/${path}`)
    await sessions.refetch()
    announce(done)
  }
  const { error, run: endOthers } = useWork(() => end('end-others', 'All other sessions have ended.'))
  const open = sessions.data?.sessions ?? []
  return (
    <section className="panel stack">
      <h2>Sessions</h2>
      <p className="quiet">Browsers that are signed in to this account. End any that you don’t recognise.</p>
      <Loading query={sessions} rows={2} />
      {open.length > 0 && (
        <ul className="sessions">
          {open.map(session => (
            <li key={session.id}>
              <div>
                <strong>{session.browser}</strong>{' '}
                {session.current && <span className="session-current">This browser</span>}
                <p className="quiet">
                  {session.address ?? 'Unknown address'} · since <Moment iso={session.created_at} /> · last used{' '}
                  <Moment iso={session.last_used_at} />
                </p>
              </div>
              {!session.current && (
                <EndSession
                  browser={session.browser}
                  end={() => end(`${encodeURIComponent(session.id)}/end`, `Ended ${session.browser}.`)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {error !== null && <Failure error={error} />}
      {open.length > 1 && (
        <div>
          <Button onClick={() => void endOthers()}>End all others</Button>
        </div>
      )}
    </section>
  )
}

function NoDeletion() {
  return (
    <section className="panel stack">
      <h2>Delete this account</h2>
      <p>This account runs the service and cannot be deleted.</p>
    </section>
  )
}

function Deletion() {
  const { account } = useSession()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const remove = async (fields: FormData) => {
    await act('/dashboard/api/account/delete', {
      email: fields.get('email'),
      password: fields.get('password') ?? undefined,
    })
    forgetPerson()
    await navigate({ to: '/sign-in' })
  }
  return (
    <section className="panel stack">
      <h2>Delete this account</h2>
      <p>
        Keys stop working, private templates and your address are erased, remaining credits are lost. The ledger keeps
        the amounts, without your name.
      </p>
      <div>
        <Button look="danger" onClick={() => setAsking(true)}>
          Delete account…
        </Button>
      </div>
      {asking && (
        <ActionDialog
          title="Delete this account?"
          label={`Delete ${account.email}`}
          action={remove}
          onClose={() => setAsking(false)}
          look="danger"
        >
          <Field label={`Type ${account.email} to confirm`} name="email" required autoComplete="off" />
          {account.has_password && (
            <Field label="And your password" name="password" type="password" required autoComplete="current-password" />
          )}
        </ActionDialog>
      )}
    </section>
  )
}

/** Each session ends by itself: a second one may be ended while the first is still ending. */
function EndSession({ browser, end }: { browser: string; end: () => Promise<void> }) {
  const { error, run } = useWork(end)
  return (
    <>
      <SmallButton label="End" of={`the session of ${browser}`} onClick={() => void run()} />
      {error !== null && <Failure error={error} />}
    </>
  )
}
