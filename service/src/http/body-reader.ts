import type { IncomingMessage } from 'node:http'
import { releaseBytes } from '../received-bytes/release-bytes.ts'
import { ApiError } from './api-error.ts'
import type { HttpDeadlines } from './deadlines.ts'
import { dropBody } from './unread-body.ts'

/** The client has left: no answer can be sent. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'
}

/** Counts bytes that have arrived. Returns the error that ends the body, or null. */
export type CountBytes = (sizeBytes: number) => Error | null

/** Unread bytes beyond which the connection is paused. */
const HELD_BYTES = 256 * 1024

/**
 * A request body, read piece by piece on demand. Its disposal drops the rest of the body, so that the client
 * can finish sending and read the answer.
 */
export class BodyReader implements Disposable {
  readonly #request: IncomingMessage
  readonly #bodyIdleMs: number
  readonly #maxBytes: number
  readonly #tooLarge: () => ApiError
  readonly #count: CountBytes
  readonly #total: NodeJS.Timeout
  readonly #pieces: Buffer[] = []
  #heldBytes = 0
  #sizeBytes = 0
  #failure: Error | null = null
  #isEnded = false
  #wake: (() => void) | null = null

  /** @param limit the most bytes that the body may have, the error when it has more, and who counts them */
  constructor(
    request: IncomingMessage,
    deadlines: HttpDeadlines,
    limit: { maxBytes: number; tooLarge: () => ApiError; count: CountBytes },
  ) {
    this.#request = request
    this.#bodyIdleMs = deadlines.bodyIdleMs
    this.#maxBytes = limit.maxBytes
    this.#tooLarge = limit.tooLarge
    this.#count = limit.count
    this.#total = setTimeout(() => this.#fail(new ApiError('REQUEST_TIMEOUT')), deadlines.bodyMs)
    if (Number(request.headers['content-length'] ?? 0) > limit.maxBytes) this.#fail(limit.tooLarge())
    else request.on('data', this.#onData).once('end', this.#onEnd).once('close', this.#onClose)
  }

  /**
   * The next piece, which belongs to the caller, or null at the end; a promise where it is still to come.
   *
   * @throws {ApiError} REQUEST_TIMEOUT, or the given error when the body is too large
   * @throws {ClientGoneError} when the connection ends before the body does
   */
  next(): Buffer | null | Promise<Buffer | null> {
    if (this.#failure !== null) throw this.#failure
    const piece = this.#pieces.shift()
    if (piece === undefined) return this.#isEnded ? null : this.#somethingToHappen()
    this.#heldBytes -= piece.length
    if (this.#heldBytes < HELD_BYTES && this.#request.isPaused()) this.#request.resume()
    return piece
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#total)
    this.#request.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose)
    for (const piece of this.#pieces) releaseBytes(piece)
    this.#pieces.length = 0
    dropBody(this.#request)
  }

  readonly #onData = (piece: Buffer): void => {
    this.#sizeBytes += piece.length
    const fault = this.#count(piece.length) ?? (this.#sizeBytes > this.#maxBytes ? this.#tooLarge() : null)
    if (fault !== null) {
      releaseBytes(piece)
      this.#fail(fault)
      return
    }
    this.#pieces.push(piece)
    this.#heldBytes += piece.length
    if (this.#heldBytes >= HELD_BYTES) this.#request.pause()
    this.#wake?.()
  }

  readonly #onEnd = (): void => {
    this.#isEnded = true
    this.#wake?.()
  }

  readonly #onClose = (): void => {
    if (!this.#isEnded) this.#fail(new ClientGoneError('The client left before its body was complete'))
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#wake?.()
  }

  async #somethingToHappen(): Promise<Buffer | null> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const idle = setTimeout(() => this.#fail(new ApiError('REQUEST_TIMEOUT')), this.#bodyIdleMs)
    this.#wake = resolve
    await promise
    this.#wake = null
    clearTimeout(idle)
    return this.next()
  }
}
