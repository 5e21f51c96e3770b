import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { AppServices } from './app-services.ts'
import { buildProxyTrust } from './http/client-address.ts'
import { defaultDeadlines, type HttpDeadlines } from './http/deadlines.ts'
import { serverBusy } from './http/error-mapping.ts'
import { openFrontDoor } from './http/front-door.ts'
import { KnownMethods } from './http/known-methods.ts'
import { answerParserError, trackAnswers } from './http/parser-errors.ts'
import { RequestGate } from './http/request-gate.ts'
import { installLifecycle, type LifecycleOptions } from './http/request-lifecycle.ts'
import { documents } from './routes/documents.ts'
import { GenerationPlaces } from './routes/generation-places.ts'
import { getBillingBalance } from './routes/get-billing-balance.ts'
import { getBillingUsage } from './routes/get-billing-usage.ts'
import { getTemplates } from './routes/get-templates.ts'
import { getThumbnail } from './routes/get-thumbnail.ts'
import { operations } from './routes/operations.ts'
import { postMockupsGenerate } from './routes/post-mockups-generate.ts'
import type { Settings } from './settings/load-settings.ts'
import { publicUrlOf } from './settings/public-url.ts'

const BASE = '/api/v1'

export interface AppOptions {
  readonly logger: Logger
  /** Shorter ones are for tests. */
  readonly deadlines?: HttpDeadlines
}

/** The HTTP interface on its services. Listening, stopping and everything that lives longer than a request is the caller's. */
export async function createApp(
  services: AppServices,
  settings: Settings,
  options: AppOptions,
): Promise<FastifyInstance> {
  const { logger, deadlines = defaultDeadlines } = options
  // Fastify says where it listens and what it was asked, in its own words; the service says both in its own.
  const loggerInstance: FastifyBaseLogger = logger.child(
    {},
    { level: logger.isLevelEnabled('info') ? 'warn' : logger.level },
  )
  const isProxy = buildProxyTrust(settings.TRUST_PROXY)
  const app: FastifyInstance = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: parent => parent,
    trustProxy: isProxy,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    rewriteUrl: request => readableUrl(request.url ?? '/'),
    clientErrorHandler: answerParserError,
    keepAliveTimeout: deadlines.keepAliveMs,
    // The reader of bodies has its own deadlines, which answer with everything that is known of the request; this one stands behind it.
    requestTimeout: deadlines.headersMs + deadlines.bodyMs + deadlines.lingerMs,
    http: { headersTimeout: deadlines.headersMs, connectionsCheckingInterval: 1000, maxHeaderSize: 16 * 1024 },
  })
  let isStopping = false
  const gate = new RequestGate(services, {
    limits: {
      perMinute: settings.RATE_LIMIT_PER_MINUTE,
      perDay: settings.RATE_LIMIT_PER_DAY,
      unauthenticatedPerMinute: settings.RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE,
    },
    isProxy,
    refusalOfAll: () => (isStopping ? serverBusy(5) : null),
  })
  const places = new GenerationPlaces(services.pool)
  const lifecycle: LifecycleOptions = {
    logger,
    deadlines,
    onFinished: finished => services.metrics.note(finished),
    recordUsage: record => services.usage.record(record),
    isStopping: () => isStopping,
    isEncrypted: publicUrlOf(settings).startsWith('https:'),
  }
  app.server.removeAllListeners('request')
  app.server.on(
    'request',
    openFrontDoor((request, response) => app.routing(request, response), {
      method: 'POST',
      target: `${BASE}/mockups/generate`,
      gate,
      lifecycle,
      admit: (request, response) => places.enter(request, response),
    }),
  )
  trackAnswers(app.server)
  for (const event of ['checkContinue', 'checkExpectation'])
    app.server.on(event, (request, response) => app.server.emit('request', request, response))

  // Bodies are read by the routes that want one, after everything that can be refused without it.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))

  app.addHook('preClose', async () => {
    isStopping = true
  })
  const methods = new KnownMethods(app)
  installLifecycle(app, lifecycle)
  app.setNotFoundHandler(request => {
    throw methods.errorFor(request.method, request.url)
  })

  operations(app, services, { metricsToken: settings.METRICS_TOKEN, isStopping: () => isStopping })
  getThumbnail(app, services)
  await app.register(documents)
  await app.register(
    async api => {
      api.addHook('onRequest', async request => {
        await gate.enter(request.raw)
        if (request.is404) throw methods.errorFor(request.method, request.url)
      })
      api.setNotFoundHandler(() => undefined)
      getTemplates(api, services, () => publicUrlOf(settings))
      getBillingBalance(api, services)
      getBillingUsage(api, services)
      postMockupsGenerate(api, services, deadlines, places)
    },
    { prefix: BASE },
  )
  return app
}

/**
 * The path and query of a request's target. Absolute targets (RFC 9112 section 3.2.2) lose their origin; a path that cannot be decoded leads
 * to one that does not exist, so that it is answered like one. In a query a lone `%` is a plain character.
 */
function readableUrl(target: string): string {
  // What nearly every request asks for: a path with nothing to decode.
  if (target.startsWith('/') && !target.includes('%')) return target
  const url = target.replace(/^https?:\/\/[^/?#]*/i, '')
  try {
    decodeURI(url.split('?', 1)[0] ?? '')
    return url.startsWith('/') ? url : `/${url}`
  } catch {
    return url.startsWith(`${BASE}/`) ? `${BASE}/unreadable` : '/unreadable'
  }
}
