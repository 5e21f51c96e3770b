import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { ApiError } from './api-error.ts'
import { ClientGoneError } from './body-reader.ts'
import { systemCodeOf, toApiError } from './error-mapping.ts'

/** Answers the error of any step; where the client has left, the connection is dropped. */
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

/**
 * Fastify logs nothing of its own about requests; a body that fails in the middle of its answer is a defect.
 */
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

function isClientGone(error: unknown, { raw }: FastifyRequest): boolean {
  return (
    error instanceof ClientGoneError ||
    systemCodeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE' ||
    (raw.destroyed && !raw.complete)
  )
}

/** The answer to an error, noted for the log line of its request; a defect has a line of its own. */
function noteError(error: unknown, { id, state }: FastifyRequest, logger: Logger): ApiError {
  const answer = toApiError(error, id)
  state.code = answer.code
  if (answer.isDefect) {
    logger.error({ requestId: id, code: answer.code, err: answer.cause ?? answer }, 'request failed')
  }
  return answer
}
