import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Stage } from '../mockups/generate-mockups.ts'
import type { FinishedRequest } from '../observability/metrics.ts'
import { AnswerSender, type SizedBody } from './answer-sender.ts'
import type { ApiError } from './api-error.ts'
import { ClientGoneError } from './body-reader.ts'
import type { HttpDeadlines } from './deadlines.ts'
import { toApiError } from './error-mapping.ts'
import { newRequestId } from './request-id.ts'
import { beginRequest, findRequestState, type RequestState } from './request-state.ts'
import { closeAfterBody, cutSlowReaders, dropBody, dropRestOfBody, hasMuchToCome } from './slow-clients.ts'

/** What one authenticated request was, for the usage statistics. */
export interface UsageRecord {
  readonly accountId: string
  /** Empty for a request of the dashboard. */
  readonly keyId: string
  readonly status: number
  readonly code?: string
  readonly templateIds: readonly string[]
  readonly creditsConsumed: number
  readonly creditsRefunded: number
  readonly atMs: number
}

export interface LifecycleOptions {
  readonly logger: Logger
  readonly deadlines: HttpDeadlines
  readonly onFinished: (request: FinishedRequest) => void
  readonly recordUsage: (record: UsageRecord) => void
  /** Whether the service takes no more work: connections end with their answers. */
  readonly isStopping: () => boolean
  /** Whether clients reach the service by https: browsers are then told to use nothing else. */
  readonly isEncrypted: boolean
}

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Sends a body whose size is known before, past Fastify: with the headers that were set and those of every answer. Settles when the answer has left, or its
     * client; rejects when the body cannot be read.
     */
    sendSized(body: SizedBody): Promise<void>
  }
}

/** What is logged in place of a status when the client left before the answer began (as nginx and imgproxy do). */
const CLIENT_GONE_STATUS = 499

/**
 * Begins and ends every request: its id, its headers, its errors, and what is said of it afterwards.
 *
 * Whatever every request passes through takes no promise where it need not: a service that refuses thousands a second does little else.
 */
export function installLifecycle(app: FastifyInstance, options: LifecycleOptions): void {
  cutSlowReaders(app.server, options.deadlines)
  app.addHook('onRequest', (request, reply, done) => {
    // Otherwise it has come in by the front door.
    if (findRequestState(request.raw) === undefined) {
      const routeOf = () =>
        request.routeOptions.url === undefined ? 'other' : `${request.method} ${request.routeOptions.url}`
      beginRequestOn(request.raw, reply.raw, routeOf, options)
    }
    done()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    dropBody(request.raw)
    eachHeader(request.raw, options, (name, value) => {
      if (name === 'Connection' || !reply.hasHeader(name)) reply.header(name, value)
    })
    done()
  })
  const sender = new AnswerSender()
  app.decorateReply('sendSized', function sendSized(body) {
    return sendSizedBody(this, body, sender, options)
  })
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, options))
}

/** Begins a request, and sees to its end. `routeOf` says which route it took, as logs and metrics name it. */
export function beginRequestOn(
  request: IncomingMessage,
  response: ServerResponse,
  routeOf: () => string,
  options: LifecycleOptions,
): void {
  const nowMs = Date.now()
  const state = beginRequest(request, newRequestId(nowMs), nowMs)
  response.once('close', () => {
    dropRestOfBody(request, options.deadlines)
    finish(request, response, routeOf(), state, options)
  })
}

/** Headers that every answer to this request carries, whoever writes it. */
function eachHeader(
  request: IncomingMessage,
  options: LifecycleOptions,
  set: (name: string, value: string) => void,
): void {
  const state = findRequestState(request)
  if (state !== undefined) {
    for (const [name, value] of state.headers) set(name, value)
    if (state.stages.length > 0) set('Server-Timing', serverTiming(state.stages))
  }
  if (options.isEncrypted) set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains')
  // Whoever was told to send the body only after "100 Continue" and never was may send anything next.
  if (options.isStopping() || isWaitingToContinue(request)) set('Connection', 'close')
  else if (hasMuchToCome(request)) {
    set('Connection', 'close')
    closeAfterBody(request, options.deadlines)
  }
}

const continued = new WeakSet<IncomingMessage>()

function isWaitingToContinue(request: IncomingMessage): boolean {
  return request.headers.expect !== undefined && !continued.has(request)
}

