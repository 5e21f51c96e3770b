/**
 * The routes: each page's path, component, filters in its address and navigation entry. The paths are those
 * of the contract's `pagePaths`, which the service serves.
 */

import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import type { AccountOrder, AuditAction, MovementFilter, pagePaths } from '@vitrine/contract'
import { ApiError } from './api.ts'
import { asError } from './as-error.ts'
import { lazyPage, PageFailure } from './components/page-failure.tsx'
import { usePageTitle } from './components/page-title.ts'
import { Failure, Skeleton } from './components/states.tsx'
import { ownPathOf } from './own-path.ts'
import { Confirm, Enter } from './pages/enter.tsx'
import { Keys } from './pages/keys.tsx'
import { NotFound } from './pages/not-found.tsx'
import { Overview } from './pages/overview.tsx'
import { Reset } from './pages/reset.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { SignUp } from './pages/sign-up.tsx'
import { type AccountView, accountOrderOf, accountViewOf } from './queries/accounts-query.ts'
import { auditActionOf } from './queries/audit-query.ts'
import { movementFilterOf, movementOrderOf } from './queries/credits-query.ts'
import { type KeyOrder, keyOrderOf } from './queries/keys-query.ts'
import { type RequestFilters, requestOutcomeOf, requestPeriodOf } from './queries/requests-query.ts'
import type { TemplateFilters } from './queries/templates-query.ts'
import { isSignedIn, queryClient, sessionQuery } from './session/session.ts'
import { type NavigationEntry, Shell } from './shell/shell.tsx'
import { type GalleryAddress, galleryAddressOf } from './visit/gallery-address.ts'

type Raw = Record<string, unknown>

const textOf = (raw: Raw, name: string): Record<string, string> => {
  const value = raw[name]
  return typeof value === 'string' && value !== '' ? { [name]: value } : {}
}
const numberOf = (raw: Raw, name: string): Record<string, number> => {
  const value = Number(raw[name])
  return Number.isSafeInteger(value) && value > 0 ? { [name]: value } : {}
}

type ListSearch = { search?: string | undefined; page?: number | undefined }
const listSearchOf = (raw: Raw): ListSearch => ({ ...textOf(raw, 'search'), ...numberOf(raw, 'page') })

const requestFiltersOf = (raw: Raw): RequestFilters => ({
  ...textOf(raw, 'search'),
  ...textOf(raw, 'key'),
  ...textOf(raw, 'code'),
  outcome: requestOutcomeOf(raw.outcome),
  period: requestPeriodOf(raw['period']),
})

/** Shared by both views of the gallery. */
const gallerySearchOf = (raw: Raw): TemplateFilters & GalleryAddress => ({
  ...textOf(raw, 'search'),
  ...textOf(raw, 'category'),
  ...textOf(raw, 'type'),
  ...textOf(raw, 'order'),
  ...textOf(raw, 'tag'),
  ...(raw['show'] === 'favourites' ? { show: raw['show'] } : {}),
  ...galleryAddressOf(raw),
})

function Root() {
  usePageTitle()
  return <Outlet />
}

const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: ({ error }) => <Failure error={asError(error)} onRetry={() => location.reload()} />,
})

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  pendingComponent: () => <Skeleton rows={4} />,
  beforeLoad: async ({ location: { href } }) => {
    try {
      await queryClient.ensureQueryData(sessionQuery)
    } catch (error) {
      if (error instanceof ApiError && error.status === 401)
        throw redirect({ to: '/sign-in', search: href === '/' ? {} : { to: href } })
      throw error
    }
  },
})

const signedOutPages = [
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    component: SignIn,
    // A sign-in link leads to the second factor if the account has one.
    validateSearch: (raw: Raw): { to?: string | undefined; step?: 'code' } => ({
      to: ownPathOf(raw.to),
      ...(raw.step === 'code' ? { step: raw.step } : {}),
    }),
    beforeLoad: async ({ search: { to } }) => {
      if (await isSignedIn()) throw redirect({ to: to ?? '/', replace: true })
    },
  }),
  createRoute({ getParentRoute: () => root, path: '/sign-up', component: SignUp }),
  createRoute({ getParentRoute: () => root, path: '/enter', component: Enter }),
  createRoute({ getParentRoute: () => root, path: '/confirm', component: Confirm }),
  createRoute({ getParentRoute: () => root, path: '/reset', component: Reset }),
] as const

/** SVG paths of the navigation, stroked in a 24 x 24 square. */
const icons = {
  overview: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  templates: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4',
  proofs: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  keys: 'M4 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0M12 12h8M17 12v3M20 12v4',
  requests: 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01',
  credits: 'M5 7a7 3 0 1 0 14 0a7 3 0 1 0-14 0M5 7v10a7 3 0 0 0 14 0V7M5 12a7 3 0 0 0 14 0',
  accounts: 'M8 8a4 4 0 1 0 8 0a4 4 0 1 0-8 0M4 20a8 6 0 0 1 16 0',
  audit: 'M12 3l7 3v6c0 4-3 7-7 9c-4-2-7-5-7-9V6z',
}

const getParentRoute = () => signedIn

