import type { FastifyRequest, onSendHookHandler } from 'fastify'
import { closeAfterBody, dropBody, isArriving } from '../received-bytes/drop-body.ts'
import { isWaitingToContinue } from './expect-continue.ts'
import type { PipelineContext } from './pipeline-context.ts'

/** Up to this size the rest of a body is read after the answer, which costs less than a new connection. */
const WORTH_FINISHING_BYTES = 1024 * 1024

/** Before an answer is sent: discards the unread body and decides whether the connection closes. */
export function settleUnreadBody({ deadlines, phase }: PipelineContext): onSendHookHandler {
  return (request, reply, _payload, done) => {
    dropBody(request)
    // After a final answer instead of "100 Continue" the client may send the body or its next request.
    if (phase.endsConnections || isWaitingToContinue(request) || isRestTooLarge(request))
      reply.header('Connection', 'close')
    const isLast = reply.getHeader('Connection') === 'close' || !reply.raw.shouldKeepAlive
    if (isLast) closeAfterBody(request, deadlines.lingerMs)
    done()
  }
}

/**
 * Whether too much of the body is left to read. Closing tells clients that read while sending (curl, fetch)
 * to stop.
 */
function isRestTooLarge(request: FastifyRequest): boolean {
  const { headers } = request
  if (!isArriving(request)) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > WORTH_FINISHING_BYTES
}
