/** Requests a reset link or, with a link's token, sets the new password. */

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { act } from '../api.ts'
import { announce } from '../components/announcer.tsx'
import { Button, Field } from '../components/controls.tsx'
import { NewPasswordField } from '../components/new-password-field.tsx'
import { SignedOutPage } from '../components/signed-out-page.tsx'
import { Failure } from '../components/states.tsx'
import { useAction } from '../components/use-action.ts'
import { signInOptionsQuery } from '../session/session.ts'

export function Reset() {
  const navigate = useNavigate()
  const options = useQuery(signInOptionsQuery)
  // In the fragment, so that it is never logged.
  const [token] = useState(() => location.hash.slice(1) || undefined)
  const [sent, setSent] = useState(false)
  const { error, submit } = useAction(async fields => {
    if (token === undefined) {
      await act('/dashboard/auth/request-password-reset', { email: fields.get('email') })
      setSent(true)
      return
    }
    await act('/dashboard/auth/reset-password', { newPassword: fields.get('password'), token })
    announce('Your password is changed. Sign in with it.')
    await navigate({ to: '/sign-in', replace: true })
  }, 'sign-in')
  return (
    <SignedOutPage title={token === undefined ? 'Reset your password' : 'Choose a new password'}>
      {sent ? (
        <p>
          If there is an account with this address, a link is on its way to it. It works once, for an hour.{' '}
          {options.data?.mail === false && 'This service sends no mail: ask its operator, whose log shows the link.'}
        </p>
      ) : (
        <form className="form" onSubmit={submit}>
          {token === undefined ? (
            <Field label="E-mail" name="email" saveAs="sign-in email" type="email" autoComplete="username" required />
          ) : (
            <NewPasswordField label="New password" help="All other sessions end." />
          )}
          {error !== null && <Failure error={error} />}
          <Button look="primary" type="submit">
            {token === undefined ? 'Send the link' : 'Change password'}
          </Button>
        </form>
      )}
      <Link to="/sign-in">Back to sign in</Link>
    </SignedOutPage>
  )
}
