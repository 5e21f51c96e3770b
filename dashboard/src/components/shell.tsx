/** The frame of every signed-in page: navigation left on wide screens, at the bottom on phones. */
import { Link, Outlet, useRouter } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useSession } from '../session/session.ts'
import { signOut } from '../session/sign-out.ts'
import { Button } from './controls.tsx'
import { Dialog } from './dialog.tsx'
import { Skeleton } from './states.tsx'

const places = [
  { to: '/', label: 'Overview', key: 'o' },
  { to: '/templates', label: 'Templates', key: 't' },
  { to: '/create', label: 'Create', key: 'c' },
  { to: '/keys', label: 'Keys', key: 'k' },
  { to: '/credits', label: 'Credits', key: 'r' },
  { to: '/usage', label: 'Usage', key: 'u' },
] as const

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** `/` focuses the page's search, `?` lists the shortcuts, `g` and a letter goes somewhere. */
function useShortcuts(showHelp: () => void): void {
  const router = useRouter()
  const goPressedMs = useRef(0)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const place =
        performance.now() - goPressedMs.current < 1500 ? places.find(({ key }) => key === event.key) : undefined
      goPressedMs.current = event.key === 'g' ? performance.now() : 0
      if (place !== undefined) void router.navigate({ to: place.to })
      else if (event.key === '?') showHelp()
      else if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('input[type=search]')
        if (search !== null) {
          event.preventDefault()
          search.focus()
        }
      }
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [router, showHelp])
}

export function Shell() {
  const { account } = useSession()
  const router = useRouter()
  const [help, setHelp] = useState(false)
  useShortcuts(() => setHelp(true))
  const leave = async () => {
    await signOut()
    await router.navigate({ to: '/sign-in' })
  }
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <nav className="nav" aria-label="Main">
        <Link to="/" className="brand">
          Vitrine
        </Link>
        <ul>
          {places.map(({ to, label }) => (
            <li key={to}>
              <Link to={to} activeOptions={{ exact: to === '/' }}>
                {label}
              </Link>
            </li>
          ))}
          {account.role === 'operator' && (
            <li>
              <Link to="/accounts">Accounts</Link>
            </li>
          )}
        </ul>
        <div className="nav-foot">
          <Link to="/account" title={account.email}>
            {account.email}
          </Link>
          <Button onClick={leave}>Sign out</Button>
        </div>
      </nav>
      <main id="content" className="content" tabIndex={-1}>
        <Suspense fallback={<Skeleton rows={4} />}>
          <Outlet />
        </Suspense>
      </main>
      {help && (
        <Dialog title="Shortcuts" onClose={() => setHelp(false)}>
          <dl className="shortcuts">
            <dt>
              <kbd>/</kbd>
            </dt>
            <dd>Search on this page</dd>
            {places.map(({ key, label }) => (
              <div key={key} className="contents">
                <dt>
                  <kbd>g</kbd> <kbd>{key}</kbd>
                </dt>
                <dd>{label}</dd>
              </div>
            ))}
            <dt>
              <kbd>?</kbd>
            </dt>
            <dd>This list</dd>
          </dl>
        </Dialog>
      )}
    </div>
  )
}
