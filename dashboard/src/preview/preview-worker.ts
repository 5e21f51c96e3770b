/** Renders previews in a worker, with the service's engine. The last template stays prepared. */
import {
  BundleError,
  centredCover,
  composeMockup,
  type DecodedArtwork,
  decodeArtworks,
  describeFault,
  type FrameKernel,
  findShownDensity,
  type Placement,
  type PreparedTemplate,
} from '@vitrine/engine'
import { imageDataOf } from '@vitrine/engine/browser'
import { clearArtwork, framePlanes, PreviewTemplate } from '@vitrine/live'
import { hasColors } from '../coloring/product-colors.ts'
import { blobFiles } from './blob-files.ts'
import { browserCodec } from './browser-codec.ts'
import { frameKernel } from './kernels.ts'
import { servedFiles } from './prepare-from.ts'
import type { PreviewAnswer, PreviewRequest, PreviewSource, ShownFrames } from './preview-messages.ts'

function messageOf(error: unknown): string {
  if (error instanceof BundleError) return error.faults.map(describeFault).join(' ')
  return error instanceof Error ? error.message : String(error)
}

type Rendered = { readonly picture: ImageData; readonly shown: ShownFrames }

function describeFrames(
  prepared: PreparedTemplate,
  pictures: readonly DecodedArtwork[],
  placements: PreviewRequest['placements'],
): ShownFrames {
  const artworks = prepared.frames.flatMap((prepared, frame) => {
    const picture = pictures[frame]
    if (picture === undefined) return []
    const { sourceWidthPx: width, sourceHeightPx: height } = picture
    const density = findShownDensity(prepared, width, height, placements?.[frame] ?? centredCover)
    return [{ frame, width, height, density }]
  })
  return { planes: framePlanes(prepared), artworks }
}

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

/** Renders one request after the other, on the template that was prepared last where it is the same. */
class Previewer {
  #kept: { folder: string; widthPx: number; template: Promise<PreviewTemplate> } | null = null
  /** Of the requests that came while one was rendered, only the newest is rendered. */
  #waiting: PreviewRequest | null = null
  #busy = false

  request(request: PreviewRequest): void {
    this.#waiting = request
    if (!this.#busy) void this.#work()
  }

  async #work(): Promise<void> {
    this.#busy = true
    for (let request = this.#waiting; request !== null; request = this.#waiting) {
      this.#waiting = null
      const { id } = request
      const startedMs = performance.now()
      try {
        const rendered = await this.#render(request)
        const answer: PreviewAnswer =
          rendered === null
            ? { kind: 'ready', id }
            : { kind: 'picture', id, ...rendered, durationMs: performance.now() - startedMs }
        postMessage(answer, { transfer: rendered === null ? [] : [rendered.picture.data.buffer] })
      } catch (error) {
        postMessage({ kind: 'failure', id, message: messageOf(error) } satisfies PreviewAnswer)
      }
    }
    this.#busy = false
  }

  async #render({ source, widthPx, artworks, placements = [], colors = {} }: PreviewRequest): Promise<Rendered | null> {
    const kernel = await frameKernel
    const template = await this.#prepare(source, widthPx, kernel)
    const prepared = await template.inColors(colors)
    if (artworks.length === 0) {
      if (!hasColors(colors)) return null
      const clear = prepared.frames.map(() => clearArtwork)
      return { picture: imageDataOf(composeMockup(prepared, clear, kernel)), shown: describeFrames(prepared, [], []) }
    }
    const byFrame = new Map(placements.entries())
    const pictures = await decode(prepared, artworks, byFrame)
    const picture = imageDataOf(composeMockup(prepared, pictures, kernel, null, { byFrame }))
    return { picture, shown: describeFrames(prepared, pictures, placements) }
  }

  #prepare(source: PreviewSource, widthPx: number, kernel: FrameKernel | null): Promise<PreviewTemplate> {
    if (source.kind === 'draft') return PreviewTemplate.open(blobFiles(source.files), widthPx, browserCodec, kernel)
    const { folder } = source
    if (this.#kept?.folder !== folder || this.#kept.widthPx !== widthPx) {
      const template = PreviewTemplate.open(servedFiles(folder), widthPx, browserCodec, kernel)
      this.#kept = { folder, widthPx, template }
      template.catch(() => {
        this.#kept = null
      })
    }
    return this.#kept.template
  }
}

const previewer = new Previewer()
addEventListener('message', ({ data }: MessageEvent<PreviewRequest>) => previewer.request(data))
