/** Draws small previews while a hand moves artwork: decoded once, then only drawn. */
import {
  composeMockup,
  type FrameKernel,
  findDecodeTarget,
  type OpaquePixmap,
  type PreparedTemplate,
} from '@vitrine/engine'
import { imageDataOf, LiveArtwork } from '@vitrine/engine/browser'
import { browserCodec } from './browser-codec.ts'
import { frameKernel } from './kernels.ts'
import { PreviewTemplate, servedFiles } from './prepare-from.ts'
import type { LiveAnswer, LiveRequest, LiveScene } from './preview-messages.ts'

/**
 * Of the size that a mockup decodes a pattern's artwork to: one to two pixels of it for each of the preview,
 * so few that the engine reduces them no further, which would take longer than all else.
 */
const TILE_SHARE = 1 / 8

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
    const [template, kernel] = await Promise.all([PreviewTemplate.open(servedFiles(folder), widthPx), frameKernel])
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
    const decoded = prepared.frames.flatMap((frame, index) => {
      const artwork = artworks[index]
      if (artwork === undefined) return []
      const placement = placements[index]
      const target = findDecodeTarget(frame, artwork.sourceWidthPx, artwork.sourceHeightPx, placement)
      const share = placement === undefined || placement.repeat === 'none' ? 1 : TILE_SHARE
      return artwork.find({ minWidthPx: target.minWidthPx * share, minHeightPx: target.minHeightPx * share })
    })
    const under = this.#last?.of === prepared ? this.#last.picture : null
    const picture = composeMockup(prepared, decoded, kernel, under, { byFrame: new Map(placements.entries()) })
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
