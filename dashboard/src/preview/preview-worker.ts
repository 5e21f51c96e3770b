/** Renders previews in a worker, with the service's engine. The last template stays prepared. */
import {
  composeMockup,
  type DecodedArtwork,
  decodeArtworks,
  type Placement,
  type PreparedTemplate,
} from '@vitrine/engine'
import { imageDataOf } from '@vitrine/engine/browser'
import { clearArtwork, framePlanes, LiveScene, serveCalls, shownFrames } from '@vitrine/live'
import { hasColors } from '../coloring/product-colors.ts'
import { blobFiles } from './blob-files.ts'
import { browserCodec } from './browser-codec.ts'
import { frameKernel } from './kernels.ts'
import { type Files, servedFiles } from './prepare-from.ts'
import type { PreviewCalls, PreviewRequest, PreviewSource } from './preview-messages.ts'

/** `artworks`: one for every frame, or one per frame. */
function decode(
  prepared: PreparedTemplate,
  artworks: readonly Uint8Array[],
  byFrame: ReadonlyMap<number, Placement>,
): Promise<readonly DecodedArtwork[]> {
  const frames = prepared.frames.map((_, index) => {
    const bytes = artworks[index] ?? artworks[0]
    if (bytes === undefined) throw new Error('Expected an artwork.')
    return [index, { bytes }] as const
  })
  return decodeArtworks(prepared.frames, new Map(frames), browserCodec, undefined, { byFrame })
}

/** Reuses the last prepared template if it is the same. */
class Previewer {
  #cached: { folder: string; widthPx: number; scene: Promise<LiveScene> } | null = null

  async render({ source, widthPx, artworks, placements = [], colors = {} }: PreviewRequest) {
    const startedMs = performance.now()
    const scene = await this.#prepare(source, widthPx)
    const prepared = await scene.inColors(colors)
    if (artworks.length === 0 && !hasColors(colors)) return null
    const byFrame = new Map(placements.entries())
    const pictures =
      artworks.length === 0 ? prepared.frames.map(() => clearArtwork) : await decode(prepared, artworks, byFrame)
    const picture = imageDataOf(composeMockup(prepared, pictures, await frameKernel, null, { byFrame }))
    const shown = shownFrames(prepared, framePlanes(prepared), frame => {
      const of = pictures[frame]
      return artworks.length === 0 || of === undefined ? undefined : { ...of, placement: placements[frame] }
    })
    return { picture, shown, durationMs: performance.now() - startedMs }
  }

  async #prepare(source: PreviewSource, widthPx: number): Promise<LiveScene> {
    const open = async (files: Files) => LiveScene.open(files, widthPx, browserCodec, await frameKernel)
    if (source.kind === 'draft') return open(blobFiles(source.files))
    const { folder } = source
    if (this.#cached?.folder !== folder || this.#cached.widthPx !== widthPx) {
      const scene = open(servedFiles(folder))
      this.#cached = { folder, widthPx, scene }
      scene.catch(() => {
        this.#cached = null
      })
    }
    return this.#cached.scene
  }
}

const previewer = new Previewer()
serveCalls({ render: request => previewer.render(request) } satisfies PreviewCalls)
