import { queryOptions } from '@tanstack/react-query'
import type { DashboardKey } from '@vitrine/contract'
import { get } from '../api.ts'

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => get<{ keys: DashboardKey[] }>('/dashboard/api/keys', signal),
})
