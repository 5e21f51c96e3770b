/** The dialog over a page whose session has ended. The page stays, and continues after signing in. */
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { Dialog } from '../components/dialog.tsx'
import { SignInForm, type SignInStep } from '../components/sign-in-form.tsx'
import { queryClient, sessionQuery, useSession } from '../session/session.ts'
import { signInPrompt } from '../sign-in-prompt.ts'

export function SignInAgain() {
  useEffect(() => signInPrompt.offer(), [])
  return useSyncExternalStore(signInPrompt.subscribe, signInPrompt.isAsking) ? <SignInDialog /> : null
}

function SignInDialog() {
  const { account } = useSession()
  const [step, setStep] = useState<SignInStep>('password')
  const goOn = useCallback(async () => {
    const { account: now } = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0, retry: false })
    // The page shows another account's data.
    if (now.id !== account.id) location.reload()
    else signInPrompt.answer(true)
  }, [account.id])
  useEffect(() => {
    // Signing in in another tab, by a link for example, applies to this tab too.
    const onReturn = () => {
      if (document.visibilityState === 'visible') goOn().catch(() => undefined)
    }
    document.addEventListener('visibilitychange', onReturn)
    return () => document.removeEventListener('visibilitychange', onReturn)
  }, [goOn])
  return (
    <Dialog title="Sign in to continue" onClose={() => signInPrompt.answer(false)} actions={<OtherWays />}>
      <p>Your session as {account.email} has ended. Your work is saved and continues when you have signed in.</p>
      <SignInForm email={account.email} step={step} onStep={setStep} onSignedIn={goOn} />
    </Dialog>
  )
}

/** In a new tab, so that this page stays. */
function OtherWays() {
  return (
    <a className="button button-quiet" href="/reset" target="_blank" rel="noreferrer">
      Forgot your password?
    </a>
  )
}
