/** Opens a link that signs in or confirms an address. Its token is in the fragment, which no log sees. */
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { act } from '../api.ts'
import { announce } from '../components/announcer.tsx'
import { SignedOutPage } from '../components/signed-out-page.tsx'
import { Failure } from '../components/states.tsx'
import { isSignedIn, queryClient } from '../session/session.ts'

type Way = { readonly doing: string; readonly action: string; readonly expired: string }

const signIn: Way = {
  doing: 'Signing you in…',
  action: '/dashboard/auth/magic-link/verify',
  expired: 'The link was used before, or is older than 15 minutes. Ask the operator for a new one.',
}
const confirm: Way = {
  doing: 'Confirming your address…',
  action: '/dashboard/auth/verify-email',
  expired: 'The link was used before, or is older than an hour. Sign in, and a new one is sent where it is needed.',
}

export const Enter = () => <OpenLink way={signIn} />
export const Confirm = () => <OpenLink way={confirm} />

function OpenLink({ way }: { way: Way }) {
  const navigate = useNavigate()
  const [failed, setFailed] = useState(false)
  const started = useRef(false)
  useEffect(() => {
    // A link works once: React's double run of effects must not use it twice.
    if (started.current) return
    started.current = true
    const token = location.hash.slice(1)
    history.replaceState(null, '', location.pathname)
    const enter = async () => {
      await act(way.action, { token })
      queryClient.clear()
      await navigate({ to: '/', replace: true })
    }
    const goOn = async () => {
      if (!(await isSignedIn())) {
        setFailed(true)
        return
      }
      announce('This link was used before, or is too old. You are signed in already.')
      await navigate({ to: '/', replace: true })
    }
    enter().catch(goOn)
  }, [navigate, way])
  return (
    <SignedOutPage title={failed ? 'This link does not work' : way.doing}>
      {failed && (
        <>
          <Failure error={new Error(way.expired)} />
          <Link to="/sign-in">Back to sign in</Link>
        </>
      )}
    </SignedOutPage>
  )
}
