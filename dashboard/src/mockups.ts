/** Full mockups, rendered by the service for a credit each. */
import { send } from './api.ts'

export type FullMockup = { readonly blob: Blob; readonly creditsRemaining: number }
export type MockupOutput = { readonly format: 'jpeg' | 'png'; readonly widthPx: number; readonly quality: number }

/**
 * One artwork for every frame, or one per frame. Aborting the signal before the answer has begun gives the credit back. What is sent again
 * under the same `idempotencyKey` is charged once. Throws ApiError.
 */
export async function renderInFull(
  templateId: string,
  artworks: readonly Blob[],
  output: MockupOutput,
  { signal, idempotencyKey }: { signal?: AbortSignal; idempotencyKey?: string } = {},
): Promise<FullMockup> {
  const form = new FormData()
  form.set('template_id', templateId)
  form.set('format', output.format)
  form.set('width', String(output.widthPx))
  form.set('quality', String(output.quality))
  const [first] = artworks
  if (first !== undefined && artworks.every(artwork => artwork === first)) form.set('artwork', first, 'artwork')
  else for (const [frame, artwork] of artworks.entries()) form.set(`artwork_${frame}`, artwork, `artwork-${frame}`)
  const response = await send('/dashboard/api/mockups/generate', {
    method: 'POST',
    body: form,
    ...(signal === undefined ? {} : { signal }),
    ...(idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
  })
  return { blob: await response.blob(), creditsRemaining: Number(response.headers.get('x-credits-remaining')) }
}

/** Offers a blob as a download under a name. */
export function download(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
