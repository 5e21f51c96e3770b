/** Sign-in with a password, and with a second factor where the account has one. */

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { signInAnswerSchema } from '@vitrine/contract'
import { type FormEvent, useState } from 'react'
import { act, post } from '../api.ts'
import { asError } from '../as-error.ts'
import { Button, Field } from '../components/controls.tsx'
import { forgetText } from '../components/kept-text.ts'
import { SignedOutPage } from '../components/signed-out-page.tsx'
import { Failure } from '../components/states.tsx'
import { textField } from '../fields.ts'
import { queryClient, signInOptionsQuery } from '../session/session.ts'

export function SignIn() {
  const navigate = useNavigate()
  const { to, step: first = 'password' } = useSearch({ from: '/sign-in' })
  const [step, setStep] = useState<'password' | 'code' | 'backup'>(first)
  const [error, setError] = useState<Error | null>(null)
  const options = useQuery(signInOptionsQuery)
  const [busy, setBusy] = useState(false)

  const turnTo = (next: typeof step) => {
    setError(null)
    setStep(next)
  }
  const enter = async () => {
    forgetText('sign-in')
    queryClient.clear()
    await navigate({ to: to ?? '/', replace: true })
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    setBusy(true)
    setError(null)
    try {
      if (step === 'code') {
        await act('/dashboard/auth/two-factor/verify-totp', { code: textField(fields, 'code').replaceAll(' ', '') })
        await enter()
        return
      }
      if (step === 'backup') {
        await act('/dashboard/auth/two-factor/verify-backup-code', { code: textField(fields, 'backup').trim() })
        await enter()
        return
      }
      const credentials = { email: fields.get('email'), password: fields.get('password') }
      const answer = await post('/dashboard/auth/sign-in/email', credentials, signInAnswerSchema)
      if (answer.twoFactorRedirect === true) setStep('code')
      else await enter()
    } catch (failure) {
      setError(asError(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <SignedOutPage title={step === 'password' ? 'Sign in' : 'One more step'}>
      <form className="form" onSubmit={submit}>
        {step === 'password' ? (
          <>
            <Field label="E-mail" name="email" keepAs="sign-in email" type="email" autoComplete="username" required />
            <Field label="Password" name="password" type="password" autoComplete="current-password" required />
          </>
        ) : step === 'backup' ? (
          <Field
            label="Backup code"
            name="backup"
            autoComplete="off"
            required
            autoFocus
            help="One of those that you kept when you set the second factor up. Each works once."
          />
        ) : (
          <Field
            label="Code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            autoFocus
            help="The six digits that your authenticator app shows."
          />
        )}
        {error !== null && <Failure error={error} />}
        <Button look="primary" type="submit" aria-busy={busy}>
          {busy ? 'Signing in…' : 'Sign in'}
        </Button>
      </form>
      {step === 'code' && <Button onClick={() => turnTo('backup')}>I don’t have the app at hand</Button>}
      {step !== 'password' && <Button onClick={() => turnTo('password')}>Back to the password</Button>}
      <p className="row">
        <Link to="/reset">Forgot your password?</Link>
        {options.data?.sign_up === true && <Link to="/sign-up">Create an account</Link>}
      </p>
    </SignedOutPage>
  )
}
