import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { releaseBytes } from '../received-bytes/release-bytes.ts'
import type { HttpDeadlines } from './deadlines.ts'

/** Connections are looked at so often in each span that a client has for a minimum. */
const LOOKS_PER_SPAN = 4

/** Since when a client has been behind, and what had left our buffers then. */
type Behind = { sinceMs: number; sentBytes: number }

/**
 * Cuts clients that take their answers too slowly: while there is more for one than it takes, it must take a minimum in each span. Node's
 * own timeouts only see sockets on which nothing at all happens, so that a client that reads a byte a second holds its answer for ever.
 *
 * One timer looks at all connections: one for each request would be a tenth of what a refused request costs.
 */
export function cutSlowReaders(server: Server, deadlines: HttpDeadlines): void {
  const connections = new Map<Socket, Behind | null>()
  server.on('connection', socket => {
    connections.set(socket, null)
    socket.once('close', () => connections.delete(socket))
  })
  const timer = setInterval(() => {
    const nowMs = performance.now()
    for (const [socket, behind] of connections) {
      if (socket.writableLength === 0) {
        if (behind !== null) connections.set(socket, null)
        continue
      }
      // What has left our buffers: the kernel's are at most a few hundred kilobytes, so that an idle reader is seen in the next span.
      const sentBytes = socket.bytesWritten - socket.writableLength
      if (behind === null || sentBytes - behind.sentBytes >= deadlines.readerBytes)
        connections.set(socket, { sinceMs: nowMs, sentBytes })
      else if (nowMs - behind.sinceMs >= deadlines.readerSpanMs) socket.destroy()
    }
  }, deadlines.readerSpanMs / LOOKS_PER_SPAN)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}

/**
 * So much of a body is read to its end although its request was answered, and the connection lives on: it is under way already, and another
 * connection would cost both sides more. Beyond that the client is told to stop.
 */
const WORTH_FINISHING_BYTES = 1024 * 1024

/**
 * Whether a request is to be answered while much of its body is still to come. Such an answer should end the connection: a client that reads while
 * it sends (curl, fetch) then stops sending, and what nobody wants is neither sent nor received.
 */
export function hasMuchToCome({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > WORTH_FINISHING_BYTES
}

/**
 * Reads what is left of a body and drops it. To be called before the answer ends: what is left then, Node drops in a way that leaves every
 * piece to the garbage collector.
 */
export function dropBody(request: IncomingMessage): void {
  if (request.readableEnded) return
  if (!request.complete || request.readableLength > 0) request.off('data', releaseBytes).on('data', releaseBytes)
  request.resume()
}

/**
 * Once a request is answered, what is left of its body is read and dropped for a while, because closing at once would reset the
 * connection and take the answer with it; a client that still sends after that is cut.
 */
export function dropRestOfBody(request: IncomingMessage, deadlines: HttpDeadlines): void {
  const { socket } = request
  if (request.complete || socket.destroyed) return
  const timer = setTimeout(() => socket.destroy(), deadlines.lingerMs)
  timer.unref()
  request.once('end', () => clearTimeout(timer))
  request.once('close', () => clearTimeout(timer))
  dropBody(request)
}

/**
 * For an answer that ends its connection while the client still sends: our half is closed behind it, which every client that looks sees as the
 * answer's end, and the connection itself only when the client has closed its own, has sent all, or took too long (what nginx calls a
 * lingering close). Must be called before the answer ends.
 */
export function closeAfterBody(request: IncomingMessage, deadlines: HttpDeadlines): void {
  const { socket } = request
  // Node calls this when an answer with "Connection: close" has left.
  socket.destroySoon = () => {
    socket.end()
    const timer = setTimeout(() => socket.destroy(), deadlines.lingerMs)
    timer.unref()
    socket.once('close', () => clearTimeout(timer))
    request.once('end', () => socket.destroy())
    dropBody(request)
  }
}
