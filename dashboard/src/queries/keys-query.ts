import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { keyListSchema } from '@vitrine/contract'
import { get } from '../api.ts'

export const keyOrders = { newest: 'Newest first', name: 'By name', 'last-used': 'Last used first' } as const
export type KeyOrder = keyof typeof keyOrders

/** The order named in the address; undefined for the default or an unknown value. */
export function keyOrderOf(value: unknown): KeyOrder | undefined {
  return value === 'name' || value === 'last-used' ? value : undefined
}

/** One page of the account's keys; `key` selects a single one. */
export function keysQuery(query: { page?: number; search?: string; order?: KeyOrder; key?: string } = {}) {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === '' ? [] : [[name, String(value)]])),
  )
  return queryOptions({
    queryKey: ['keys', query],
    queryFn: ({ signal }) => get(`/dashboard/api/keys?${parameters}`, keyListSchema, signal),
    placeholderData: keepPreviousData,
  })
}
