/** The signed-in account, requested once and cached until something changes it. */

import { QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { type DashboardSession, dashboardSessionSchema, signInOptionsSchema } from '@vitrine/contract'
import { ApiError, get, getUnasked } from '../api.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) =>
        failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
})

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => getUnasked('/dashboard/api/session', dashboardSessionSchema),
  staleTime: 60_000,
})

/** What the sign-in pages offer. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: ({ signal }) => get('/dashboard/api/sign-in-options', signInOptionsSchema, signal),
  staleTime: Infinity,
})

/** Asks the service whether the visitor is signed in. */
export const isSignedIn = (): Promise<boolean> =>
  queryClient.fetchQuery({ ...sessionQuery, staleTime: 0, retry: false }).then(
    () => true,
    () => false,
  )

/** The signed-in account; only inside pages that require a session. */
export function useSession(): DashboardSession {
  return useSuspenseQuery(sessionQuery).data
}
