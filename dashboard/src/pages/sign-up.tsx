import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { ApiError, post } from '../api.ts'
import { asError } from '../as-error.ts'
import { Button, Field } from '../components/controls.tsx'
import { Door } from '../components/door.tsx'
import { forgetText } from '../components/kept-text.ts'
import { Failure } from '../components/states.tsx'
import { textField } from '../fields.ts'
import { doorQuery } from '../session/session.ts'

export function SignUp() {
  const door = useQuery(doorQuery)
  const [error, setError] = useState<Error | null>(null)
  const [sent, setSent] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    setError(null)
    try {
      const email = textField(fields, 'email')
      await post('/dashboard/auth/sign-up/email', { name: email, email, password: fields.get('password') })
      forgetText('door')
      setSent(true)
    } catch (failure) {
      setError(asError(failure))
    }
  }
  if (door.data?.sign_up === false) {
    return (
      <Door title="No accounts to be had here">
        <p>This service makes no accounts by itself. Ask the person who runs it for one.</p>
        <Link to="/sign-in">Back to sign in</Link>
      </Door>
    )
  }
  if (sent) {
    return (
      <Door title="Look into your mail">
        <p>If this address can have an account, a message with a link is on its way. Open the link to finish.</p>
        {door.data?.mail === false && (
          <p>This service sends no mail: ask its operator, whose log shows the link, to give it to you.</p>
        )}
        <Link to="/sign-in">Back to sign in</Link>
      </Door>
    )
  }
  const passwordError = error instanceof ApiError && error.code.startsWith('PASSWORD') ? error.message : undefined
  return (
    <Door title="Create an account">
      <form className="form" onSubmit={submit}>
        <Field label="E-mail" name="email" keepAs="door email" type="email" autoComplete="username" required />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={8}
          maxLength={128}
          required
          error={passwordError}
          help="8 characters at the least. A sentence of your own is easiest to remember."
        />
        {error !== null && passwordError === undefined && <Failure error={error} />}
        <Button look="primary" type="submit">
          Create account
        </Button>
      </form>
      <p>
        You have one? <Link to="/sign-in">Sign in</Link>
      </p>
    </Door>
  )
}
