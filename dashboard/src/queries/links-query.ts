import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { givenAnswerListSchema, proofListSchema, unreadAnswersSchema } from '@vitrine/contract'
import { get, send } from '../api.ts'

/** A shop that waits for an approval sees it within a minute. */
const UNREAD_EVERY_MS = 60_000

/** The type of all page parameters: the first page has none. */
const firstPage = null as string | null // the annotation alone would be narrowed to null
const below = (path: string, after: string | null) =>
  after === null ? path : `${path}?${new URLSearchParams({ after })}`

/** Proof links that were sent to customers, newest first. */
export const linksQuery = infiniteQueryOptions({
  queryKey: ['links'],
  queryFn: ({ pageParam, signal }) => get(below('/dashboard/api/proofs', pageParam), proofListSchema, signal),
  initialPageParam: firstPage,
  getNextPageParam: last => last.next_after,
})

/** The answers to one link, newest first. */
export const answersQuery = (proofId: string) =>
  infiniteQueryOptions({
    queryKey: ['links', proofId, 'answers'],
    queryFn: ({ pageParam, signal }) =>
      get(below(`/dashboard/api/proofs/${proofId}/answers`, pageParam), givenAnswerListSchema, signal),
    initialPageParam: firstPage,
    getNextPageParam: last => last.next_after,
  })

/** The number of unread answers, polled while a page is open. */
export const unreadQuery = queryOptions({
  queryKey: ['unread-answers'],
  queryFn: ({ signal }) => get('/dashboard/api/proofs/unread', unreadAnswersSchema, signal),
  refetchInterval: UNREAD_EVERY_MS,
})

/** A picture sent with a link or an answer; null if there is none. */
export const linkArtworkQuery = (proofId: string, of: { answerId: string | null; name: string } | null) =>
  queryOptions({
    queryKey: ['link-artwork', proofId, of],
    queryFn: () => (of === null ? null : loadLinkArtwork(proofId, of.answerId, of.name)),
    staleTime: Infinity,
  })

/** Concurrent uploads. */
const STILLS_AT_ONCE = 4

/** Uploads the stills of a link's scenes, in order. @throws ApiError */
export async function sendStills(proofId: string, stills: readonly Blob[]): Promise<void> {
  const left = stills.entries()
  const sendNext = async () => {
    for (const [index, still] of left)
      await send(`/dashboard/api/proofs/${proofId}/stills/${index}`, {
        method: 'POST',
        headers: { 'content-type': 'image/jpeg' },
        body: still,
      })
  }
  await Promise.all(Array.from({ length: STILLS_AT_ONCE }, sendNext))
}

/** Uploads the artwork that a link shows. @throws ApiError */
export async function sendLinkArtwork(proofId: string, artwork: File): Promise<void> {
  await send(`/dashboard/api/proofs/${proofId}/artwork?name=${encodeURIComponent(artwork.name)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: artwork,
  })
}

/** Loads the picture of an answer, or of the link itself. @throws ApiError */
export async function loadLinkArtwork(proofId: string, answerId: string | null, name: string): Promise<File> {
  const of = answerId === null ? '' : `/answers/${answerId}`
  const response = await send(`/dashboard/api/proofs/${proofId}${of}/artwork`)
  return new File([await response.blob()], name)
}
