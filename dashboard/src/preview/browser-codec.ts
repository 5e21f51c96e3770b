/** The engine's codec in the pages: our decoders where they take the artwork, else the browser's. */
import { decodeOurs } from '@vitrine/engine'
import { createBrowserCodec } from '@vitrine/engine/browser'
import { jpegDecoder, pngDecoder, webpDecoder } from './kernels.ts'

export const browserCodec = createBrowserCodec(async (facts, target) =>
  decodeOurs(facts, target, {
    jpeg: await jpegDecoder,
    png: await pngDecoder,
    webp: facts.type === 'webp' ? await webpDecoder.get() : null,
  }),
)
