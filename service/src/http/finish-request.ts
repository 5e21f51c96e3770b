import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { networkOf } from '../rate-limits/address-subject.ts'
import { dropRestOfBody } from '../received-bytes/drop-body.ts'
import type { PipelineContext } from './pipeline-context.ts'

/** Logged as the status when the client left before its answer began, as in nginx. */
const CLIENT_GONE_STATUS = 499

/** Records a request when its response closes. Fastify's onResponse does not run if the client leaves. */
export function finishWhenClosed(context: PipelineContext): onRequestHookHandler {
  return (request, reply, done) => {
    reply.raw.once('close', () => {
      dropRestOfBody(request, context.deadlines.lingerMs)
      finishRequest(request, reply, context)
    })
    done()
  }
}

/** Counts and logs a request. */
function finishRequest(request: FastifyRequest, reply: FastifyReply, context: PipelineContext): void {
  const { services, logger } = context
  const { id: requestId, method, routeOptions, state } = request
  const { caller, code, creditsConsumed, creditsRefunded, decodedBy, isReplayed, keyCheck, stages, templateIds } = state
  const route = routeOptions.url === undefined ? 'other' : `${method} ${routeOptions.url}`
  const isUnanswered = !reply.raw.headersSent
  const status = isUnanswered ? CLIENT_GONE_STATUS : reply.raw.statusCode
  const durationMs = performance.now() - state.startedMs
  const { metrics, telemetry } = services
  const finished = {
    route,
    status,
    code: code ?? 'ok',
    durationMs,
    stages,
    decodedBy,
    creditsConsumed,
    creditsRefunded,
  }
  metrics.note(finished)
  if (telemetry !== null) {
    const { startedAtMs, startedMs } = state
    const traceParent = request.headers.traceparent?.toString()
    telemetry.note({ ...finished, requestId, method, startedAtMs, startedMs, traceParent, templateIds })
  }
  if (caller !== null) {
    const { startedAtMs: atMs, reason } = state
    services.usage.record({ ...caller, status, ...(code === null ? {} : { code }), templateIds, atMs })
    const { accountId, keyId } = caller
    const answered = { status, code, reason, durationMs, credits: creditsConsumed, isReplayed }
    services.requestLog.record({ accountId, keyId, requestId, endpoint: route, templateIds, atMs, ...answered })
  }
  // Thousands of requests a second may be shed under overload, and probes arrive every second.
  const level = state.isShed || (state.isProbe && !isUnanswered && code === null) ? 'debug' : 'info'
  if (!logger.isLevelEnabled(level)) return
  // Answers of pages are refused without a code.
  const complete = status < 400 ? 'ok' : 'refused'
  const answered = reply.raw.writableFinished ? complete : 'client gone while answering'
  logger[level](
    {
      requestId,
      ...caller,
      ...(keyCheck?.kind === 'address-not-allowed' ? { refusedKeyId: keyCheck.keyId } : {}),
      clientNetwork: networkOf(state.clientAddress),
      method,
      route,
      status,
      outcome: isUnanswered ? 'client gone' : (code ?? answered),
      durationMs: Math.round(durationMs),
      ...(templateIds.length > 0 ? { templateIds } : {}),
      ...(stages.length > 0
        ? { stagesMs: Object.fromEntries(stages.map(stage => [stage.name, Math.round(stage.durationMs)])) }
        : {}),
      ...(decodedBy.length > 0 ? { decodedBy: [...new Set(decodedBy)] } : {}),
      ...(creditsConsumed > 0 ? { creditsConsumed } : {}),
      ...(creditsRefunded > 0 ? { creditsRefunded } : {}),
      ...(isReplayed ? { isReplayed } : {}),
    },
    'request',
  )
}
