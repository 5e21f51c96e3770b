import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { accountListSchema } from '@vitrine/contract'
import { get } from '../api.ts'

export const accountOrders = {
  oldest: 'Oldest first',
  newest: 'Newest first',
  email: 'By address',
  credits: 'Most credits first',
} as const
export type AccountOrder = keyof typeof accountOrders

/** The order that a word in the address names; undefined for the first, and for any other word. */
export function accountOrderOf(value: unknown): AccountOrder | undefined {
  return value === 'newest' || value === 'email' || value === 'credits' ? value : undefined
}

/** One page of all accounts. */
export function accountsQuery(query: { page: number; search: string; order: AccountOrder }) {
  const parameters = new URLSearchParams({ ...query, page: String(query.page) })
  return queryOptions({
    queryKey: ['accounts', query],
    queryFn: ({ signal }) => get(`/dashboard/api/accounts?${parameters}`, accountListSchema, signal),
    placeholderData: keepPreviousData,
  })
}
