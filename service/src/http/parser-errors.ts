import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import { ApiError } from './api-error.ts'
import { buildDefaultHeaders } from './default-headers.ts'
import { systemCodeOf, toApiError } from './error-mapping.ts'
import { newRequestId } from './request-id.ts'

const currentReply = Symbol('current reply')

declare module 'node:net' {
  interface Socket {
    [currentReply]?: FastifyReply
  }
}

/** Remembers which reply a connection is at, for `answerParserError`. */
export function noteCurrentReply(reply: FastifyReply): void {
  reply.request.socket[currentReply] = reply
}

/**
 * Answers malformed HTTP, and headers that are too large or slow, with the JSON of other errors, and closes
 * the connection. Once an answer has begun it only closes: more bytes would be read as a part of it.
 */
export function answerParserError(isEncrypted: boolean): (error: unknown, socket: Socket) => void {
  return (error, socket) => {
    const latest = socket[currentReply]
    const reply = latest?.raw.writableFinished === false ? latest : undefined
    if (systemCodeOf(error) === 'ECONNRESET' || !socket.writable || reply?.raw.headersSent === true) {
      socket.destroy()
      return
    }
    const requestId = reply?.request.id ?? newRequestId()
    const mapped = toApiError(error, requestId)
    const answer = mapped.isDefect ? new ApiError('MALFORMED_REQUEST', { cause: error }) : mapped
    if (reply !== undefined) reply.request.state.code = answer.code
    const body = answer.json
    const headers = {
      ...(reply?.getHeaders() ?? buildDefaultHeaders(requestId, isEncrypted)),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`)
    const head = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}\r\n${lines.join('')}\r\n`
    socket.end(head + body, () => socket.destroy())
  }
}
