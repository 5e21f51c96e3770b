import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import {
  type RequestOutcome,
  type RequestPeriod,
  requestListSchema,
  requestOutcomeSchema,
  requestPeriodSchema,
} from '@vitrine/contract'
import { get } from '../api.ts'

/** Which requests are shown; in the address of the page. */
export type RequestFilters = {
  outcome?: RequestOutcome | undefined
  period?: RequestPeriod | undefined
  /** Of every account, for operators. */
  accounts?: 'all' | undefined
  key?: string | undefined
  code?: string | undefined
  /** A request's id, or a template's. */
  search?: string | undefined
}

/** The outcome that a word in the address names; undefined for any other word. */
export const requestOutcomeOf = (value: unknown): RequestOutcome | undefined =>
  requestOutcomeSchema.safeParse(value).data

/** The same for a period. */
export const requestPeriodOf = (value: unknown): RequestPeriod | undefined => requestPeriodSchema.safeParse(value).data

/** The requests of the signed-in account, or for operators of the one whose path is given. */
export function requestsQuery(path: string, { outcome, period, accounts, key, code, search = '' }: RequestFilters) {
  const named = search === '' ? {} : search.startsWith('req_') ? { id: search } : { template: search }
  const filters = {
    ...named,
    ...(outcome === undefined ? {} : { outcome }),
    ...(period === undefined ? {} : { period }),
    ...(accounts === undefined ? {} : { accounts }),
    ...(key === undefined ? {} : { key }),
    ...(code === undefined ? {} : { code }),
  }
  return infiniteQueryOptions({
    queryKey: ['requests', path, filters],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ ...filters, ...(pageParam === null ? {} : { after: pageParam }) })
      return get(`${path}?${query}`, requestListSchema, signal)
    },
    initialPageParam: null as string | null, // the type of all page parameters: the first page has none
    getNextPageParam: last => last.next_after,
    placeholderData: keepPreviousData,
  })
}
