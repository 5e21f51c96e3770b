/** Sign-in with a password, and with a second factor if the account has one. */
import { signInAnswerSchema } from '@vitrine/contract'
import { act, post } from '../api.ts'
import { textField } from '../fields.ts'
import { Button, Field } from './controls.tsx'
import { forgetText } from './saved-text.ts'
import { Failure } from './states.tsx'
import { useAction } from './use-action.ts'

export type SignInStep = 'password' | 'code' | 'backup'

type SignInFormProps = {
  /** The account's e-mail, if known. */
  email?: string
  step: SignInStep
  onStep: (step: SignInStep) => void
  onSignedIn: () => Promise<void>
}

export function SignInForm({ email, step, onStep, onSignedIn }: SignInFormProps) {
  const {
    error,
    isBusy: busy,
    submit,
    forgetError,
  } = useAction(async fields => {
    if (step === 'code') {
      await act('/dashboard/auth/two-factor/verify-totp', { code: textField(fields, 'code').replaceAll(' ', '') })
    } else if (step === 'backup') {
      await act('/dashboard/auth/two-factor/verify-backup-code', { code: textField(fields, 'backup').trim() })
    } else {
      const credentials = { email: fields.get('email'), password: fields.get('password') }
      const answer = await post('/dashboard/auth/sign-in/email', credentials, signInAnswerSchema)
      if (answer.twoFactorRedirect === true) {
        onStep('code')
        return
      }
    }
    forgetText('sign-in')
    await onSignedIn()
  })
  const turnTo = (next: SignInStep) => {
    forgetError()
    onStep(next)
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