const signedInPages = [
  createRoute({
    getParentRoute,
    path: '/',
    component: Overview,
    staticData: { navigation: { label: 'Overview', icon: icons.overview, shortcut: 'o' } },
  }),
  createRoute({
    getParentRoute,
    path: '/templates',
    component: lazyPage(() => import('./pages/templates.tsx'), 'Templates'),
    staticData: { navigation: { label: 'Templates', group: 'Make', icon: icons.templates, shortcut: 't' } },
    validateSearch: gallerySearchOf,
  }),
  createRoute({
    getParentRoute,
    path: '/templates/new',
    component: lazyPage(() => import('./pages/editor.tsx'), 'Editor'),
  }),
  createRoute({
    getParentRoute,
    path: '/templates/$id',
    component: lazyPage(() => import('./pages/template.tsx'), 'TemplatePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/templates/$id/edit',
    component: lazyPage(() => import('./pages/editor.tsx'), 'EditTemplate'),
  }),
  createRoute({
    getParentRoute,
    path: '/imports/$id',
    component: lazyPage(() => import('./pages/import.tsx'), 'ImportPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/create',
    component: lazyPage(() => import('./pages/create.tsx'), 'Create'),
    staticData: { navigation: { label: 'Create', group: 'Make', icon: 'M12 5v14M5 12h14', shortcut: 'c' } },
    validateSearch: gallerySearchOf,
  }),
  createRoute({
    getParentRoute,
    path: '/mockups',
    component: lazyPage(() => import('./pages/mockups.tsx'), 'Mockups'),
    staticData: { navigation: { label: 'My mockups', group: 'Make', icon: 'M8 4h12v12M4 8h12v12H4z', shortcut: 'm' } },
  }),
  createRoute({
    getParentRoute,
    path: '/links',
    component: lazyPage(() => import('./pages/links.tsx'), 'Links'),
    staticData: { navigation: { label: 'Proofs', group: 'Make', icon: icons.proofs, shortcut: 'l' } },
  }),
  createRoute({
    getParentRoute,
    path: '/keys',
    component: Keys,
    staticData: { navigation: { label: 'Keys', group: 'Developers', icon: icons.keys, shortcut: 'k' } },
    validateSearch: (raw: Raw): ListSearch & { order?: KeyOrder | undefined } => ({
      ...listSearchOf(raw),
      order: keyOrderOf(raw.order),
    }),
  }),
  createRoute({
    getParentRoute,
    path: '/requests',
    component: lazyPage(() => import('./pages/requests.tsx'), 'Requests'),
    staticData: { navigation: { label: 'Requests', group: 'Developers', icon: icons.requests, shortcut: 'q' } },
    validateSearch: (raw: Raw): RequestFilters => ({
      ...requestFiltersOf(raw),
      ...(raw['accounts'] === 'all' ? { accounts: raw['accounts'] } : {}),
    }),
  }),
  createRoute({
    getParentRoute,
    path: '/credits',
    component: lazyPage(() => import('./pages/credits.tsx'), 'Credits'),
    staticData: { navigation: { label: 'Credits', group: 'Billing', icon: icons.credits, shortcut: 'r' } },
    validateSearch: (
      raw: Raw,
    ): {
      payment?: string
      back?: string | undefined
      show?: MovementFilter | undefined
      order?: 'oldest' | undefined
    } => ({
      ...textOf(raw, 'payment'),
      back: ownPathOf(raw.back),
      show: movementFilterOf(raw.show),
      order: movementOrderOf(raw.order),
    }),
  }),
  createRoute({
    getParentRoute,
    path: '/usage',
    component: lazyPage(() => import('./pages/usage.tsx'), 'Usage'),
    staticData: { navigation: { label: 'Usage', group: 'Billing', icon: 'M5 20v-9M12 20V4M19 20v-6', shortcut: 'u' } },
    validateSearch: (raw: Raw): { days?: number; key?: string | undefined } => ({
      ...numberOf(raw, 'days'),
      ...textOf(raw, 'key'),
    }),
  }),
  createRoute({
    getParentRoute,
    path: '/account',
    component: lazyPage(() => import('./pages/account.tsx'), 'Account'),
  }),
  createRoute({
    getParentRoute,
    path: '/accounts',
    component: lazyPage(() => import('./pages/accounts.tsx'), 'Accounts'),
    staticData: { navigation: { label: 'Accounts', group: 'Operate', icon: icons.accounts, operatorsOnly: true } },
    validateSearch: (raw: Raw): ListSearch & { order?: AccountOrder | undefined } => ({
      ...listSearchOf(raw),
      order: accountOrderOf(raw.order),
    }),
  }),
  createRoute({
    getParentRoute,
    path: '/accounts/$id',
    component: lazyPage(() => import('./pages/one-account.tsx'), 'OneAccount'),
    validateSearch: (raw: Raw): RequestFilters & { show?: AccountView | undefined } => ({
      ...requestFiltersOf(raw),
      show: accountViewOf(raw.show),
    }),
  }),
  createRoute({
    getParentRoute,
    path: '/audit',
    component: lazyPage(() => import('./pages/audit.tsx'), 'Audit'),
    staticData: { navigation: { label: 'Audit', group: 'Operate', icon: icons.audit, operatorsOnly: true } },
    validateSearch: (raw: Raw): ListSearch & { action?: AuditAction | undefined } => ({
      ...listSearchOf(raw),
      action: auditActionOf(raw.action),
    }),
  }),
] as const

export const router = createRouter({
  routeTree: root.addChildren([...signedOutPages, signedIn.addChildren(signedInPages)]),
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    navigation?: NavigationEntry
  }
  interface HistoryState {
    /** When the gallery wrote this address. */
    galleryAtMs?: number
  }
}

// Both lists must match to compile: a page that the service does not serve would answer 404.
type RoutePath = keyof typeof router.routesByPath
type PagePath = (typeof pagePaths)[number]
true satisfies [RoutePath, PagePath] extends [PagePath, RoutePath] ? true : never
