/** Asks for a reset link, or, with the token of one, sets the new password. */

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { post } from '../api.ts'
import { asError } from '../as-error.ts'
import { announce } from '../components/announcer.tsx'
import { Button, Field } from '../components/controls.tsx'
import { Door } from '../components/door.tsx'
import { forgetText } from '../components/kept-text.ts'
import { Failure } from '../components/states.tsx'
import { doorQuery } from '../session/session.ts'

export function Reset() {
  const navigate = useNavigate()
  const door = useQuery(doorQuery)
  // In the fragment, so that no log ever sees it.
  const [token] = useState(() => location.hash.slice(1) || undefined)
  const [error, setError] = useState<Error | null>(null)
  const [sent, setSent] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    setError(null)
    try {
      if (token === undefined) {
        await post('/dashboard/auth/request-password-reset', { email: fields.get('email') })
        forgetText('door')
        setSent(true)
        return
      }
      await post('/dashboard/auth/reset-password', { newPassword: fields.get('password'), token })
      announce('Your password is changed. Sign in with it.')
      await navigate({ to: '/sign-in', replace: true })
    } catch (failure) {
      setError(asError(failure))
    }
  }
  return (
    <Door title={token === undefined ? 'Reset your password' : 'Choose a new password'}>
      {sent ? (
        <p>
          If there is an account with this address, a link is on its way to it. It works once, for 30 minutes.{' '}
          {door.data?.mail === false && 'This service sends no mail: ask its operator, whose log shows the link.'}
        </p>
      ) : (
        <form className="form" onSubmit={submit}>
          {token === undefined ? (
            <Field label="E-mail" name="email" keepAs="door email" type="email" autoComplete="username" required />
          ) : (
            <Field
              label="New password"
              name="password"
              type="password"
              autoComplete="new-password"
              minLength={8}
              maxLength={128}
              required
              help="All other sessions end."
            />
          )}
          {error !== null && <Failure error={error} />}
          <Button look="primary" type="submit">
            {token === undefined ? 'Send the link' : 'Change password'}
          </Button>
        </form>
      )}
      <Link to="/sign-in">Back to sign in</Link>
    </Door>
  )
}
