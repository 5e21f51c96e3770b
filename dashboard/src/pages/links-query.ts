import { queryOptions } from '@tanstack/react-query'
import { wallListSchema } from '@vitrine/contract'
import { get, send } from '../api.ts'

/** Links to walls that were sent to customers, the newest first, with their answers. */
export const linksQuery = queryOptions({
  queryKey: ['links'],
  queryFn: ({ signal }) => get('/dashboard/api/walls', wallListSchema, signal),
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