/** Tells a client that waits for it to send its body. */
export function continueBody(request: FastifyRequest, reply: FastifyReply): void {
  if (!isWaitingToContinue(request.raw)) return
  continued.add(request.raw)
  reply.raw.writeContinue()
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, options: LifecycleOptions): void {
  if (findRequestState(request.raw)?.isTurnedAway === true || isGone(error, request.raw)) {
    // There may be thousands a second of these, and most of what follows in Fastify would be for nothing.
    reply.hijack()
    answerError(error, request.raw, reply.raw, options)
    return
  }
  const answer = describeError(error, request.raw, options)
  reply
    .headers({ ...answer.headers, 'Content-Type': ERROR_TYPE })
    .code(answer.status)
    .send(answer.json)
}

/** Answers a request that went wrong, past Fastify. */
export function answerError(
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  options: LifecycleOptions,
): void {
  if (isGone(error, request)) {
    response.destroy()
    return
  }
  const answer = describeError(error, request, options)
  const body = answer.json
  dropBody(request)
  const headers = ['Content-Type', ERROR_TYPE, 'Content-Length', String(Buffer.byteLength(body))]
  for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined) headers.push(name, value)
  eachHeader(request, options, (name, value) => headers.push(name, value))
  response.writeHead(answer.status, headers).end(body)
}

const ERROR_TYPE = 'application/json; charset=utf-8'

function isGone(error: unknown, request: IncomingMessage): boolean {
  return error instanceof ClientGoneError || (request.destroyed && !request.complete)
}

/** The answer to an error; what is a defect of ours is logged. */
function describeError(error: unknown, request: IncomingMessage, options: LifecycleOptions): ApiError {
  const state = findRequestState(request)
  const answer = toApiError(error, state?.requestId ?? '')
  if (state !== undefined) state.code = answer.code
  if (answer.isDefect) {
    const about = { requestId: state?.requestId, code: answer.code, err: answer.cause ?? answer }
    options.logger.error(about, 'request failed')
  }
  return answer
}

async function sendSizedBody(
  reply: FastifyReply,
  body: SizedBody,
  sender: AnswerSender,
  options: LifecycleOptions,
): Promise<void> {
  const { request, raw, statusCode } = reply
  const begin = (): void => {
    reply.header('Content-Length', body.sizeBytes)
    dropBody(request.raw)
    eachHeader(request.raw, options, (name, value) => void reply.header(name, value))
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
    raw.writeHead(statusCode)
  }
  try {
    await sender.send(raw, body, begin)
  } catch (error) {
    // Half an answer must not look like a whole one.
    if (raw.headersSent) raw.destroy()
    throw error
  }
}

/** https://www.w3.org/TR/server-timing/ */
function serverTiming(stages: readonly Stage[]): string {
  return stages
    .map(({ name, durationMs, description }) => {
      const words = description ? `;desc="${description.replaceAll(/[^\w ]/g, '-')}"` : ''
      return `${name.replaceAll(/[^\w-]/g, '-')};dur=${durationMs.toFixed(1)}${words}`
    })
    .join(', ')
}

function finish(
  request: IncomingMessage,
  response: ServerResponse,
  route: string,
  state: RequestState,
  options: LifecycleOptions,
): void {
  const { method } = request
  const { caller, code, creditsConsumed, creditsRefunded, decodedBy, isReplayed, requestId, stages, templateIds } =
    state
  const isUnanswered = !response.headersSent
  const status = isUnanswered ? CLIENT_GONE_STATUS : response.statusCode
  const durationMs = performance.now() - state.startedMs
  options.onFinished({
    route,
    status,
    code: code ?? 'ok',
    durationMs,
    stages,
    decodedBy,
    creditsConsumed,
    creditsRefunded,
  })
  if (caller !== null)
    options.recordUsage({
      accountId: caller.accountId,
      keyId: caller.keyId ?? '',
      status,
      ...(code === null ? {} : { code }),
      templateIds,
      creditsConsumed,
      creditsRefunded,
      atMs: state.startedAtMs,
    })
  const level = state.isTurnedAway ? 'debug' : 'info'
  if (!options.logger.isLevelEnabled(level)) return
  options.logger[level](
    {
      requestId,
      ...(caller === null ? {} : caller),
      method,
      route,
      status,
      outcome: isUnanswered
        ? 'client gone'
        : (code ?? (response.writableFinished ? 'ok' : 'client gone while answering')),
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
