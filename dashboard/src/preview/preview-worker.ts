/** Renders previews beside the page, with the engine that renders for customers. Templates stay prepared until another width is asked for. */
import {
  composeMockup,
  type DecodedArtwork,
  findDecodeTarget,
  inspectArtwork,
  type PreparedTemplate,
  parseTemplate,
  prepareTemplate,
} from '@vitrine/engine'
import { browserCodec, imageDataOf } from './browser-codec.ts'
import type { PreviewAnswer, PreviewRequest } from './preview-messages.ts'

let kept: { key: string; prepared: Promise<PreparedTemplate> } | null = null

/** Files of a template come from the service, at addresses that carry the version: the browser may keep them. */
function filesAt(folder: string) {
  return {
    async read(path: string): Promise<Uint8Array> {
      const response = await fetch(`${folder}/${path.split('/').map(encodeURIComponent).join('/')}`, {
        credentials: 'same-origin',
      })
      if (!response.ok) throw new Error(`The template's file ${path} could not be loaded (${response.status}).`)
      return new Uint8Array(await response.arrayBuffer())
    },
  }
}

async function prepare({ folder, widthPx }: PreviewRequest): Promise<PreparedTemplate> {
  const key = `${folder}@${widthPx}`
  if (kept?.key !== key) {
    const files = filesAt(folder)
    const prepared = (async () => {
      const manifest: unknown = JSON.parse(new TextDecoder().decode(await files.read('template.json')))
      return prepareTemplate(parseTemplate(manifest), files, widthPx, browserCodec)
    })()
    kept = { key, prepared }
    prepared.catch(() => {
      kept = null
    })
  }
  return kept.prepared
}

async function render(request: PreviewRequest): Promise<ImageData> {
  const prepared = await prepare(request)
  const pictures: DecodedArtwork[] = []
  for (const [index, frame] of prepared.frames.entries()) {
    const bytes = request.artworks[index] ?? request.artworks[0]
    if (bytes === undefined) throw new Error('Expected an artwork.')
    const { widthPx, heightPx } = inspectArtwork(bytes)
    pictures.push(await browserCodec.decodeArtwork(bytes, findDecodeTarget(frame, widthPx, heightPx)))
  }
  return imageDataOf(composeMockup(prepared, pictures))
}

addEventListener('message', ({ data }: MessageEvent<PreviewRequest>) => {
  const startedMs = performance.now()
  const answer = (message: PreviewAnswer) =>
    postMessage(message, { transfer: message.kind === 'picture' ? [message.picture.data.buffer] : [] })
  render(data).then(
    picture => answer({ kind: 'picture', id: data.id, picture, durationMs: performance.now() - startedMs }),
    (error: unknown) =>
      answer({ kind: 'failure', id: data.id, message: error instanceof Error ? error.message : String(error) }),
  )
})
