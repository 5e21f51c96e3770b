/** Who is signed in. The answer is asked once and kept until something changes it. */

import { QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { DashboardSession, Door } from '@vitrine/contract'
import { ApiError, get } from '../api.ts'

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
  queryFn: ({ signal }) => get<DashboardSession>('/dashboard/api/session', signal),
  staleTime: 60_000,
})

/** What the pages before a sign-in offer. */
export const doorQuery = queryOptions({
  queryKey: ['door'],
  queryFn: ({ signal }) => get<Door>('/dashboard/api/door', signal),
  staleTime: Infinity,
})

/** The signed-in account; only inside pages that the router let in. */
export function useSession(): DashboardSession {
  return useSuspenseQuery(sessionQuery).data
}
