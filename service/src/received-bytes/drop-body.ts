import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { releaseBytes } from './release-bytes.ts'

/** A request of Fastify; of its message only the functions in this folder read. */
export type BodyRequest = { readonly raw: IncomingMessage }

/** For the rest of a body that is read after the answer, per connection; the longest body has 321 MiB. */
const DROPPED_BYTES_MAX = 512 * 1024 * 1024

/** Reads what is left of a body and frees it at once; Node would leave it to the garbage collector. */
export function dropBody({ raw }: BodyRequest): void {
  if (raw.readableEnded) return
  if (!raw.complete || raw.readableLength > 0) raw.off('data', releaseBytes).on('data', releaseBytes)
  raw.resume()
}

/** Whether a body, or its end, is still to come. */
export function isArriving({ raw }: BodyRequest): boolean {
  // Requests from within the service say that they were read, but not that they are complete.
  return !raw.complete && !raw.readableEnded
}

/**
 * Reads what is left of a body after the answer: closing at once would reset the connection and lose the
 * answer. A client that still sends after `lingerMs`, or very much, is cut.
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
 * A lingering close, for an answer that ends its connection while the client still sends: closes our half
 * behind the answer, and the other when the client has sent all, closes its half or takes too long.
 */
export function closeAfterBody(request: BodyRequest, lingerMs: number): void {
  const { raw } = request
  const socket = socketOf(raw)
  if (!isArriving(request) || socket === null) return
  const end = () => {
    Reflect.deleteProperty(socket, 'destroySoon') // Node's own again
    socket.destroySoon()
  }
  // Node calls this when an answer that is the connection's last has left.
  socket.destroySoon = () => {
    if (!isArriving(request)) return end()
    socket.end()
    socket.once('close', cutLater(raw, socket, lingerMs))
    raw.once('end', end)
    dropBody(request)
  }
}

/** Destroys the connection after a time, or when too much has come. What it returns ends that. */
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

/** Null once a message was destroyed, whatever Node's types say. */
function socketOf({ socket }: IncomingMessage): Socket | null {
  return socket
}
