import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpDeadlines } from './deadlines.ts'

/** Checks of every connection in each span of the deadline. */
const CHECKS_PER_SPAN = 4

/** Since when a client has been behind, and the bytes that had left our buffers then. */
type Behind = { readonly sinceMs: number; readonly sentBytes: number }

/**
 * Cuts clients that read their answers too slowly. Node's timeouts see only sockets without any traffic: a
 * client that reads a byte a second would hold its answer for ever.
 */
export function cutSlowReaders(server: Server, deadlines: HttpDeadlines): void {
  const connections = new Map<Socket, Behind | null>()
  server.on('connection', socket => {
    connections.set(socket, null)
    socket.once('close', () => connections.delete(socket))
  })
  // One timer for all: a timer for each request costs a tenth of a refusal.
  const timer = setInterval(() => {
    const nowMs = performance.now()
    for (const [socket, behind] of connections) {
      if (socket.writableLength === 0) {
        if (behind !== null) connections.set(socket, null)
        continue
      }
      const sentBytes = socket.bytesWritten - socket.writableLength
      if (behind === null || sentBytes - behind.sentBytes >= deadlines.readerBytes)
        connections.set(socket, { sinceMs: nowMs, sentBytes })
      else if (nowMs - behind.sinceMs >= deadlines.readerSpanMs) socket.destroy()
    }
  }, deadlines.readerSpanMs / CHECKS_PER_SPAN)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}
