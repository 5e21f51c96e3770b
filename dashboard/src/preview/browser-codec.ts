/** The engine's codec for pages: the service's decoders, and the browser's for other formats. */
import { createBrowserCodec } from '@vitrine/engine/browser'
import pressTableUrl from '@vitrine/engine/kernels/press-table.bin?url'
import { jpegDecoder, pngDecoder, webpDecoder } from './kernels.ts'

export const browserCodec = createBrowserCodec({
  jpeg: () => jpegDecoder,
  png: () => pngDecoder,
  webp: () => webpDecoder.get(),
  async pressTable() {
    const response = await fetch(pressTableUrl, { credentials: 'same-origin' })
    if (!response.ok) throw new Error(`The colours of CMYK pictures could not be loaded (${response.status}).`)
    return new Uint8Array(await response.arrayBuffer())
  },
})
