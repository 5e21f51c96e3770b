/** Draws for the elements of a page, in a worker, or on the page if it may not start one. */
import { ArtworkError, crc32, FrameKernel, JpegDecoder, openPack, PngDecoder, WebpDecoder } from '@vitrine/engine'
import { createBrowserCodec, imageDataOf, LiveArtwork } from '@vitrine/engine/browser'
import frameKernelText from '@vitrine/engine/kernels/frame-drawer.wasm?text'
import jpegDecoderText from '@vitrine/engine/kernels/jpeg-decoder.wasm?text'
import pngDecoderText from '@vitrine/engine/kernels/png-decoder.wasm?text'
import webpDecoderText from '@vitrine/engine/kernels/webp-decoder.wasm?text'
import { framePlanes, hasClearParts, LiveScene, serveCalls, withoutArtwork } from '@vitrine/live'
import { bytesOfText } from './bytes-of-text.ts'
import type { DrawingAnswer, DrawingCalls, DrawingRequest } from './messages.ts'

/** The longest side of decoded artwork: enough for the widest preview at twice its size. */
const ARTWORK_SIDE_PX = 2000
/** The longest side when checking whether parts of an artwork are transparent. */
const CLEAR_SIDE_PX = 96

type PressProgram = { readonly pressTable: () => Uint8Array }

/** Null if the page's policy or the browser does not allow WebAssembly; plain TypeScript is used instead. */
async function load<K>(text: string, use: (module: WebAssembly.Module) => K): Promise<K | null> {
  try {
    return use(await WebAssembly.compile(bytesOfText(text)))
  } catch {
    return null
  }
}

const frameKernel = load(frameKernelText, module => new FrameKernel(module))
const jpegDecoder = load(jpegDecoderText, module => new JpegDecoder(module))
const pngDecoder = load(pngDecoderText, module => new PngDecoder(module, crc32))
const webpDecoder = load(webpDecoderText, module => new WebpDecoder(module))

/** Beside this file. Few artworks are CMYK, and this is two thirds of the program. */
const pressUrl = new URL(/* @vite-ignore */ './press.js', import.meta.url).href

const codec = createBrowserCodec({
  jpeg: () => jpegDecoder,
  png: () => pngDecoder,
  webp: () => webpDecoder,
  async pressTable() {
    const { pressTable }: PressProgram = await import(/* @vite-ignore */ pressUrl)
    return pressTable()
  },
})

type Scene = {
  readonly live: LiveScene
  /** By frame, with a request number: only the newest request counts. */
  readonly shown: readonly { artwork: LiveArtwork; asked: number }[]
}

/** The scenes of the page's elements. */
export class Drawing {
  readonly #scenes = new Map<number, Scene>()

  /** Never rejects: failures are answers. */
  async answer(request: DrawingRequest): Promise<DrawingAnswer> {
    try {
      return await this.#answer(request)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const isOpening = request.kind === 'open'
      if (error instanceof ArtworkError) return { kind: 'failed', code: 'ARTWORK_REFUSED', message: error.advice }
      return { kind: 'failed', code: isOpening ? 'PREVIEW_NOT_LOADED' : 'PREVIEW_FAILED', message }
    }
  }

  async #answer(request: DrawingRequest): Promise<DrawingAnswer> {
    const { element } = request
    switch (request.kind) {
      case 'open': {
        const live = await openScene(request.pack, request.widthPx)
        const base = await live.inColors({})
        const shown = base.frames.map(() => ({ artwork: withoutArtwork, asked: 0 }))
        this.#scenes.set(element, { live, shown })
        return { kind: 'opened', planes: framePlanes(base) }
      }
      case 'show': {
        const { shown } = this.#sceneOf(element)
        const asked = request.frames.flatMap(index => {
          const frame = shown[index]
          return frame === undefined ? [] : [{ frame, count: ++frame.asked }]
        })
        const { artwork: bytes } = request
        const artwork = bytes === null ? withoutArtwork : await LiveArtwork.decode(bytes, codec, ARTWORK_SIDE_PX)
        for (const { frame, count } of asked) if (count === frame.asked) frame.artwork = artwork
        const { sourceWidthPx: widthPx, sourceHeightPx: heightPx } = artwork
        const isClear = hasClearParts(artwork.find({ minWidthPx: CLEAR_SIDE_PX, minHeightPx: CLEAR_SIDE_PX }))
        return { kind: 'shown', widthPx, heightPx, isClear }
      }
      case 'close':
        this.#scenes.delete(element)
        return { kind: 'closed' }
      case 'draw':
        return this.#draw(this.#sceneOf(element), request)
      default:
        return request satisfies never
    }
  }

  #sceneOf(element: number): Scene {
    const scene = this.#scenes.get(element)
    if (scene === undefined) throw new Error('The preview is no longer available.')
    return scene
  }

  async #draw(
    { live, shown }: Scene,
    { placements, colors }: Extract<DrawingRequest, { kind: 'draw' }>,
  ): Promise<DrawingAnswer> {
    const startedMs = performance.now()
    const { picture } = await live.draw(colors, frame => ({
      artwork: shown[frame]?.artwork ?? withoutArtwork,
      placement: placements[frame],
    }))
    const bitmap = await createImageBitmap(imageDataOf(picture))
    return { kind: 'drawn', bitmap, durationMs: performance.now() - startedMs }
  }
}

async function openScene(pack: string, widthPx: number): Promise<LiveScene> {
  const response = await fetch(pack, { credentials: 'omit' })
  if (!response.ok) throw new Error(`The preview could not be loaded (${response.status}).`)
  const files = openPack(new Uint8Array(await response.arrayBuffer()))
  return LiveScene.open(files, widthPx, codec, await frameKernel)
}

/** Workers have no document. */
if (!('document' in globalThis)) {
  const drawing = new Drawing()
  serveCalls({ start: () => null, answer: request => drawing.answer(request) } satisfies DrawingCalls)
}
