/** The one program that draws for all elements of this page, begun when the first of them needs it. */
import type { Drawing } from './drawing.ts'
import type { AnswerOf, DrawingAnswer, DrawingRequest, Numbered } from './messages.ts'
import { EmbedError } from './preview-service.ts'

type DrawingProgram = { readonly Drawing: new () => Drawing }
type Drawer = (request: DrawingRequest) => Promise<DrawingAnswer>

/** Beside this file, at the service or in a package. Bundlers copy what is written like this. */
const drawingUrl = new URL(/* @vite-ignore */ './drawing.js', import.meta.url).href

/** A worker that has said nothing for so long will not start. */
const START_MS = 10_000

class DrawingClient {
  #drawer: Promise<Drawer> | null = null

  /** @throws EmbedError where it fails */
  async expect<K extends DrawingAnswer['kind']>(kind: K, request: DrawingRequest): Promise<AnswerOf<K>> {
    const answer = await this.ask(request)
    if (isOf(answer, kind)) return answer
    if (answer.kind === 'failed') throw new EmbedError(answer.code, answer.message)
    throw new EmbedError('PREVIEW_FAILED', 'The preview could not be drawn.')
  }

  async ask(request: DrawingRequest): Promise<DrawingAnswer> {
    this.#drawer ??= startWorker().catch(() => startOnPage())
    try {
      return await (await this.#drawer)(request)
    } catch {
      // Another element may ask again: the network may be back.
      this.#drawer = null
      return { kind: 'failed', code: 'PREVIEW_NOT_LOADED', message: 'The program that draws could not be loaded.' }
    }
  }
}

const isOf = <K extends DrawingAnswer['kind']>(answer: DrawingAnswer, kind: K): answer is AnswerOf<K> =>
  answer.kind === kind

/** A worker of another origin's program: a file of this page that imports it. */
async function startWorker(): Promise<Drawer> {
  const file = URL.createObjectURL(new Blob([`import ${JSON.stringify(drawingUrl)}`], { type: 'text/javascript' }))
  try {
    const worker = new Worker(file, { type: 'module' })
    await hasStarted(worker)
    return askerOf(worker)
  } finally {
    URL.revokeObjectURL(file)
  }
}

function hasStarted(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(new Error('The worker did not start.')), START_MS)
    const end = (error: Error) => {
      clearTimeout(timer)
      worker.terminate()
      reject(error)
    }
    worker.onerror = () => end(new Error('The page may not start a worker.'))
    worker.onmessage = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}

function askerOf(worker: Worker): Drawer {
  const asked = new Map<number, (answer: DrawingAnswer) => void>()
  let last = 0
  const take = (ask: number, answer: DrawingAnswer) => {
    asked.get(ask)?.(answer)
    asked.delete(ask)
  }
  worker.onmessage = ({ data: { ask, message } }: MessageEvent<Numbered<DrawingAnswer>>) => take(ask, message)
  worker.onerror = () => {
    const message = 'This browser ended the preview.'
    for (const ask of asked.keys()) take(ask, { kind: 'failed', code: 'PREVIEW_FAILED', message })
  }
  return request =>
    new Promise(resolve => {
      const ask = ++last
      asked.set(ask, resolve)
      worker.postMessage({ ask, message: request } satisfies Numbered<DrawingRequest>)
    })
}

async function startOnPage(): Promise<Drawer> {
  const { Drawing }: DrawingProgram = await import(/* @vite-ignore */ drawingUrl)
  const drawing = new Drawing()
  return request => drawing.answer(request)
}

/** Of this page. */
export const drawingClient = new DrawingClient()
