/** Renders previews in a worker, with the service's engine. The last template stays prepared. */
import {
  BundleError,
  composeMockup,
  decodeArtworks,
  describeFault,
  type PreparedTemplate,
  parseTemplate,
  prepareTemplate,
} from '@vitrine/engine'
import { blobFiles } from './blob-files.ts'
import { browserCodec, imageDataOf } from './browser-codec.ts'
import { frameKernel } from './kernels.ts'
import type { PreviewAnswer, PreviewRequest, PreviewSource } from './preview-messages.ts'

type Files = { read(path: string): Promise<Uint8Array> }

/** The browser may keep these: they never change. */
function servedFiles(folder: string): Files {
  return {
    async read(path) {
      const response = await fetch(`${folder}/${path.split('/').map(encodeURIComponent).join('/')}`, {
        credentials: 'same-origin',
      })
      if (!response.ok) throw new Error(`The template's file ${path} could not be loaded (${response.status}).`)
      return new Uint8Array(await response.arrayBuffer())
    },
  }
}

async function prepareFrom(files: Files, widthPx: number): Promise<PreparedTemplate> {
  const manifest: unknown = JSON.parse(new TextDecoder().decode(await files.read('template.json')))
  return prepareTemplate(parseTemplate(manifest), files, widthPx, browserCodec)
}

function messageOf(error: unknown): string {
  if (error instanceof BundleError) return error.faults.map(describeFault).join(' ')
  return error instanceof Error ? error.message : String(error)
}

/** Renders one request after the other, on the template that was prepared last where it is the same. */
class Previewer {
  #kept: { folder: string; widthPx: number; prepared: Promise<PreparedTemplate> } | null = null
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
        const picture = await this.#render(request)
        const answer: PreviewAnswer =
          picture === null
            ? { kind: 'ready', id }
            : { kind: 'picture', id, picture, durationMs: performance.now() - startedMs }
        postMessage(answer, { transfer: picture === null ? [] : [picture.data.buffer] })
      } catch (error) {
        postMessage({ kind: 'failure', id, message: messageOf(error) } satisfies PreviewAnswer)
      }
    }
    this.#busy = false
  }

  async #render({ source, widthPx, artworks }: PreviewRequest): Promise<ImageData | null> {
    const [prepared, kernel] = await Promise.all([this.#prepare(source, widthPx), frameKernel])
    if (artworks.length === 0) return null
    const frames = prepared.frames.map((_, index) => {
      const bytes = artworks[index] ?? artworks[0]
      if (bytes === undefined) throw new Error('Expected an artwork.')
      return [index, { bytes }] as const
    })
    const pictures = await decodeArtworks(prepared.frames, new Map(frames), browserCodec)
    return imageDataOf(composeMockup(prepared, pictures, kernel))
  }

  #prepare(source: PreviewSource, widthPx: number): Promise<PreparedTemplate> {
    if (source.kind === 'draft') return prepareFrom(blobFiles(source.files), widthPx)
    const { folder } = source
    if (this.#kept?.folder !== folder || this.#kept.widthPx !== widthPx) {
      const prepared = prepareFrom(servedFiles(folder), widthPx)
      this.#kept = { folder, widthPx, prepared }
      prepared.catch(() => {
        this.#kept = null
      })
    }
    return this.#kept.prepared
  }
}

const previewer = new Previewer()
addEventListener('message', ({ data }: MessageEvent<PreviewRequest>) => previewer.request(data))
