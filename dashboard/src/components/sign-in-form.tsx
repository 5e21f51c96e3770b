/** Sign-in with a password, and with a second factor if the account has one. */
import { signInAnswerSchema } from '@vitrine/contract'
import { type FormEvent, useState } from 'react'
import { act, post } from '../api.ts'
import { asError } from '../as-error.ts'
import { textField } from '../fields.ts'
import { Button, Field } from './controls.tsx'
import { forgetText } from './saved-text.ts'
import { Failure } from './states.tsx'

export type SignInStep = 'password' | 'code' | 'backup'

type SignInFormProps = {
  /** The account's e-mail, if known. */
  email?: string
  step: SignInStep
  onStep: (step: SignInStep) => void
  onSignedIn: () => Promise<void>
}

export function SignInForm({ email, step, onStep, onSignedIn }: SignInFormProps) {
  const [error, setError] = useState<Error | null>(null)
  const [busy, setBusy] = useState(false)
  const turnTo = (next: SignInStep) => {
    setError(null)
    onStep(next)
  }
  const enter = async () => {
    forgetText('sign-in')
    await onSignedIn()
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
      if (answer.twoFactorRedirect === true) onStep('code')
      else await enter()
    } catch (failure) {
      setError(asError(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <form className="form" onSubmit={submit}>
        {step === 'password' ? (
          <>
            <Field
              label="E-mail"
              name="email"
              {...(email === undefined ? { saveAs: 'sign-in email' } : { defaultValue: email })}
              type="email"
              autoComplete="username"
              required
            />
            <Field label="Password" name="password" type="password" autoComplete="current-password" required />
          </>
        ) : step === 'backup' ? (
          <Field
            label="Backup code"
            name="backup"
            autoComplete="off"
            required
            autoFocus
            help="One of the codes that you saved when you set up the second factor. Each works once."
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
      {step === 'code' && <Button onClick={() => turnTo('backup')}>I don’t have the app</Button>}
      {step !== 'password' && <Button onClick={() => turnTo('password')}>Back to the password</Button>}
    </>
  )
}
