import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { clientAddressOf } from '../rate-limits/address-subject.ts'
import { buildDefaultHeaders } from './default-headers.ts'
import { noteReply } from './open-replies.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { newRequestState } from './request-state.ts'

/** Creates the request's state and sets the default headers of its answer. */
export function beginRequest({ isEncrypted }: PipelineContext): onRequestHookHandler {
  return (request, reply, done) => {
    stripForwardedPorts(request)
    // Read now, because a closed connection has no address (despite Fastify's types).
    const address: string | undefined = request.ip
    request.state = newRequestState(clientAddressOf(address ?? ''))
    noteReply(reply)
    reply.headers(buildDefaultHeaders(request.id, isEncrypted))
    done()
  }
}

/** Removes ports that some proxies add to X-Forwarded-For: Fastify would not trust such an entry. */
function stripForwardedPorts({ headers }: FastifyRequest): void {
  const forwarded = headers['x-forwarded-for']
  if (typeof forwarded !== 'string' || !forwarded.includes(':')) return
  headers['x-forwarded-for'] = forwarded
    .split(',')
    .map(address => clientAddressOf(address.trim()))
    .join(', ')
}
