/** Makes the thumbnail of a mockup for *My mockups* in the browser that has the mockup, and sends it. */
import { limits, takenThumbnailSchema } from '@vitrine/contract'
import { read, send } from '../api.ts'
import type { StoredMockup } from './saved-work.ts'

/** Twice its width on the page. */
const WIDTH_PX = 320

/** Tried in order until the picture is small enough for the service. */
const qualities = [0.8, 0.6, 0.4] as const

/** The service stores the mockup after answering: the waits before each attempt. */
const waitsMs = [0, 500, 2000, 10_000] as const

/** Failures are not reported: without a thumbnail, the page shows the mockup itself. */
export async function sendThumbnail({ key, name, blob }: Pick<StoredMockup, 'key' | 'name' | 'blob'>): Promise<void> {
  try {
    const body = await thumbnailOf(blob)
    const query = new URLSearchParams({ key, name })
    for (const waitMs of body === null ? [] : waitsMs) {
      await new Promise(resolve => setTimeout(resolve, waitMs))
      const headers = { 'content-type': 'image/jpeg' }
      const sent = await send(`/dashboard/api/mockups/thumbnail?${query}`, { method: 'POST', headers, body })
      if ((await read(sent, takenThumbnailSchema)).is_taken) return
    }
  } catch (error) {
    console.debug('No thumbnail was sent.', error)
  }
}

async function thumbnailOf(mockup: Blob): Promise<Blob | null> {
  const bitmap = await createImageBitmap(mockup, { resizeWidth: WIDTH_PX, resizeQuality: 'high' })
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  bitmap.close()
  for (const quality of qualities) {
    const thumbnail = await canvas.convertToBlob({ type: 'image/jpeg', quality })
    if (thumbnail.size <= limits.mockupThumbnailBytesMax) return thumbnail
  }
  return null
}
