import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { SignInForm, type SignInStep } from '../components/sign-in-form.tsx'
import { SignedOutPage } from '../components/signed-out-page.tsx'
import { queryClient, signInOptionsQuery } from '../session/session.ts'

export function SignIn() {
  const navigate = useNavigate()
  const { to, step: first = 'password' } = useSearch({ from: '/sign-in' })
  const [step, setStep] = useState<SignInStep>(first)
  const options = useQuery(signInOptionsQuery)
  const enter = async () => {
    queryClient.clear()
    await navigate({ to: to ?? '/', replace: true })
  }
  return (
    <SignedOutPage title={step === 'password' ? 'Sign in' : 'One more step'}>
      <SignInForm step={step} onStep={setStep} onSignedIn={enter} />
      <p className="row">
        <Link to="/reset">Forgot your password?</Link>
        {options.data?.sign_up === true && <Link to="/sign-up">Create an account</Link>}
      </p>
    </SignedOutPage>
  )
}
