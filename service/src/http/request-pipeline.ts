import type { FastifyInstance } from 'fastify'
import { identifyCaller, requireCaller, requireScope } from './authentication.ts'
import { beginRequest } from './begin-request.ts'
import { boundConnections } from './connection-bounds.ts'
import { answerPreflight } from './cross-origin.ts'
import { answerError } from './error-answers.ts'
import { deferContinue } from './expect-continue.ts'
import { finishWhenClosed } from './finish-request.ts'
import { refuseUnclearFraming } from './framing.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { countRequest } from './rate-limiting.ts'
import { refuseUnknownRoute, refuseWhenStopping } from './refusals.ts'
import { cutSlowReaders } from './slow-readers.ts'
import { settleUnreadBody } from './unread-body.ts'

/**
 * Installs the request pipeline. Each step is a Fastify hook in http/; docs/life-of-a-request.md describes
 * them all. Call it on the root instance before adding routes.
 */
export function installPipeline(app: FastifyInstance, context: PipelineContext): void {
  // Applies to connections, not requests.
  boundConnections(app.server, context)
  deferContinue(app.server)
  cutSlowReaders(app.server, context.deadlines)

  // 1. Begin: the request's id, state and default headers.
  app.decorateRequest('state')
  app.addHook('onRequest', beginRequest(context))
  app.addHook('onRequest', finishWhenClosed(context)) // step 7
  app.addHook('onRequest', refuseUnclearFraming())
  app.addHook('onRequest', answerPreflight())

  // 2. The checks that need no body: installApiSteps below, or the dashboard's own.

  // 3. Fastify reads no body: handlers read it after all checks that need none.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))

  // 4. The route's handler, in routes/ or dashboard/. It sends the answer of a successful request.

  // 5. An error from any step becomes an answer from the error catalogue.
  app.setErrorHandler(answerError(context.logger))
  app.setNotFoundHandler(refuseUnknownRoute)

  // 6. Before the answer is sent: handle an unread body and decide whether the connection stays open.
  app.addHook('onSend', settleUnreadBody(context))

  // 7. Finish, when the response has closed: metrics, usage and the log line.
}

/** Step 2 for requests to /api/v1. POST /mockups/generate adds `admitRequest`. */
export function installApiSteps(api: FastifyInstance, context: PipelineContext): void {
  const { services, limits, phase } = context
  api.addHook('onRequest', identifyCaller(services.apiKeys))
  api.addHook('onRequest', countRequest(services.rateLimiter, limits))
  api.addHook('onRequest', requireCaller)
  api.addHook('onRequest', refuseWhenStopping(phase))
  api.addHook('onRequest', refuseUnknownRoute)
  api.addHook('onRequest', requireScope)
  // Never called, but without it the hooks above do not run for unknown paths.
  api.setNotFoundHandler(refuseUnknownRoute)
}
