/** Every page and its address. Filters live in the address too, so that back, reload and share work. */

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { MovementFilter } from '@vitrine/contract'
import { ApiError } from './api.ts'
import { asError } from './as-error.ts'
import { Shell } from './components/shell.tsx'
import { Failure, Skeleton } from './components/states.tsx'
import { type AccountOrder, accountOrderOf } from './pages/accounts-query.ts'
import { movementFilterOf, movementOrderOf } from './pages/credits-query.ts'
import { Confirm, Enter } from './pages/enter.tsx'
import { Keys } from './pages/keys.tsx'
import { type KeyOrder, keyOrderOf } from './pages/keys-query.ts'
import { NotFound } from './pages/not-found.tsx'
import { Overview } from './pages/overview.tsx'
import { Reset } from './pages/reset.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { SignUp } from './pages/sign-up.tsx'
import type { TemplateFilters } from './pages/templates-query.ts'
import { queryClient, sessionQuery } from './session/session.ts'

type Raw = Record<string, unknown>

const textOf = (raw: Raw, name: string): Record<string, string> => {
  const value = raw[name]
  return typeof value === 'string' && value !== '' ? { [name]: value } : {}
}
const numberOf = (raw: Raw, name: string): Record<string, number> => {
  const value = Number(raw[name])
  return Number.isSafeInteger(value) && value > 0 ? { [name]: value } : {}
}

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: ({ error }) => <Failure error={asError(error)} onRetry={() => location.reload()} />,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: SignIn,
  // Only a path of ours may follow a sign-in: an address that begins with // would leave the origin.
  validateSearch: (raw: Raw): { to?: string } =>
    typeof raw.to === 'string' && /^\/(?![/\\])/.test(raw.to) ? { to: raw.to } : {},
})
const enter = createRoute({ getParentRoute: () => root, path: '/enter', component: Enter })
const confirm = createRoute({ getParentRoute: () => root, path: '/confirm', component: Confirm })
const signUp = createRoute({ getParentRoute: () => root, path: '/sign-up', component: SignUp })
const reset = createRoute({ getParentRoute: () => root, path: '/reset', component: Reset })

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

const overview = createRoute({ getParentRoute: () => signedIn, path: '/', component: Overview })
const keys = createRoute({
  getParentRoute: () => signedIn,
  path: '/keys',
  component: Keys,
  validateSearch: (
    raw: Raw,
  ): { search?: string | undefined; page?: number | undefined; order?: KeyOrder | undefined } => ({
    ...textOf(raw, 'search'),
    ...numberOf(raw, 'page'),
    order: keyOrderOf(raw.order),
  }),
})
const credits = createRoute({
  getParentRoute: () => signedIn,
  path: '/credits',
  component: lazyRouteComponent(() => import('./pages/credits.tsx'), 'Credits'),
  validateSearch: (
    raw: Raw,
  ): { payment?: string; show?: MovementFilter | undefined; order?: 'oldest' | undefined } => ({
    ...textOf(raw, 'payment'),
    show: movementFilterOf(raw.show),
    order: movementOrderOf(raw.order),
  }),
})
const usage = createRoute({
  getParentRoute: () => signedIn,
  path: '/usage',
  component: lazyRouteComponent(() => import('./pages/usage.tsx'), 'Usage'),
  validateSearch: (raw: Raw): { days?: number; key?: string | undefined } => ({
    ...numberOf(raw, 'days'),
    ...textOf(raw, 'key'),
  }),
})
const templates = createRoute({
  getParentRoute: () => signedIn,
  path: '/templates',
  component: lazyRouteComponent(() => import('./pages/templates.tsx'), 'Templates'),
  validateSearch: (raw: Raw): TemplateFilters => ({
    ...textOf(raw, 'search'),
    ...textOf(raw, 'category'),
    ...textOf(raw, 'type'),
    ...textOf(raw, 'order'),
  }),
})
const template = createRoute({
  getParentRoute: () => signedIn,
  path: '/templates/$id',
  component: lazyRouteComponent(() => import('./pages/template.tsx'), 'TemplatePage'),
})
const create = createRoute({
  getParentRoute: () => signedIn,
  path: '/create',
  component: lazyRouteComponent(() => import('./pages/create.tsx'), 'Create'),
})
const editor = createRoute({
  getParentRoute: () => signedIn,
  path: '/templates/new',
  component: lazyRouteComponent(() => import('./pages/editor.tsx'), 'Editor'),
})
const editTemplate = createRoute({
  getParentRoute: () => signedIn,
  path: '/templates/$id/edit',
  component: lazyRouteComponent(() => import('./pages/editor.tsx'), 'EditTemplate'),
})
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(() => import('./pages/account.tsx'), 'Account'),
})
const accounts = createRoute({
  getParentRoute: () => signedIn,
  path: '/accounts',
  component: lazyRouteComponent(() => import('./pages/accounts.tsx'), 'Accounts'),
  validateSearch: (
    raw: Raw,
  ): { search?: string | undefined; page?: number | undefined; order?: AccountOrder | undefined } => ({
    ...textOf(raw, 'search'),
    ...numberOf(raw, 'page'),
    order: accountOrderOf(raw.order),
  }),
})

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    enter,
    confirm,
    signUp,
    reset,
    signedIn.addChildren([
      overview,
      keys,
      credits,
      usage,
      templates,
      editor,
      template,
      editTemplate,
      create,
      account,
      accounts,
    ]),
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
