import { infiniteQueryOptions } from '@tanstack/react-query'
import { givenAnswerListSchema, wallListSchema } from '@vitrine/contract'
import { get, send } from '../api.ts'

/** Of the type of all page parameters: the first page has none. */
const firstPage = null as string | null // the annotation alone would be narrowed to null
const below = (path: string, after: string | null) =>
  after === null ? path : `${path}?${new URLSearchParams({ after })}`

/** Links to walls that were sent to customers, the newest first. */
export const linksQuery = infiniteQueryOptions({
  queryKey: ['links'],
  queryFn: ({ pageParam, signal }) => get(below('/dashboard/api/walls', pageParam), wallListSchema, signal),
  initialPageParam: firstPage,
  getNextPageParam: last => last.next_after,
})

/** The answers to one of them, the newest first. */
export const answersQuery = (wallId: string) =>
  infiniteQueryOptions({
    queryKey: ['links', wallId, 'answers'],
    queryFn: ({ pageParam, signal }) =>
      get(below(`/dashboard/api/walls/${wallId}/answers`, pageParam), givenAnswerListSchema, signal),
    initialPageParam: firstPage,
    getNextPageParam: last => last.next_after,
  })

/** Sends the artwork that a link shows. @throws ApiError */
export async function sendLinkArtwork(wallId: string, artwork: File): Promise<void> {
  await send(`/dashboard/api/walls/${wallId}/artwork?name=${encodeURIComponent(artwork.name)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: artwork,
  })
}

/** A picture of a link: that of an answer, or its own. @throws ApiError */
export async function loadLinkArtwork(wallId: string, answerId: string | null, name: string): Promise<File> {
  const of = answerId === null ? '' : `/answers/${answerId}`
  const response = await send(`/dashboard/api/walls/${wallId}${of}/artwork`)
  return new File([await response.blob()], name)
}
