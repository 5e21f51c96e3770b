import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { ApiError, post } from '../api.ts'
import { asError } from '../as-error.ts'
import { Button, Field } from '../components/controls.tsx'
import { Failure } from '../components/states.tsx'
import { textField } from '../fields.ts'
import { queryClient } from '../session/session.ts'

export function SignUp() {
  const navigate = useNavigate()
  const [error, setError] = useState<Error | null>(null)
  const [sent, setSent] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    setError(null)
    try {
      const email = textField(fields, 'email')
      const { token } = await post<{ token: string | null }>('/dashboard/auth/sign-up/email', {
        name: email,
        email,
        password: fields.get('password'),
      })
      queryClient.clear()
      if (token === null) setSent(true)
      else await navigate({ to: '/', replace: true })
    } catch (failure) {
      setError(asError(failure))
    }
  }
  if (sent) {
    return (
      <main className="door">
        <h1>Look into your mail</h1>
        <p>If this address can have an account, a message with a link is on its way. Open the link to finish.</p>
        <Link to="/sign-in">Back to sign in</Link>
      </main>
    )
  }
  const passwordError = error instanceof ApiError && error.code.startsWith('PASSWORD') ? error.message : undefined
  return (
    <main className="door">
      <h1>Create an account</h1>
      <form className="form" onSubmit={submit}>
        <Field label="E-mail" name="email" type="email" autoComplete="username" required />
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
    </main>
  )
}
