import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError, act } from '../api.ts'
import { Button, Field } from '../components/controls.tsx'
import { NewPasswordField } from '../components/new-password-field.tsx'
import { SignedOutPage } from '../components/signed-out-page.tsx'
import { Failure } from '../components/states.tsx'
import { useAction } from '../components/use-action.ts'
import { textField } from '../fields.ts'
import { signInOptionsQuery } from '../session/session.ts'

export function SignUp() {
  const options = useQuery(signInOptionsQuery)
  const [sent, setSent] = useState(false)
  const { error, submit } = useAction(async fields => {
    const email = textField(fields, 'email')
    await act('/dashboard/auth/sign-up/email', { name: email, email, password: fields.get('password') })
    setSent(true)
  }, 'sign-in')
  if (options.data?.sign_up === false) {
    return (
      <SignedOutPage title="Sign-up is closed">
        <p>Ask the person who runs this service for an account.</p>
        <Link to="/sign-in">Back to sign in</Link>
      </SignedOutPage>
    )
  }
  if (sent) {
    return (
      <SignedOutPage title="Check your e-mail">
        <p>If this address can have an account, a message with a link is on its way. Open the link to finish.</p>
        {options.data?.mail === false && (
          <p>This service sends no mail: ask its operator, whose log shows the link, to give it to you.</p>
        )}
        <Link to="/sign-in">Back to sign in</Link>
      </SignedOutPage>
    )
  }
  const passwordError = error instanceof ApiError && error.code.startsWith('PASSWORD') ? error.message : undefined
  return (
    <SignedOutPage title="Create an account">
      <form className="form" onSubmit={submit}>
        <Field label="E-mail" name="email" saveAs="sign-in email" type="email" autoComplete="username" required />
        <NewPasswordField
          label="Password"
          error={passwordError}
          help="At least 8 characters. A sentence of your own is easiest to remember."
        />
        {error !== null && passwordError === undefined && <Failure error={error} />}
        <Button look="primary" type="submit">
          Create account
        </Button>
      </form>
      <p>
        Already have an account? <Link to="/sign-in">Sign in</Link>
      </p>
    </SignedOutPage>
  )
}
