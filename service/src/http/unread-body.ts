import type { IncomingMessage } from 'node:http'
import type { onSendHookHandler } from 'fastify'
import { releaseBytes } from '../received-bytes/release-bytes.ts'
import type { HttpDeadlines } from './deadlines.ts'
import { isWaitingToContinue } from './expect-continue.ts'
import type { PipelineContext } from './pipeline-context.ts'

/** Up to this size the rest of a body is read after the answer: a new connection would cost more. */
const WORTH_FINISHING_BYTES = 1024 * 1024

/** Before an answer leaves: drops what is left of the body, and decides whether the connection ends. */
export function settleUnreadBody({ deadlines, phase }: PipelineContext): onSendHookHandler {
  return (request, reply, _payload, done) => {
    dropBody(request.raw)
    // A client that waits for "100 Continue" and is answered without it may send a body or its next request.
    if (phase.endsConnections || isWaitingToContinue(request)) reply.header('Connection', 'close')
    else if (hasMuchToCome(request.raw)) {
      reply.header('Connection', 'close')
      closeAfterBody(request.raw, deadlines)
    }
    done()
  }
}

/** The answer then ends the connection: a client that reads while it sends (curl, fetch) stops sending. */
function hasMuchToCome({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > WORTH_FINISHING_BYTES
}

/** Reads what is left of a body and frees it at once; Node would leave it to the garbage collector. */
export function dropBody(request: IncomingMessage): void {
  if (request.readableEnded) return
  if (!request.complete || request.readableLength > 0) request.off('data', releaseBytes).on('data', releaseBytes)
  request.resume()
}

/**
 * Reads what is left of a body after the answer: closing at once would reset the connection and lose the
 * answer. A client that still sends after `lingerMs` is cut.
 */
export function dropRestOfBody(request: IncomingMessage, deadlines: HttpDeadlines): void {
  const { socket } = request
  // Requests from within the service say that they were read, but not that they are complete.
  if (request.complete || request.readableEnded || socket.destroyed) return
  const timer = setTimeout(() => socket.destroy(), deadlines.lingerMs)
  timer.unref()
  request.once('end', () => clearTimeout(timer))
  request.once('close', () => clearTimeout(timer))
  dropBody(request)
}

/**
 * A lingering close, for an answer that ends its connection while the client still sends: closes our half
 * behind the answer, and the other when the client has sent all, closes its half or takes too long.
 */
function closeAfterBody(request: IncomingMessage, deadlines: HttpDeadlines): void {
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
