import type { IncomingMessage } from 'node:http'
import { ExpectedError } from '../errors/expected-error.ts'
import { type BodyRequest, dropBody } from './drop-body.ts'
import { releaseBytes } from './release-bytes.ts'

/** The client has left: no answer can be sent. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'
}

/** A body, or its next bytes, took too long to arrive. */
export class SlowBodyError extends ExpectedError {
  override readonly name = 'SlowBodyError'
}

/** Counts received bytes. Returns an error to abort the body, or null. */
export type CountBytes = (sizeBytes: number) => Error | null

/** The limits of a body. */
export type BodyLimits = {
  readonly maxBytes: number
  /** The error for a body that exceeds the limit, or declares that it does. */
  readonly tooLarge: () => Error
  readonly count?: CountBytes
  /** Deadline of the whole body, in milliseconds. */
  readonly bodyMs: number
  /** The longest pause within the body, in milliseconds. */
  readonly bodyIdleMs: number
}

/** The number of unread bytes above which the connection is paused. */
const HELD_BYTES = 256 * 1024

/**
 * Reads a request's body in chunks, on demand; nothing else reads bodies. It never destroys the message, as
 * leaving Node's own iterator early does: that would end the connection before the answer. Disposing discards
 * the rest of the body, so that the client can finish sending and read the answer.
 */
export class BodyReader implements Disposable {
  readonly #request: IncomingMessage
  readonly #limits: BodyLimits
  readonly #total: NodeJS.Timeout
  readonly #pieces: Buffer[] = []
  #heldBytes = 0
  #sizeBytes = 0
  #failure: Error | null = null
  #isEnded = false
  #wake: (() => void) | null = null

  constructor({ raw }: BodyRequest, limits: BodyLimits) {
    this.#request = raw
    this.#limits = limits
    this.#total = setTimeout(() => this.#fail(tooSlow()), limits.bodyMs)
    if (Number(raw.headers['content-length'] ?? 0) > limits.maxBytes) this.#fail(limits.tooLarge())
    // Its events have already been emitted.
    else if (raw.destroyed) this.#onClose()
    else raw.on('data', this.#onData).once('end', this.#onEnd).once('close', this.#onClose)
  }

  /**
   * The next chunk, owned by the caller, or null at the end; a promise if it has not arrived yet.
   *
   * @throws SlowBodyError, or the given error if the body is too large
   * @throws ClientGoneError if the connection ends before the body does
   */
  next(): Buffer | null | Promise<Buffer | null> {
    if (this.#failure !== null) throw this.#failure
    const piece = this.#pieces.shift()
    if (piece === undefined) return this.#isEnded ? null : this.#somethingToHappen()
    this.#heldBytes -= piece.length
    if (this.#heldBytes < HELD_BYTES && this.#request.isPaused()) this.#request.resume()
    return piece
  }

  /** The remaining chunks. After leaving early, the rest is discarded on disposal. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (let piece = await this.next(); piece !== null; piece = await this.next()) yield piece
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#total)
    this.#request.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose)
    for (const piece of this.#pieces) releaseBytes(piece)
    this.#pieces.length = 0
    dropBody({ raw: this.#request })
  }

  readonly #onData = (piece: Buffer): void => {
    const { count, maxBytes, tooLarge } = this.#limits
    this.#sizeBytes += piece.length
    const fault = count?.(piece.length) ?? (this.#sizeBytes > maxBytes ? tooLarge() : null)
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
    if (this.#request.readableEnded) this.#onEnd()
    else if (!this.#isEnded) this.#fail(new ClientGoneError('The client left before its body was complete'))
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#wake?.()
  }

  async #somethingToHappen(): Promise<Buffer | null> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const idle = setTimeout(() => this.#fail(tooSlow()), this.#limits.bodyIdleMs)
    this.#wake = resolve
    await promise
    this.#wake = null
    clearTimeout(idle)
    return this.next()
  }
}

const tooSlow = () => new SlowBodyError('The body of the request did not arrive in time')

/** Reads a whole body into memory. */
export async function readWhole(request: BodyRequest, limits: BodyLimits): Promise<Buffer> {
  using reader = new BodyReader(request, limits)
  const pieces: Buffer[] = []
  for (let piece = await reader.next(); piece !== null; piece = await reader.next()) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  for (const piece of pieces) releaseBytes(piece)
  return bytes
}
