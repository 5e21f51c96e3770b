/** Calls to functions of a worker. Each has a number, so that answers may arrive in any order. */
import { NewestOnly } from './newest-only.ts'

/** A worker's functions by name; each takes one value and returns another. */
export type Calls = { readonly [name: string]: (request: never) => unknown }

type Request<C extends Calls, K extends keyof C> = Parameters<C[K]>[0]
type Answer<C extends Calls, K extends keyof C> = Awaited<ReturnType<C[K]>>

type CallMessage = { readonly id: number; readonly name: string; readonly request: unknown }
/** Image data as bytes to transfer: `postMessage` copies an `ImageData` even where it takes its buffer. */
type SentPicture = { readonly field: string; readonly widthPx: number; readonly data: ImageDataArray }
/** `pictures`: the answer's fields that are image data. `failure`: the message of the function's error. */
type AnswerMessage = { readonly id: number } & (
  | { readonly answer: unknown; readonly pictures?: readonly SentPicture[] }
  | { readonly failure: string }
)

/** The part of a worker that a channel uses. */
type Channeled = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>

/** The page's side, which owns the worker. */
export class WorkerChannel<C extends Calls> {
  readonly #worker: Channeled
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  readonly #newest = new NewestOnly()
  #last = 0
  /** Null while the worker is alive. */
  #end: Error | null = null

  /** @param onDeath message for callers when the worker has ended by itself */
  constructor(worker: Channeled, onDeath: string) {
    this.#worker = worker
    worker.onmessage = ({ data }: MessageEvent<AnswerMessage>) => {
      const waiting = this.#waiting.get(data.id)
      this.#waiting.delete(data.id)
      if ('failure' in data) waiting?.reject(new Error(data.failure))
      else waiting?.resolve(withPictures(data.answer, data.pictures ?? []))
    }
    worker.onerror = () => this.#endWith(new Error(onDeath))
  }

  /** Rejects with the message of the function's error, or if the worker has ended. */
  async ask<K extends keyof C & string>(name: K, request: Request<C, K>): Promise<Answer<C, K>> {
    if (this.#end !== null) throw this.#end
    const id = ++this.#last
    const waiting = Promise.withResolvers<unknown>()
    this.#waiting.set(id, waiting)
    this.#worker.postMessage({ id, name, request } satisfies CallMessage)
    // The worker serves the same calls, but messages have no types.
    return (await waiting.promise) as Answer<C, K>
  }

  /** Sends the request once none of the same name is pending; undefined if a newer one replaced it. */
  askNewest<K extends keyof C & string>(name: K, request: Request<C, K>): Promise<Answer<C, K> | undefined> {
    return this.#newest.run(name, () => this.ask(name, request))
  }

  /** Ends the worker after this request. */
  async askOnce<K extends keyof C & string>(name: K, request: Request<C, K>): Promise<Answer<C, K>> {
    try {
      return await this.ask(name, request)
    } finally {
      this.end()
    }
  }

  /** Ends the worker, even while it is working. */
  end(): void {
    this.#newest.drop()
    this.#endWith(new DOMException('The worker was ended.', 'AbortError'))
  }

  #endWith(error: Error): void {
    this.#end ??= error
    this.#worker.terminate()
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}

function withPictures(answer: unknown, pictures: readonly SentPicture[]): unknown {
  if (typeof answer !== 'object' || answer === null || pictures.length === 0) return answer
  const fields = pictures.map(({ field, widthPx, data }) => [field, new ImageData(data, widthPx)])
  return { ...answer, ...Object.fromEntries(fields) }
}

/** The worker's side. Bitmaps and pixels among an answer's fields are transferred, not copied. */
export function serveCalls(calls: Calls): void {
  addEventListener('message', ({ data: { id, name, request } }: MessageEvent<CallMessage>) => {
    const post = (message: AnswerMessage, transfer: Transferable[]) => postMessage(message, { transfer })
    answerOf(calls, name, request).then(
      answer => {
        const fields = typeof answer === 'object' && answer !== null ? Object.entries(answer) : []
        const bitmaps = fields.flatMap(([, value]) => (value instanceof ImageBitmap ? [value] : []))
        const pictures = fields.flatMap(([field, value]): SentPicture[] =>
          value instanceof ImageData ? [{ field, widthPx: value.width, data: value.data }] : [],
        )
        if (pictures.length === 0) return post({ id, answer }, bitmaps)
        const rest = Object.fromEntries(fields.filter(([, value]) => !(value instanceof ImageData)))
        post({ id, answer: rest, pictures }, [...bitmaps, ...pictures.map(({ data }) => data.buffer)])
      },
      (error: unknown) => post({ id, failure: error instanceof Error ? error.message : String(error) }, []),
    )
  })
}

async function answerOf(calls: Calls, name: string, request: unknown): Promise<unknown> {
  // The page's requests have the types of the same calls.
  return calls[name]?.(request as never)
}
