import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import { ClientGoneError } from '../received-bytes/body-reader.ts'
import type { ApiError } from './api-error.ts'
import { systemCodeOf, toApiError } from './error-mapping.ts'

/** Answers an error from any step, or drops the connection if the client has left. */
export function answerError(logger: Logger) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    if (isClientGone(error, request)) {
      reply.raw.destroy()
      return
    }
    const answer = noteError(error, request, logger)
    void reply.code(answer.status).headers(answer.headers).type('application/json; charset=utf-8').send(answer.json)
  }
}

/** Disables Fastify's request log. An answer that fails after its first byte is logged as a defect. */
export class RequestLogController extends LogController {
  readonly #logger: Logger

  constructor(logger: Logger) {
    super({ disableRequestLogging: true })
    this.#logger = logger
  }

  override streamError(error: Error, request: FastifyRequest): void {
    if (!isClientGone(error, request)) noteError(error, request, this.#logger)
  }
}

/** Whether the client has left. */
export function isClientGone(error: unknown, request: FastifyRequest): boolean {
  return (
    error instanceof ClientGoneError ||
    systemCodeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE' ||
    (request.raw.destroyed && !request.raw.complete)
  )
}

/** Maps an error to its answer. Records the code for the request's log line, and logs a defect. */
function noteError(error: unknown, { id, state }: FastifyRequest, logger: Logger): ApiError {
  const answer = toApiError(error, id)
  state.code = answer.code
  state.reason = answer.message
  if (answer.isDefect) {
    logger.error({ requestId: id, code: answer.code, err: answer.cause ?? answer }, 'request failed')
  }
  return answer
}
