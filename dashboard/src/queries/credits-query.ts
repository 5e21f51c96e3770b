import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { creditsSchema, type MovementFilter, type MovementOrder } from '@vitrine/contract'
import { get } from '../api.ts'

export const movementFilters: readonly { value: MovementFilter; label: string }[] = [
  { value: 'all', label: 'All movements' },
  { value: 'received', label: 'Bought and granted' },
  { value: 'spent', label: 'Spent on mockups' },
  { value: 'returned', label: 'Refunded and corrected' },
]

/** The filter named in the address; undefined if all are shown. */
export const movementFilterOf = (raw: unknown): MovementFilter | undefined =>
  movementFilters.find(({ value }) => value === raw && value !== 'all')?.value

export const movementOrders: readonly { value: MovementOrder; label: string }[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
]

/** The order named in the address; undefined if the newest come first. */
export const movementOrderOf = (raw: unknown): 'oldest' | undefined => (raw === 'oldest' ? raw : undefined)

/** The balance, the packs, and the movements of one kind. */
export const movementsQuery = (show: MovementFilter, order: MovementOrder) =>
  infiniteQueryOptions({
    queryKey: ['credits', show, order],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ show, order, ...(pageParam === null ? {} : { after: pageParam }) })
      return get(`/dashboard/api/credits?${query}`, creditsSchema, signal)
    },
    initialPageParam: null as string | null, // the type of all page parameters: the first page has none
    getNextPageParam: last => last.next_after,
    placeholderData: keepPreviousData,
  })

/** The movements of an account, newest first, for operators. */
export const movementsOfAccountQuery = (accountId: string) =>
  infiniteQueryOptions({
    queryKey: ['accounts', 'movements', accountId],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams(pageParam === null ? {} : { after: pageParam })
      return get(`/dashboard/api/accounts/${encodeURIComponent(accountId)}/credits?${query}`, creditsSchema, signal)
    },
    initialPageParam: null as string | null, // the type of all page parameters: the first page has none
    getNextPageParam: last => last.next_after,
  })

export const creditsQuery = movementsQuery('all', 'newest')
