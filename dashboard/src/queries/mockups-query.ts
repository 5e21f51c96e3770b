import { infiniteQueryOptions } from '@tanstack/react-query'
import { limits, storedMockupListSchema } from '@vitrine/contract'
import { act, get, send } from '../api.ts'
import { queryClient } from '../session/session.ts'

/** The type of all page parameters: the first page has none. */
const firstPage = null as string | null // the annotation alone would be narrowed to null

/** The mockups that the service stores for this account, newest first. */
export const storedMockupsQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: ['stored-mockups', search],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ search, ...(pageParam === null ? {} : { after: pageParam }) })
      return get(`/dashboard/api/mockups?${query}`, storedMockupListSchema, signal)
    },
    initialPageParam: firstPage,
    getNextPageParam: last => last.next_after,
  })

export const thumbnailPath = (id: string): string => `/dashboard/api/mockups/${id}/thumbnail`
export const picturePath = (id: string): string => `/dashboard/api/mockups/${id}/picture`

/** @throws ApiError */
export async function loadPicture(id: string): Promise<Blob> {
  return (await send(picturePath(id))).blob()
}

type Removed = { readonly run: string } | { readonly all: true } | { readonly ids: readonly string[] }

/** Removes mockups from the service. @throws ApiError */
export async function removeStored(which: Removed): Promise<void> {
  const parts = 'ids' in which ? inParts(which.ids).map(ids => ({ ids })) : [which]
  for (const part of parts) await act('/dashboard/api/mockups/remove', part)
  await queryClient.invalidateQueries({ queryKey: ['stored-mockups'] })
}

function inParts(ids: readonly string[]): string[][] {
  const size = limits.mockupsRemovedMax
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, part) => ids.slice(part * size, (part + 1) * size))
}
