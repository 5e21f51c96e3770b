import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import {
  type RequestOutcome,
  type RequestPeriod,
  requestListSchema,
  requestOutcomeSchema,
  requestPeriodSchema,
} from '@vitrine/contract'
import { get } from '../api.ts'

/** The filters of the list; part of the page's address. */
export type RequestFilters = {
  outcome?: RequestOutcome | undefined
  period?: RequestPeriod | undefined
  /** Requests of every account, for operators. */
  accounts?: 'all' | undefined
  key?: string | undefined
  code?: string | undefined
  /** The id of a request or a template. */
  search?: string | undefined
}

/** The outcome named in the address; undefined for an unknown value. */
export const requestOutcomeOf = (value: unknown): RequestOutcome | undefined =>
  requestOutcomeSchema.safeParse(value).data

/** The period named in the address; undefined for an unknown value. */
export const requestPeriodOf = (value: unknown): RequestPeriod | undefined => requestPeriodSchema.safeParse(value).data

/** The requests of the signed-in account, or for operators, of the account with the given path. */
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
