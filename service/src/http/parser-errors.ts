import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from './api-error.ts'
import { systemCodeOf, toApiError } from './error-mapping.ts'
import { newRequestId } from './request-id.ts'
import { findRequestState } from './request-state.ts'

/** Where a connection keeps the answer that it is at: see the state of a request. */
const CURRENT = Symbol('current answer')

declare module 'node:net' {
  interface Socket {
    [CURRENT]?: ServerResponse
  }
}

/** Remembers which answer each connection is at, for `answerParserError`. */
export function trackAnswers(server: Server): void {
  server.on('request', (request, response) => {
    request.socket[CURRENT] = response
  })
}

/**
 * Answers what never became a request (bad HTTP, headers that are too large or too slow) with the JSON of every other error, and closes
 * the connection. When an answer has begun on it, more bytes would be read as a part of that one: then it is only closed.
 */
export function answerParserError(error: unknown, socket: Socket): void {
  const response = socket[CURRENT]
  const isAnswering = response !== undefined && response.headersSent && !response.writableFinished
  if (systemCodeOf(error) === 'ECONNRESET' || !socket.writable || isAnswering) {
    socket.destroy()
    return
  }
  const isUnderWay = response !== undefined && !response.writableFinished
  const state = isUnderWay ? findRequestState(response.req) : undefined
  const requestId = state?.requestId ?? newRequestId(Date.now())
  const mapped = toApiError(error, requestId)
  const answer = mapped.code === 'INTERNAL_ERROR' ? new ApiError('MALFORMED_REQUEST', { cause: error }) : mapped
  if (state !== undefined) state.code = answer.code
  const body = answer.json
  const headers = new Map(
    state?.headers ?? [
      ['X-Request-Id', requestId],
      ['X-Content-Type-Options', 'nosniff'],
      ['Cache-Control', 'no-store'],
    ],
  )
  headers
    .set('Content-Type', 'application/json; charset=utf-8')
    .set('Content-Length', String(Buffer.byteLength(body)))
    .set('Connection', 'close')
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}\r\n${lines}\r\n${body}`, () =>
    socket.destroy(),
  )
}
