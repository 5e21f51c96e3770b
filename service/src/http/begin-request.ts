import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { clientAddressOf } from '../rate-limits/address-subject.ts'
import { buildDefaultHeaders } from './default-headers.ts'
import { noteReply } from './open-replies.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { newRequestState } from './request-state.ts'

/** Gives a request its state and its answer the default headers. */
export function beginRequest({ isEncrypted }: PipelineContext): onRequestHookHandler {
  return (request, reply, done) => {
    stripForwardedPorts(request)
    // The address is read now: a closed connection has none any more, whatever Fastify's types say.
    const address: string | undefined = request.ip
    request.state = newRequestState(clientAddressOf(address ?? ''))
    noteReply(reply)
    reply.headers(buildDefaultHeaders(request.id, isEncrypted))
    done()
  }
}

/** Some proxies write ports into X-Forwarded-For: Fastify would trust no proxy that stands there with one. */
function stripForwardedPorts({ headers }: FastifyRequest): void {
  const forwarded = headers['x-forwarded-for']
  if (typeof forwarded !== 'string' || !forwarded.includes(':')) return
  headers['x-forwarded-for'] = forwarded
    .split(',')
    .map(address => clientAddressOf(address.trim()))
    .join(', ')
}
