import { type OpenObject, StorageUnavailableError } from './object-storage.ts'

/**
 * The body of an S3 answer: complete, or an error. It locks the stream at once: Node cancels a stream without
 * a reader when its Response is garbage-collected, and such a stream ends without an error.
 */
export class S3Body implements OpenObject, AsyncIterableIterator<Uint8Array> {
  readonly sizeBytes: number
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #timeoutMs: number
  #timer: NodeJS.Timeout
  #leftBytes: number

  /**
   * @param timeoutMs for each chunk, including the wait for its first read, during which the connection is
   * held
   */
  constructor({ body, headers }: Response, timeoutMs: number) {
    const length = headers.get('content-length')
    if (body === null || length === null) throw new StorageUnavailableError('the object storage sent no sized body')
    this.#reader = body.getReader()
    this.#timeoutMs = timeoutMs
    this.#timer = this.#startTimer()
    this.sizeBytes = Number(length)
    this.#leftBytes = this.sizeBytes
  }

  get content(): AsyncIterable<Uint8Array> {
    return this
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    clearTimeout(this.#timer)
    this.#timer = this.#startTimer()
    const { done, value } = await this.#read()
    clearTimeout(this.#timer)
    if (done) {
      if (this.#leftBytes === 0) return { done: true, value: undefined }
      throw new StorageUnavailableError(`an object broke off ${this.#leftBytes} bytes before its end`)
    }
    this.#leftBytes -= value.byteLength
    return { done: false, value }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    clearTimeout(this.#timer)
    await this.#cancel()
    return { done: true, value: undefined }
  }

  async #read(): ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']> {
    try {
      return await this.#reader.read()
    } catch (error) {
      clearTimeout(this.#timer)
      throw new StorageUnavailableError('the connection to the object storage broke', { cause: error })
    }
  }

  /** When it fires, a pending read ends early. */
  #startTimer(): NodeJS.Timeout {
    return setTimeout(() => void this.#cancel(), this.#timeoutMs)
  }

  async #cancel(): Promise<void> {
    // Cancelling a broken connection fails; the next read reports that.
    await this.#reader.cancel().catch(() => undefined)
  }
}
