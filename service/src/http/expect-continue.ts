import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Handles requests with an `Expect` header like any other; Node would send "100 Continue" at once. */
export function deferContinue(server: Server): void {
  const handle = (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response)
  server.on('checkContinue', handle).on('checkExpectation', handle)
}

/** Sends "100 Continue" to a client that waits for it. */
export function continueBody(request: FastifyRequest, reply: FastifyReply): void {
  if (!isWaitingToContinue(request)) return
  request.state.isContinued = true
  reply.raw.writeContinue()
}

/** Whether the client waits for "100 Continue" before it sends the body. */
export function isWaitingToContinue({ headers, state }: FastifyRequest): boolean {
  return headers.expect !== undefined && !state.isContinued
}
