/** Full mockups, rendered by the service for a credit each. */
import { send } from './api.ts'

export type FullMockup = { readonly blob: Blob; readonly creditsRemaining: number }
export type MockupOutput = { readonly format: 'jpeg' | 'png'; readonly widthPx: number; readonly quality: number }

/** Aborting the signal before the answer has begun gives the credit back. Throws ApiError. */
export async function renderInFull(
  templateId: string,
  artwork: Blob,
  output: MockupOutput,
  signal?: AbortSignal,
): Promise<FullMockup> {
  const form = new FormData()
  form.set('template_id', templateId)
  form.set('format', output.format)
  form.set('width', String(output.widthPx))
  form.set('quality', String(output.quality))
  form.set('artwork', artwork, 'artwork')
  const response = await send('/dashboard/api/mockups/generate', {
    method: 'POST',
    body: form,
    ...(signal === undefined ? {} : { signal }),
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
