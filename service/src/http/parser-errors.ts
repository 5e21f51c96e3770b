import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import type { RequestIds } from '../database/request-id.ts'
import { ApiError } from './api-error.ts'
import { buildDefaultHeaders } from './default-headers.ts'
import { systemCodeOf, toApiError } from './error-mapping.ts'
import { hasEnded, repliesOf } from './open-replies.ts'

const isRefused = Symbol('refused')

declare module 'node:net' {
  interface Socket {
    /** Set after a parser error: the parser reports all further bytes as errors too. */
    [isRefused]?: boolean
  }
}

type AnswerContext = {
  /** Whether clients connect by https. */
  readonly isEncrypted: boolean
  readonly requestIds: RequestIds
  /** How long to drain what the client still sends: closing at once would lose the answer. */
  readonly lingerMs: number
}

/**
 * Answers malformed HTTP, and headers that are too large or too slow, with a JSON error, and closes the
 * connection. The error is sent after the answers to earlier requests on the connection. If the answer to the
 * malformed request has already begun, the connection is only closed: more bytes would be taken as part of
 * it.
 */
export function answerParserError(context: AnswerContext): (error: unknown, socket: Socket) => void {
  return (error, socket) => {
    if (systemCodeOf(error) === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    if (socket[isRefused] === true) return
    socket[isRefused] = true
    const replies = repliesOf(socket)
    const latest = replies.at(-1)
    // The error is in the latest request's body, or at the start of the next request.
    const broken = latest?.request.raw.complete === false ? latest : null
    afterEnd(broken === null ? latest : replies.at(-2), () => {
      if (!socket.writable) return
      // The slow headers have arrived in the meantime.
      if (repliesOf(socket).at(-1) !== latest) socket[isRefused] = false
      else if (broken?.raw.headersSent === true) afterEnd(broken, () => socket.destroy())
      else endWithError(error, socket, broken, context)
    })
  }
}

function afterEnd(reply: FastifyReply | undefined, act: () => void): void {
  if (reply === undefined || hasEnded(reply)) act()
  else reply.raw.once('close', act)
}

function endWithError(
  error: unknown,
  socket: Socket,
  reply: FastifyReply | null,
  { isEncrypted, requestIds, lingerMs }: AnswerContext,
): void {
  const requestId = reply?.request.id ?? requestIds.next()
  const mapped = toApiError(error, requestId)
  const answer = mapped.isDefect ? new ApiError('MALFORMED_REQUEST', { cause: error }) : mapped
  if (reply !== null) Object.assign(reply.request.state, { code: answer.code, reason: answer.message })
  const body = answer.json
  const headers = {
    ...(reply?.getHeaders() ?? buildDefaultHeaders(requestId, isEncrypted)),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`)
  const head = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}\r\n${lines.join('')}\r\n`
  socket.end(head + body)
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
}
