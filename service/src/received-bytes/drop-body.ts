import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { releaseBytes } from './release-bytes.ts'

/** A Fastify request. Only the functions in this folder read its message. */
export type BodyRequest = { readonly raw: IncomingMessage }

/** The most bytes read and discarded after an answer, per connection; the longest body has 321 MiB. */
const DROPPED_BYTES_MAX = 512 * 1024 * 1024

/** Reads the rest of a body and frees it at once; Node would leave it to the garbage collector. */
export function dropBody({ raw }: BodyRequest): void {
  if (raw.readableEnded) return
  if (!raw.complete || raw.readableLength > 0) raw.off('data', releaseBytes).on('data', releaseBytes)
  raw.resume()
}

/** Whether a part of the body is still to arrive. */
export function isArriving({ raw }: BodyRequest): boolean {
  // Internal requests are marked as read, but not as complete.
  return !raw.complete && !raw.readableEnded
}

/**
 * Discards the rest of a body after the answer: closing at once would reset the connection and lose the
 * answer. A client that still sends after `lingerMs`, or too much, is disconnected.
 */
export function dropRestOfBody(request: BodyRequest, lingerMs: number): void {
  const { raw } = request
  const socket = socketOf(raw)
  if (!isArriving(request) || socket === null || socket.destroyed) return
  const over = cutLater(raw, socket, lingerMs)
  raw.once('end', over).once('close', over)
  dropBody(request)
}

/**
 * A lingering close, for an answer that ends its connection while the client is still sending: closes our
 * half after the answer, and the other half once the client has sent everything, closes its half or takes too
 * long.
 */
export function closeAfterBody(request: BodyRequest, lingerMs: number): void {
  const { raw } = request
  const socket = socketOf(raw)
  if (!isArriving(request) || socket === null) return
  const end = () => {
    Reflect.deleteProperty(socket, 'destroySoon') // restores Node's own
    socket.destroySoon()
  }
  // Node calls this when a connection's last answer has been sent.
  socket.destroySoon = () => {
    if (!isArriving(request)) return end()
    socket.end()
    socket.once('close', cutLater(raw, socket, lingerMs))
    raw.once('end', end)
    dropBody(request)
  }
}

/** Destroys the connection after a time, or after too many bytes. Returns a function that cancels this. */
function cutLater(raw: IncomingMessage, socket: Socket, lingerMs: number): () => void {
  const lastByte = socket.bytesRead + DROPPED_BYTES_MAX
  const cut = () => void socket.destroy()
  const count = () => {
    if (socket.bytesRead > lastByte) cut()
  }
  const timer = setTimeout(cut, lingerMs)
  timer.unref()
  raw.on('data', count)
  return () => {
    clearTimeout(timer)
    raw.off('data', count)
  }
}

/** Null after the message was destroyed, despite Node's types. */
function socketOf({ socket }: IncomingMessage): Socket | null {
  return socket
}
