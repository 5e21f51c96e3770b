import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  type AccountOrder,
  accountListSchema,
  accountOrderSchema,
  dashboardAccountSchema,
  dashboardUsageSchema,
  keyListSchema,
} from '@vitrine/contract'
import { get } from '../api.ts'

export const accountOrders: Readonly<Record<AccountOrder, string>> = {
  oldest: 'Oldest first',
  newest: 'Newest first',
  email: 'By address',
  credits: 'Most credits first',
  active: 'Last active first',
  mockups: 'Most mockups first',
  'runs-out': 'Running out first',
}

/** The order named in the address; undefined for the default or an unknown value. */
export function accountOrderOf(value: unknown): AccountOrder | undefined {
  const { data } = accountOrderSchema.safeParse(value)
  return data === 'oldest' ? undefined : data
}

/** The path of the CSV with all matching accounts. */
export const accountsCsvPath = (query: { search: string; order: AccountOrder }): string =>
  `/dashboard/api/accounts.csv?${new URLSearchParams(query)}`

/** One page of all accounts. */
export function accountsQuery(query: { page: number; search: string; order: AccountOrder }) {
  const parameters = new URLSearchParams({ ...query, page: String(query.page) })
  return queryOptions({
    queryKey: ['accounts', query],
    queryFn: ({ signal }) => get(`/dashboard/api/accounts?${parameters}`, accountListSchema, signal),
    placeholderData: keepPreviousData,
  })
}

/** The views of an account's page, below its figures. */
export const accountViews = { usage: 'Usage', requests: 'Requests', movements: 'Movements', keys: 'Keys' } as const
export type AccountView = keyof typeof accountViews

/** The view named in the address; undefined for the default or an unknown value. */
export function accountViewOf(value: unknown): AccountView | undefined {
  return value === 'requests' || value === 'movements' || value === 'keys' ? value : undefined
}

/** The operators' path to what an account itself sees under /dashboard/api. */
export const accountPath = (id: string, below = ''): string =>
  `/dashboard/api/accounts/${encodeURIComponent(id)}${below}`

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: ['accounts', 'one', id],
    queryFn: ({ signal }) => get(accountPath(id), dashboardAccountSchema, signal),
  })

export const usageOfAccountQuery = (id: string) =>
  queryOptions({
    queryKey: ['accounts', 'usage', id],
    queryFn: ({ signal }) => get(accountPath(id, '/usage?days=30'), dashboardUsageSchema, signal),
  })

export const keysOfAccountQuery = (id: string) =>
  queryOptions({
    queryKey: ['accounts', 'keys', id],
    queryFn: ({ signal }) => get(accountPath(id, '/keys?order=last-used'), keyListSchema, signal),
  })
