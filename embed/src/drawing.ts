/** Draws for the elements of a page: in a worker of theirs, or on the page where it may start none. */
import {
  ArtworkError,
  crc32,
  decodeOurs,
  FrameKernel,
  JpegDecoder,
  type OpaquePixmap,
  openPack,
  PngDecoder,
  type PreparedTemplate,
} from '@vitrine/engine'
import { createBrowserCodec, imageDataOf, LiveArtwork } from '@vitrine/engine/browser'
import frameKernelData from '@vitrine/engine/kernels/frame-drawer.wasm?url'
import jpegDecoderData from '@vitrine/engine/kernels/jpeg-decoder.wasm?url'
import pngDecoderData from '@vitrine/engine/kernels/png-decoder.wasm?url'
import { clearArtwork, composeLive, framePlanes, PreviewTemplate } from '@vitrine/live'
import type { DrawingAnswer, DrawingRequest, Numbered } from './messages.ts'

/** Of artwork, per side: as many pixels as the widest preview shows at twice its size. */
const ARTWORK_SIDE_PX = 2000

/** Null where the page's policy or the browser has no WebAssembly: plain TypeScript does the work. */
async function load<K>(dataUrl: string, use: (module: WebAssembly.Module) => K): Promise<K | null> {
  try {
    const bytes = Uint8Array.from(atob(dataUrl.slice(dataUrl.indexOf(',') + 1)), letter => letter.charCodeAt(0))
    return use(await WebAssembly.compile(bytes))
  } catch {
    return null
  }
}

const frameKernel = load(frameKernelData, module => new FrameKernel(module))
const jpegDecoder = load(jpegDecoderData, module => new JpegDecoder(module))
const pngDecoder = load(pngDecoderData, module => new PngDecoder(module, crc32))
const codec = createBrowserCodec(async (facts, target) =>
  decodeOurs(facts, target, { jpeg: await jpegDecoder, png: await pngDecoder }),
)

type Scene = {
  readonly template: PreviewTemplate
  artwork: LiveArtwork
  /** Counts the artworks that were asked for: only the newest stays. */
  asked: number
  /** The last picture, to be drawn over where it is of the same prepared template. */
  last: { readonly of: PreparedTemplate; readonly picture: OpaquePixmap } | null
}

const withoutArtwork = new LiveArtwork([clearArtwork])

/** The scenes of a page's elements. */
export class Drawing {
  readonly #scenes = new Map<number, Scene>()

  /** Never rejects: what goes wrong is an answer. */
  async answer(request: DrawingRequest): Promise<DrawingAnswer> {
    try {
      return await this.#answer(request)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const isOpening = request.kind === 'open'
      if (error instanceof ArtworkError) return { kind: 'failed', code: 'ARTWORK_REFUSED', message }
      return { kind: 'failed', code: isOpening ? 'PREVIEW_NOT_LOADED' : 'PREVIEW_FAILED', message }
    }
  }

  async #answer(request: DrawingRequest): Promise<DrawingAnswer> {
    const { element } = request
    switch (request.kind) {
      case 'open': {
        const { template, base } = await openScene(request.pack, request.widthPx)
        this.#scenes.set(element, { template, artwork: withoutArtwork, asked: 0, last: null })
        return { kind: 'opened', planes: framePlanes(base) }
      }
      case 'wear': {
        const scene = this.#sceneOf(element)
        const asked = ++scene.asked
        const { artwork: bytes } = request
        const artwork = bytes === null ? withoutArtwork : await LiveArtwork.decode(bytes, codec, ARTWORK_SIDE_PX)
        if (asked === scene.asked) scene.artwork = artwork
        return { kind: 'worn', widthPx: artwork.sourceWidthPx, heightPx: artwork.sourceHeightPx }
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
    if (scene === undefined) throw new Error('The preview is not there any more.')
    return scene
  }

  async #draw(scene: Scene, { placement, colors }: Extract<DrawingRequest, { kind: 'draw' }>): Promise<DrawingAnswer> {
    const startedMs = performance.now()
    const prepared = await scene.template.inColors(colors)
    const under = scene.last?.of === prepared ? scene.last.picture : null
    const artworks = prepared.frames.map(() => scene.artwork)
    const placements = prepared.frames.map(() => placement)
    const picture = composeLive(prepared, artworks, placements, await frameKernel, under)
    scene.last = { of: prepared, picture }
    const bitmap = await createImageBitmap(imageDataOf(picture))
    return { kind: 'drawn', bitmap, durationMs: performance.now() - startedMs }
  }
}

async function openScene(pack: string, widthPx: number) {
  const response = await fetch(pack, { credentials: 'omit' })
  if (!response.ok) throw new Error(`The preview could not be loaded (${response.status}).`)
  const files = openPack(new Uint8Array(await response.arrayBuffer()))
  const template = await PreviewTemplate.open(files, widthPx, codec, await frameKernel)
  return { template, base: await template.inColors({}) }
}

/** In a worker there is no document. */
if (!('document' in globalThis)) {
  const drawing = new Drawing()
  addEventListener('message', ({ data: { ask, message } }: MessageEvent<Numbered<DrawingRequest>>) => {
    void drawing.answer(message).then(answer => {
      const transfer = answer.kind === 'drawn' ? [answer.bitmap] : []
      postMessage({ ask, message: answer } satisfies Numbered<DrawingAnswer>, { transfer })
    })
  })
  postMessage({ ask: 0, message: { kind: 'closed' } } satisfies Numbered<DrawingAnswer>)
}
