import type { FastifyRequest, onSendHookHandler } from 'fastify'
import { closeAfterBody, dropBody, isArriving } from '../received-bytes/drop-body.ts'
import { isWaitingToContinue } from './expect-continue.ts'
import type { PipelineContext } from './pipeline-context.ts'

/** Up to this size the rest of a body is read after the answer: a new connection would cost more. */
const WORTH_FINISHING_BYTES = 1024 * 1024

/** Before an answer leaves: drops what is left of the body, and decides whether the connection ends. */
export function settleUnreadBody({ deadlines, phase }: PipelineContext): onSendHookHandler {
  return (request, reply, _payload, done) => {
    dropBody(request)
    // A client that waits for "100 Continue" and is answered without it may send a body or its next request.
    if (phase.endsConnections || isWaitingToContinue(request) || hasMuchToCome(request))
      reply.header('Connection', 'close')
    const isLast = reply.getHeader('Connection') === 'close' || !reply.raw.shouldKeepAlive
    if (isLast) closeAfterBody(request, deadlines.lingerMs)
    done()
  }
}

/** The answer then ends the connection: a client that reads while it sends (curl, fetch) stops sending. */
function hasMuchToCome(request: FastifyRequest): boolean {
  const { headers } = request
  if (!isArriving(request)) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > WORTH_FINISHING_BYTES
}
