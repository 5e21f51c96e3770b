import type { IncomingMessage } from 'node:http'
import { ExpectedError } from '../errors/expected-error.ts'
import { type BodyRequest, dropBody } from './drop-body.ts'
import { releaseBytes } from './release-bytes.ts'

/** The client has left: no answer can be sent. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'
}

/** A body, or its next bytes, took longer to arrive than it may. */
export class SlowBodyError extends ExpectedError {
  override readonly name = 'SlowBodyError'
}

/** Counts bytes that have arrived. Returns the error that ends the body, or null. */
export type CountBytes = (sizeBytes: number) => Error | null

/** What bounds a body. */
export type BodyLimits = {
  readonly maxBytes: number
  /** The error of a body that has more, or says that it has. */
  readonly tooLarge: () => Error
  readonly count?: CountBytes
  /** For all of it, in milliseconds. */
  readonly bodyMs: number
  /** For the longest pause inside it, in milliseconds. */
  readonly bodyIdleMs: number
}

/** Unread bytes beyond which the connection is paused. */
const HELD_BYTES = 256 * 1024

/**
 * A request's body, read piece by piece on demand: the only reader of one. It never destroys the message, as
 * leaving Node's own iterator early does: that ends the connection before the answer. Its disposal drops the
 * rest of the body, so that the client can finish sending and read the answer.
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
    // Its events were before.
    else if (raw.destroyed) this.#onClose()
    else raw.on('data', this.#onData).once('end', this.#onEnd).once('close', this.#onClose)
  }

  /**
   * The next piece, which belongs to the caller, or null at the end; a promise where it is still to come.
   *
   * @throws SlowBodyError, or the given error when the body is too large
   * @throws ClientGoneError when the connection ends before the body does
   */
  next(): Buffer | null | Promise<Buffer | null> {
    if (this.#failure !== null) throw this.#failure
    const piece = this.#pieces.shift()
    if (piece === undefined) return this.#isEnded ? null : this.#somethingToHappen()
    this.#heldBytes -= piece.length
    if (this.#heldBytes < HELD_BYTES && this.#request.isPaused()) this.#request.resume()
    return piece
  }

  /** The pieces that are left. Leaving early leaves the rest to the disposal. */
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

/** A whole body, in memory. */
export async function readWhole(request: BodyRequest, limits: BodyLimits): Promise<Buffer> {
  using reader = new BodyReader(request, limits)
  const pieces: Buffer[] = []
  for (let piece = await reader.next(); piece !== null; piece = await reader.next()) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  for (const piece of pieces) releaseBytes(piece)
  return bytes
}
