/** The layout of signed-in pages: navigation on the left of wide screens, at the bottom of phones. */
import './shell.css'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useRouter } from '@tanstack/react-router'
import { Fragment, lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { useDroppedFiles } from '../components/file-drops.tsx'
import { Skeleton } from '../components/states.tsx'
import { Dock } from '../dock/dock.tsx'
import { counted } from '../format.ts'
import { RunProgress } from '../gallery/run-progress.tsx'
import { PsdDrop } from '../psd-import/psd-drop.tsx'
import { unreadQuery } from '../queries/links-query.ts'
import { chooseArtworks } from '../scenes/choose-artworks.ts'
import { useSession } from '../session/session.ts'
import { BundleImport } from './bundle-import.tsx'
import { OfflineLine } from './offline-line.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { SignInAgain } from './sign-in-again.tsx'
import { signOut } from './sign-out.ts'

const loadPalette = () => import('./command-palette.tsx')
const CommandPalette = lazy(() => loadPalette().then(({ CommandPalette }) => ({ default: CommandPalette })))

/** Letters typed after Ctrl+K before its field has loaded; null when none are being collected. */
type EarlyLetters = { current: string | null }

/** Its script is loaded after the page has settled. */
const PALETTE_LOADS_AFTER_MS = 3000

/** A page of the navigation; `g` and the shortcut open it. */
export type NavigationEntry = {
  readonly label: string
  /** The group's name, as a heading above its first page. */
  readonly group?: 'Make' | 'Developers' | 'Billing' | 'Operate'
  /** An SVG path, stroked in a 24 x 24 square: beside the label, or on phones above it. */
  readonly icon: string
  readonly shortcut?: string
  readonly operatorsOnly?: boolean
}

/** The pages of the navigation, in the order of the route table. */
function useNavigation() {
  const { routesById } = useRouter()
  const { role } = useSession().account
  return Object.values(routesById).flatMap(({ fullPath, options: { staticData } }) =>
    staticData?.navigation === undefined || (staticData.navigation.operatorsOnly === true && role !== 'operator')
      ? []
      : [{ to: fullPath, ...staticData.navigation }],
  )
}

type Navigation = ReturnType<typeof useNavigation>

/** Whether a page shows the chosen artworks, even while it is loading. */
const showsArtworksOn = (pathname: string): boolean =>
  pathname === '/' || pathname === '/create' || /^\/templates(\/[^/]+)?$/.test(pathname)

/** The letter must follow `g` within this time. */
const GO_PAUSE_MAX_MS = 1500

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'))

/** Ctrl+K opens the palette, `g` and a letter a page, `/` focuses the search, `?` lists the shortcuts. */
function useShortcuts(
  navigation: Navigation,
  showHelp: () => void,
  showPalette: () => void,
  typed: EarlyLetters,
): void {
  const router = useRouter()
  const goPressedMs = useRef(-Infinity)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (typed.current !== null && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault()
        typed.current += event.key
        return
      }
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        if (document.querySelector('dialog[open]') === null) showPalette()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const isAfterGo = performance.now() - goPressedMs.current < GO_PAUSE_MAX_MS
      const page = isAfterGo ? navigation.find(({ shortcut }) => shortcut === event.key) : undefined
      goPressedMs.current = event.key === 'g' ? performance.now() : -Infinity
      if (page !== undefined) void router.navigate({ to: page.to })
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
  }, [router, navigation, showHelp, showPalette, typed])
}

const MORE_ICON = 'M5 12h.01M12 12h.01M19 12h.01'
const ACCOUNT_ICON = 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM5 20a7 7 0 0 1 14 0'
const SIGN_OUT_ICON = 'M10 5H5v14h5M14 8l4 4-4 4M18 12H9'

