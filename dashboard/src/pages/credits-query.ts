import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Credits } from '@vitrine/contract'
import { get } from '../api.ts'

export const creditsQuery = infiniteQueryOptions({
  queryKey: ['credits'],
  queryFn: ({ pageParam, signal }) => get<Credits>(`/dashboard/api/credits?page=${pageParam}`, signal),
  initialPageParam: 1,
  getNextPageParam: last => last.next_page,
})
