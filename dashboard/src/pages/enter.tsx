/** Where a sign-in link leads: the token is in the fragment, so that no log and no other site ever sees it. */
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { get } from '../api.ts'
import { Failure } from '../components/states.tsx'
import { queryClient } from '../session/session.ts'

export function Enter() {
  const navigate = useNavigate()
  const [error, setError] = useState<Error | null>(null)
  const started = useRef(false)
  useEffect(() => {
    // A link works once: React's double run of effects must not use it twice.
    if (started.current) return
    started.current = true
    const token = location.hash.slice(1)
    history.replaceState(null, '', '/enter')
    const enter = async () => {
      await get(`/dashboard/auth/magic-link/verify?token=${encodeURIComponent(token)}`)
      queryClient.clear()
      await navigate({ to: '/', replace: true })
    }
    enter().catch((failure: unknown) => setError(failure instanceof Error ? failure : new Error(String(failure))))
  }, [navigate])
  return (
    <main className="door">
      <h1>{error === null ? 'Signing you in…' : 'This link does not work'}</h1>
      {error !== null && (
        <>
          <Failure error={new Error('The link was used before, or is older than 15 minutes. Ask for a new one.')} />
          <Link to="/sign-in">Back to sign in</Link>
        </>
      )}
    </main>
  )
}
