/** The parts of the engine that need a browser: pictures by its decoders and canvases. */
export { createBrowserCodec, imageDataOf } from './browser-codec.ts'
export type { BrowserDecoders } from './decode-in-browser.ts'
export { LiveArtwork } from './live-artwork.ts'
