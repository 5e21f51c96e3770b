import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpDeadlines } from './deadlines.ts'

/** Checks of each connection per interval of the deadline. */
const CHECKS_PER_SPAN = 4

/** When a client fell behind, and how many bytes had been sent by then. */
type Lag = { readonly sinceMs: number; readonly sentBytes: number }

/**
 * Closes connections whose clients read too slowly. Node's timeouts detect only sockets without any traffic:
 * a client that reads a byte a second would hold its answer indefinitely.
 */
export function cutSlowReaders(server: Server, deadlines: HttpDeadlines): void {
  const connections = new Map<Socket, Lag | null>()
  server.on('connection', socket => {
    connections.set(socket, null)
    socket.once('close', () => connections.delete(socket))
  })
  // One timer for all connections: one per request would cost a tenth of a rejected request.
  const timer = setInterval(() => {
    const nowMs = performance.now()
    for (const [socket, lag] of connections) {
      if (socket.writableLength === 0) {
        if (lag !== null) connections.set(socket, null)
        continue
      }
      const sentBytes = socket.bytesWritten - socket.writableLength
      if (lag === null || sentBytes - lag.sentBytes >= deadlines.readerBytes)
        connections.set(socket, { sinceMs: nowMs, sentBytes })
      else if (nowMs - lag.sinceMs >= deadlines.readerSpanMs) socket.destroy()
    }
  }, deadlines.readerSpanMs / CHECKS_PER_SPAN)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}
