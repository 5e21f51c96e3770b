/** The service's kernels; null without WebAssembly, where plain TypeScript and its decoders are used. */
import { crc32, FrameKernel, JpegDecoder, OnDemand, PngDecoder, WebpDecoder } from '@vitrine/engine'
import frameKernelUrl from '@vitrine/engine/kernels/frame-drawer.wasm?url'
import jpegDecoderUrl from '@vitrine/engine/kernels/jpeg-decoder.wasm?url'
import pngDecoderUrl from '@vitrine/engine/kernels/png-decoder.wasm?url'
import webpDecoderUrl from '@vitrine/engine/kernels/webp-decoder.wasm?url'

async function load<K>(url: string, use: (module: WebAssembly.Module) => K): Promise<K | null> {
  try {
    return use(await WebAssembly.compileStreaming(fetch(url, { credentials: 'same-origin' })))
  } catch {
    return null
  }
}

/** Draws frames. */
export const frameKernel: Promise<FrameKernel | null> = load(frameKernelUrl, module => new FrameKernel(module))

/** Decodes JPEG artwork straight to eighths of its size. */
export const jpegDecoder: Promise<JpegDecoder | null> = load(jpegDecoderUrl, module => new JpegDecoder(module))

/** Decodes PNG artwork straight to the size that a frame needs. */
export const pngDecoder: Promise<PngDecoder | null> = load(pngDecoderUrl, module => new PngDecoder(module, crc32))

/** Decodes WebP artwork straight to the size that a frame needs. Loaded on demand: few artworks are WebPs. */
export const webpDecoder = new OnDemand(() => load(webpDecoderUrl, module => new WebpDecoder(module)))