function Icon({ path }: { path: string }) {
  return (
    <svg className="nav-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

/** The number of unread answers to proofs. */
function UnreadMark() {
  const count = useQuery(unreadQuery).data?.unread_count ?? 0
  if (count === 0) return null
  return (
    <>
      <span className="nav-unread" aria-hidden="true">
        {count}
      </span>
      <span className="visually-hidden"> {counted(count, 'new answer')}</span>
    </>
  )
}

/** Phones show this many; the others are behind "More". */
const FIRST_PAGES = 4

type PagesProps = { navigation: Navigation; onSignOut: () => Promise<void> }

/** On phones the first pages, and behind "More" all pages, the account and sign-out. */
function Pages({ navigation, onSignOut }: PagesProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <ul className={isOpen ? 'nav-pages nav-open' : 'nav-pages'}>
      {navigation.map(({ to, label, icon, group }, index) => (
        <Fragment key={to}>
          {group !== undefined && group !== navigation[index - 1]?.group && <li className="nav-group">{group}</li>}
          <li className={index < FIRST_PAGES ? undefined : 'nav-later'}>
            <Link to={to} activeOptions={{ exact: to === '/' }} onClick={() => setOpen(false)}>
              <Icon path={icon} />
              {label}
              {to === '/links' && <UnreadMark />}
            </Link>
          </li>
        </Fragment>
      ))}
      <li className="nav-phone nav-later">
        <Link to="/account" onClick={() => setOpen(false)}>
          <Icon path={ACCOUNT_ICON} />
          Account
        </Link>
      </li>
      <li className="nav-phone nav-later">
        <button type="button" onClick={() => void onSignOut()}>
          <Icon path={SIGN_OUT_ICON} />
          Sign out
        </button>
      </li>
      <li className="nav-more">
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon path={MORE_ICON} />
          {isOpen ? 'Less' : 'More'}
          {!isOpen && <UnreadMark />}
        </button>
      </li>
    </ul>
  )
}

/** The signed-in account, with links to its page and to sign out, at the foot of the navigation. */
function AccountMenu({ onSignOut }: Pick<PagesProps, 'onSignOut'>) {
  const { account } = useSession()
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  return (
    <div className="nav-foot">
      <button type="button" className="nav-account" popoverTarget={id} title={account.email}>
        <Icon path={ACCOUNT_ICON} />
        <span>{account.email}</span>
      </button>
      <div id={id} ref={menu} popover="auto" className="nav-menu">
        <Link to="/account" onClick={() => menu.current?.hidePopover()}>
          <Icon path={ACCOUNT_ICON} />
          Account
        </Link>
        <button type="button" onClick={() => void onSignOut()}>
          <Icon path={SIGN_OUT_ICON} />
          Sign out
        </button>
      </div>
    </div>
  )
}

export function Shell() {
  const { account } = useSession()
  const router = useRouter()
  const navigation = useNavigation()
  useEffect(() => {
    // A failed load is repeated when the palette is opened.
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), PALETTE_LOADS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  const [help, setHelp] = useState(false)
  const [palette, setPalette] = useState(false)
  const typed = useRef<string | null>(null)
  useShortcuts(
    navigation,
    () => setHelp(true),
    () => {
      typed.current = ''
      setPalette(true)
    },
    typed,
  )
  const takeTyped = () => {
    const letters = typed.current ?? ''
    typed.current = null
    return letters
  }
  // A page that takes pictures itself mounts later and so takes precedence.
  useDroppedFiles('pictures', files => {
    const { pathname } = router.state.location
    void chooseArtworks(account.id, files)
    if (!showsArtworksOn(pathname)) void router.navigate({ to: '/templates' })
  })
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
        <Pages navigation={navigation} onSignOut={leave} />
        <div className="nav-work">
          <RunProgress />
          <Dock />
        </div>
        <AccountMenu onSignOut={leave} />
      </nav>
      <main id="content" className="content" tabIndex={-1}>
        <OfflineLine />
        <Suspense fallback={<Skeleton rows={4} />}>
          <Outlet />
        </Suspense>
      </main>
      <BundleImport />
      <PsdDrop />
      <SignInAgain />
      {palette && (
        <Suspense fallback={null}>
          <CommandPalette pages={navigation} takeTyped={takeTyped} onClose={() => setPalette(false)} />
        </Suspense>
      )}
      {help && <Shortcuts pages={navigation} onClose={() => setHelp(false)} />}
    </div>
  )
}
