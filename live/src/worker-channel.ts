/** Calls to functions of a worker. Each has a number, so that answers may overtake one another. */
import { NewestOnly } from './newest-only.ts'

/** What a worker does, by name: each function takes one value and answers with another. */
export type Calls = { readonly [name: string]: (request: never) => unknown }

type Request<C extends Calls, K extends keyof C> = Parameters<C[K]>[0]
type Answer<C extends Calls, K extends keyof C> = Awaited<ReturnType<C[K]>>

type CallMessage = { readonly id: number; readonly name: string; readonly request: unknown }
/** `failure`: the message of what the function threw. */
type AnswerMessage = { readonly id: number } & ({ readonly answer: unknown } | { readonly failure: string })

/** What a channel needs of a worker. */
type Channeled = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>

/** The page's side. It owns the worker. */
export class WorkerChannel<C extends Calls> {
  readonly #worker: Channeled
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  readonly #newest = new NewestOnly()
  #last = 0
  /** Null while the worker lives. */
  #end: Error | null = null

  /** @param onDeath what callers are told once the worker has ended by itself */
  constructor(worker: Channeled, onDeath: string) {
    this.#worker = worker
    worker.onmessage = ({ data }: MessageEvent<AnswerMessage>) => {
      const waiting = this.#waiting.get(data.id)
      this.#waiting.delete(data.id)
      if ('failure' in data) waiting?.reject(new Error(data.failure))
      else waiting?.resolve(data.answer)
    }
    worker.onerror = () => this.#endWith(new Error(onDeath))
  }

  /** Rejects with the message of what the function threw, and where the worker has ended. */
  async ask<K extends keyof C & string>(name: K, request: Request<C, K>): Promise<Answer<C, K>> {
    if (this.#end !== null) throw this.#end
    const id = ++this.#last
    const waiting = Promise.withResolvers<unknown>()
    this.#waiting.set(id, waiting)
    this.#worker.postMessage({ id, name, request } satisfies CallMessage)
    // The worker serves the same calls: no type follows a message.
    return (await waiting.promise) as Answer<C, K>
  }

  /** Asks when nothing else is asked like this; undefined where a newer request took its place. */
  askNewest<K extends keyof C & string>(name: K, request: Request<C, K>): Promise<Answer<C, K> | undefined> {
    return this.#newest.run(name, () => this.ask(name, request))
  }

  /** The only request: the worker ends after it. */
  async askOnce<K extends keyof C & string>(name: K, request: Request<C, K>): Promise<Answer<C, K>> {
    try {
      return await this.ask(name, request)
    } finally {
      this.end()
    }
  }

  /** Ends the worker, whatever it does. */
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

/** The worker's side. Bitmaps and pixels among an answer's fields are handed over, not copied. */
export function serveCalls(calls: Calls): void {
  addEventListener('message', ({ data: { id, name, request } }: MessageEvent<CallMessage>) => {
    const post = (message: AnswerMessage, transfer: Transferable[]) => postMessage(message, { transfer })
    answerOf(calls, name, request).then(
      answer => post({ id, answer }, transferablesOf(answer)),
      (error: unknown) => post({ id, failure: error instanceof Error ? error.message : String(error) }, []),
    )
  })
}

async function answerOf(calls: Calls, name: string, request: unknown): Promise<unknown> {
  // The page asks by the types of the same calls.
  return calls[name]?.(request as never)
}

function transferablesOf(answer: unknown): Transferable[] {
  if (typeof answer !== 'object' || answer === null) return []
  return Object.values(answer).flatMap((field: unknown): Transferable[] => {
    if (field instanceof ImageBitmap) return [field]
    return field instanceof ImageData ? [field.data.buffer] : []
  })
}
