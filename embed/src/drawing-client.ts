/** The one drawing worker shared by all elements of the page, started when the first needs it. */
import { WorkerChannel } from '@vitrine/live'
import type { Drawing } from './drawing.ts'
import type { AnswerOf, DrawingAnswer, DrawingCalls, DrawingRequest } from './messages.ts'
import { EmbedError } from './preview-service.ts'

type DrawingProgram = { readonly Drawing: new () => Drawing }
type Drawer = (request: DrawingRequest) => Promise<DrawingAnswer>

/** Beside this file, on the service or in a package. Bundlers recognise and copy URLs written this way. */
const drawingUrl = new URL(/* @vite-ignore */ './drawing.js', import.meta.url).href

/** A worker that has not answered by then is assumed not to start. */
const START_MS = 10_000

class DrawingClient {
  #drawer: Promise<Drawer> | null = null
  #sceneCount = 0

  /** Unique in this page; at least 1. */
  newSceneId(): number {
    this.#sceneCount += 1
    return this.#sceneCount
  }

  /** @throws EmbedError if it fails */
  async expect<K extends DrawingAnswer['kind']>(kind: K, request: DrawingRequest): Promise<AnswerOf<K>> {
    const answer = await this.ask(request)
    if (isOf(answer, kind)) return answer
    if (answer.kind === 'failed') throw new EmbedError(answer.code, answer.message)
    throw new EmbedError('PREVIEW_FAILED', 'The preview could not be drawn.')
  }

  async ask(request: DrawingRequest): Promise<DrawingAnswer> {
    this.#drawer ??= startWorker().catch(() => startOnPage())
    let draw: Drawer
    try {
      draw = await this.#drawer
    } catch {
      // Lets another element try again: the network may be back.
      this.#drawer = null
      return { kind: 'failed', code: 'PREVIEW_NOT_LOADED', message: 'The drawing program could not be loaded.' }
    }
    return draw(request).catch(({ message }: Error) => ({ kind: 'failed', code: 'PREVIEW_FAILED', message }))
  }
}

const isOf = <K extends DrawingAnswer['kind']>(answer: DrawingAnswer, kind: K): answer is AnswerOf<K> =>
  answer.kind === kind

/** Starts a worker with a program of another origin, through a file of this page that imports it. */
async function startWorker(): Promise<Drawer> {
  const file = URL.createObjectURL(new Blob([`import ${JSON.stringify(drawingUrl)}`], { type: 'text/javascript' }))
  try {
    const channel = new WorkerChannel<DrawingCalls>(
      new Worker(file, { type: 'module' }),
      'This browser ended the preview.',
    )
    const timer = setTimeout(() => channel.end(), START_MS)
    await channel.ask('start', null).finally(() => clearTimeout(timer))
    return request => channel.ask('answer', request)
  } finally {
    URL.revokeObjectURL(file)
  }
}

async function startOnPage(): Promise<Drawer> {
  const { Drawing }: DrawingProgram = await import(/* @vite-ignore */ drawingUrl)
  const drawing = new Drawing()
  return request => drawing.answer(request)
}

/** The only one of this page. */
export const drawingClient = new DrawingClient()
