/** Opens a link that signs in or confirms an address. Its token is in the fragment, which is never logged. */
import { Link, useNavigate } from '@tanstack/react-router'
import { signInAnswerSchema } from '@vitrine/contract'
import { useEffect, useRef, useState } from 'react'
import { post } from '../api.ts'
import { announce } from '../components/announcer.tsx'
import { SignedOutPage } from '../components/signed-out-page.tsx'
import { Failure } from '../components/states.tsx'
import { isSignedIn, queryClient, sessionQuery } from '../session/session.ts'

type Way = { readonly doing: string; readonly action: string; readonly expired: string }

const signIn: Way = {
  doing: 'Signing you in…',
  action: '/dashboard/auth/magic-link/verify',
  expired: 'This link has been used or has expired. Ask the operator for a new one.',
}
const confirm: Way = {
  doing: 'Confirming your address…',
  action: '/dashboard/auth/verify-email',
  expired: 'This link has been used or has expired. Sign in, and a new one is sent if you need it.',
}

/** Confirmed in another browser than the one that signed up: the password chosen there is discarded. */
async function lacksPassword(): Promise<boolean> {
  const session = await queryClient.fetchQuery(sessionQuery).catch(() => null)
  if (session === null || session.account.has_password) return false
  announce('Your address is confirmed. Choose a password now: the one from before was chosen in another browser.')
  return true
}

export const Enter = () => <OpenLink way={signIn} />
export const Confirm = () => <OpenLink way={confirm} />

function OpenLink({ way }: { way: Way }) {
  const navigate = useNavigate()
  const [failed, setFailed] = useState(false)
  const started = useRef(false)
  useEffect(() => {
    // A link works once: effects, which React may run twice, must not use it twice.
    if (started.current) return
    started.current = true
    const token = location.hash.slice(1)
    history.replaceState(null, '', location.pathname)
    const enter = async () => {
      const { twoFactorRedirect } = await post(way.action, { token }, signInAnswerSchema)
      queryClient.clear()
      if (twoFactorRedirect === true) {
        await navigate({ to: '/sign-in', search: { step: 'code' }, replace: true })
        return
      }
      await navigate({ to: way === confirm && (await lacksPassword()) ? '/account' : '/', replace: true })
    }
    const goOn = async () => {
      if (!(await isSignedIn())) {
        setFailed(true)
        return
      }
      announce('This link has been used or has expired. You are already signed in.')
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
