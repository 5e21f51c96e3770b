import type { PhotoAnswer, PhotoRequest } from './photo-messages.ts'

/** A worker that has opened one photo, and answers requests in their order. */
export class PhotoWorker {
  readonly #worker = new Worker(new URL('./photo-worker.ts', import.meta.url), { type: 'module' })
  readonly #waiting: ((answer: PhotoAnswer) => void)[] = []

  /** null: opens none */
  constructor(photo: Blob | null) {
    this.#worker.onmessage = ({ data }: MessageEvent<PhotoAnswer>) => this.#waiting.shift()?.(data)
    this.#worker.onerror = () => {
      const message = 'The picture could not be drawn in this browser: reload the page.'
      for (const answer of this.#waiting.splice(0)) answer({ kind: 'refused', message })
    }
    if (photo !== null) void this.ask({ kind: 'open', photo })
  }

  ask(request: PhotoRequest): Promise<PhotoAnswer> {
    return new Promise(resolve => {
      this.#waiting.push(resolve)
      this.#worker.postMessage(request)
    })
  }

  end(): void {
    this.#worker.terminate()
  }
}
