import type { Socket } from 'node:net'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { ApiError } from './api-error.ts'
import { shown } from './received-value.ts'

/** A Host header's host and port, without the characters that end a host in a URL (RFC 9110, 7.2). */
const hostAndPort = /^[^\s/?#@\\,]*$/

/**
 * Rejects requests that a proxy in front of the service may parse differently from Node: where the body ends,
 * or which host is addressed (RFC 9112, 3.2 and 6.1). Closes the connection and rejects what follows on it:
 * it may be the rejected request's body.
 *
 * @throws {ApiError} MALFORMED_REQUEST
 */
export function refuseUnclearFraming(): onRequestHookHandler {
  const refused = new WeakSet<Socket>()
  return (request, reply, done) => {
    const isBehindRefused = refused.has(request.socket)
    const fault = isBehindRefused ? 'The request is behind another that could not be read.' : framingFaultOf(request)
    if (fault === null) return done()
    refused.add(request.socket)
    reply.header('Connection', 'close')
    throw new ApiError('MALFORMED_REQUEST', { message: fault })
  }
}

function framingFaultOf(request: FastifyRequest): string | null {
  const { headers } = request
  const httpVersion = request.raw.httpVersion
  const rawHeaders = request.raw.rawHeaders
  const coding = headers['transfer-encoding']
  if (coding !== undefined) {
    if (httpVersion === '1.0') return 'Expected no Transfer-Encoding in HTTP/1.0 but received one.'
    if (coding.toLowerCase() !== 'chunked')
      return `Expected "chunked" for Transfer-Encoding but received ${JSON.stringify(shown(coding))}.`
  }
  let hostCount = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hostCount += 1
  if (hostCount > 1) return `Expected one Host header but received ${hostCount}.`
  if (hostCount === 0) return httpVersion === '1.0' ? null : 'Expected a Host header but received none.'
  const { host = '' } = headers
  return hostAndPort.test(host) ? null : `Expected a host for Host but received ${JSON.stringify(shown(host))}.`
}
