import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { RequestIds } from './database/request-id.ts'
import { loadConnectionsMax } from './http/connection-bounds.ts'
import type { HttpDeadlines } from './http/deadlines.ts'
import { RequestLogController } from './http/error-answers.ts'
import { answerParserError } from './http/parser-errors.ts'
import type { PipelineContext } from './http/pipeline-context.ts'
import { installApiSteps, installPipeline } from './http/request-pipeline.ts'
import { API_BASE, normalizeTarget } from './http/request-target.ts'
import type { ServicePhase } from './http/service-phase.ts'
import { fastifyTrustOf } from './http/trusted-proxies.ts'
import { registerMcp } from './mcp/register-mcp.ts'
import { buildRequestLimits } from './rate-limits/request-limits.ts'
import { documents } from './routes/documents.ts'
import { embed } from './routes/embed.ts'
import { getBillingBalance } from './routes/get-billing-balance.ts'
import { getBillingUsage } from './routes/get-billing-usage.ts'
import { getPicture } from './routes/get-picture.ts'
import { getTemplates } from './routes/get-templates.ts'
import { getThumbnail } from './routes/get-thumbnail.ts'
import { operations } from './routes/operations.ts'
import { postMockupsGenerate } from './routes/post-mockups-generate.ts'
import { securityContact } from './routes/security-contact.ts'
import type { Services } from './services.ts'
import type { Settings } from './settings/load-settings.ts'
import { publicUrlOf } from './settings/public-url.ts'

/** Routes validate with Zod. Loading Fastify's own schema compilers would take two hundred modules. */
function refuseSchemas(): never {
  throw new Error('Expected routes without schemas of Fastify.')
}

/** The HTTP interface on top of the services. The caller starts and stops both. */
export async function createApp(
  services: Services,
  settings: Settings,
  {
    logger,
    deadlines,
    phase,
  }: { readonly logger: Logger; readonly deadlines: HttpDeadlines; readonly phase: ServicePhase },
): Promise<FastifyInstance> {
  const isEncrypted = publicUrlOf(settings).startsWith('https:')
  // The service itself logs its address and its requests.
  const loggerInstance: FastifyBaseLogger = logger.child(
    {},
    { level: logger.isLevelEnabled('info') ? 'warn' : logger.level },
  )
  const connectionsMax = loadConnectionsMax(settings.CONNECTIONS_MAX)
  if (connectionsMax < settings.CONNECTIONS_MAX)
    logger.warn({ connectionsMax }, 'few file descriptors: fewer connections than CONNECTIONS_MAX are taken')
  const requestIds = new RequestIds()
  const app: FastifyInstance = Fastify({
    loggerInstance,
    logController: new RequestLogController(logger),
    childLoggerFactory: parent => parent,
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    genReqId: () => requestIds.next(),
    // Longer than any target, so that routes answer for names that are too long, which do not exist.
    routerOptions: { maxParamLength: 64 * 1024 },
    trustProxy: fastifyTrustOf(settings.TRUST_PROXY),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    rewriteUrl: request => normalizeTarget(request.url ?? '/'),
    clientErrorHandler: answerParserError({ isEncrypted, requestIds, lingerMs: deadlines.lingerMs }),
    keepAliveTimeout: deadlines.keepAliveMs,
    // A second limit: the deadlines of `BodyReader` are shorter and answer with more detail.
    requestTimeout: deadlines.headersMs + Math.max(deadlines.bodyMs, deadlines.uploadMs) + deadlines.lingerMs,
    http: {
      headersTimeout: deadlines.headersMs,
      connectionsCheckingInterval: 1000,
      maxHeaderSize: 16 * 1024,
      // Node's own answer would not be JSON: see `refuseUnclearFraming`.
      requireHostHeader: false,
    },
  })
  app.addHook('preClose', async () => {
    phase.current = 'stopping'
  })
  const context: PipelineContext = {
    services,
    logger,
    deadlines,
    limits: buildRequestLimits(settings),
    connectionsMax,
    trustedProxies: settings.TRUST_PROXY,
    isEncrypted,
    phase,
  }
  installPipeline(app, context)
  operations(app, services, { metricsToken: settings.METRICS_TOKEN, phase, logger })
  getThumbnail(app, services)
  getPicture(app, services)
  await registerMcp(app, context, { ...services, publicUrl: publicUrlOf(settings) })
  securityContact(app, { contacts: settings.SECURITY_CONTACT, publicUrl: settings.PUBLIC_URL })
  await embed(app, services, { limits: context.limits, publicUrl: publicUrlOf(settings) })
  await app.register(documents, { publicUrl: publicUrlOf(settings) })
  await app.register(
    async api => {
      installApiSteps(api, context)
      getTemplates(api, services, publicUrlOf(settings))
      getBillingBalance(api, services)
      getBillingUsage(api, services)
      postMockupsGenerate(api, services, { deadlines, publicUrl: publicUrlOf(settings) })
    },
    { prefix: API_BASE },
  )
  return app
}
