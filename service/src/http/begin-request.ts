import type { onRequestHookHandler } from 'fastify'
import { buildDefaultHeaders } from './default-headers.ts'
import { noteCurrentReply } from './parser-errors.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { newRequestState } from './request-state.ts'

/** Gives a request its state and its answer the default headers. */
export function beginRequest({ isEncrypted }: PipelineContext): onRequestHookHandler {
  return (request, reply, done) => {
    // Read now: a closed connection has no address.
    request.state = newRequestState(request.ip)
    noteCurrentReply(reply)
    reply.headers(buildDefaultHeaders(request.id, isEncrypted))
    done()
  }
}
