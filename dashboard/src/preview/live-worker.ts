/** Draws small previews while the pointer moves artwork: decoded once, then only drawn. */
import type { FrameKernel, OpaquePixmap, PreparedTemplate } from '@vitrine/engine'
import { imageDataOf, LiveArtwork } from '@vitrine/engine/browser'
import { composeLive, PreviewTemplate } from '@vitrine/live'
import { browserCodec } from './browser-codec.ts'
import { frameKernel } from './kernels.ts'
import { servedFiles } from './prepare-from.ts'
import type { LiveAnswer, LiveRequest, LiveScene } from './preview-messages.ts'

type Opened = {
  readonly template: PreviewTemplate
  /** one per frame */
  readonly artworks: readonly LiveArtwork[]
  readonly kernel: FrameKernel | null
}

class LivePreviewer {
  #opened: Opened | null = null
  /** the last picture, to be drawn over where it is of the same prepared template */
  #last: { readonly of: PreparedTemplate; readonly picture: OpaquePixmap } | null = null

  async open(folder: string, widthPx: number, files: readonly Uint8Array[]): Promise<LiveAnswer> {
    this.#opened = null
    this.#last = null
    const kernel = await frameKernel
    const template = await PreviewTemplate.open(servedFiles(folder), widthPx, browserCodec, kernel)
    const decoded = new Map<Uint8Array, LiveArtwork>()
    for (const bytes of files)
      if (!decoded.has(bytes)) decoded.set(bytes, await LiveArtwork.decode(bytes, browserCodec))
    const artworks = files.flatMap(bytes => decoded.get(bytes) ?? [])
    this.#opened = { template, artworks, kernel }
    return { kind: 'opened' }
  }

  async draw({ placements, colors }: LiveScene): Promise<LiveAnswer> {
    if (this.#opened === null) return { kind: 'failed' }
    const { template, artworks, kernel } = this.#opened
    const prepared = await template.inColors(colors)
    const under = this.#last?.of === prepared ? this.#last.picture : null
    const picture = composeLive(prepared, artworks, placements, kernel, under)
    this.#last = { of: prepared, picture }
    return { kind: 'drawn', picture: imageDataOf(picture) }
  }

  async answer(request: LiveRequest): Promise<LiveAnswer> {
    if (request.kind === 'draw') return this.draw(request)
    return this.open(request.folder, request.widthPx, request.artworks)
  }
}

const previewer = new LivePreviewer()
addEventListener('message', ({ data }: MessageEvent<LiveRequest>) => {
  previewer.answer(data).then(
    answer => postMessage(answer, { transfer: answer.kind === 'drawn' ? [answer.picture.data.buffer] : [] }),
    // The preview at rest says what is wrong with the artwork or the template.
    () => postMessage({ kind: 'failed' } satisfies LiveAnswer),
  )
})
