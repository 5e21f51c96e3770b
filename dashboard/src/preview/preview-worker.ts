/** Renders previews beside the page, with the engine that renders for customers. The newest template stays prepared. */
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

let kept: { folder: string; widthPx: number; prepared: Promise<PreparedTemplate> } | null = null

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

function prepare(source: PreviewSource, widthPx: number): Promise<PreparedTemplate> {
  if (source.kind === 'draft') return prepareFrom(blobFiles(source.files), widthPx)
  const { folder } = source
  if (kept?.folder !== folder || kept.widthPx !== widthPx) {
    const prepared = prepareFrom(servedFiles(folder), widthPx)
    kept = { folder, widthPx, prepared }
    prepared.catch(() => {
      kept = null
    })
  }
  return kept.prepared
}

async function render({ source, widthPx, artworks }: PreviewRequest): Promise<ImageData | null> {
  const [prepared, kernel] = await Promise.all([prepare(source, widthPx), frameKernel])
  if (artworks.length === 0) return null
  const frames = prepared.frames.map((_, index) => {
    const bytes = artworks[index] ?? artworks[0]
    if (bytes === undefined) throw new Error('Expected an artwork.')
    return [index, { bytes }] as const
  })
  const pictures = await decodeArtworks(prepared.frames, new Map(frames), browserCodec)
  return imageDataOf(composeMockup(prepared, pictures, kernel))
}

function messageOf(error: unknown): string {
  if (error instanceof BundleError) return error.faults.map(describeFault).join(' ')
  return error instanceof Error ? error.message : String(error)
}

/** Requests that came while one was rendered: the newest alone is worth the work. */
let waiting: PreviewRequest | null = null
let busy = false

async function work(): Promise<void> {
  busy = true
  for (let request = waiting; request !== null; request = waiting) {
    waiting = null
    const { id } = request
    const startedMs = performance.now()
    try {
      const picture = await render(request)
      const answer: PreviewAnswer =
        picture === null
          ? { kind: 'ready', id }
          : { kind: 'picture', id, picture, durationMs: performance.now() - startedMs }
      postMessage(answer, { transfer: picture === null ? [] : [picture.data.buffer] })
    } catch (error) {
      postMessage({ kind: 'failure', id, message: messageOf(error) } satisfies PreviewAnswer)
    }
  }
  busy = false
}

addEventListener('message', ({ data }: MessageEvent<PreviewRequest>) => {
  waiting = data
  if (!busy) void work()
})
