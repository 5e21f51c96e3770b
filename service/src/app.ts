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

/** Routes parse by Zod. Fastify's own compilers of schemas are two hundred modules. */
function refuseSchemas(): never {
  throw new Error('Expected routes without schemas of Fastify.')
}

/** The HTTP interface on its services. The caller starts and stops both. */
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
  // The service logs its address and its requests itself.
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
    // Longer than any target: a name that is too long does not exist, which the routes say themselves.
    routerOptions: { maxParamLength: 64 * 1024 },
    trustProxy: fastifyTrustOf(settings.TRUST_PROXY),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    rewriteUrl: request => normalizeTarget(request.url ?? '/'),
    clientErrorHandler: answerParserError({ isEncrypted, requestIds, lingerMs: deadlines.lingerMs }),
    keepAliveTimeout: deadlines.keepAliveMs,
    // A second bound: the deadlines of `BodyReader` end before and answer with more detail.
    requestTimeout: deadlines.headersMs + Math.max(deadlines.bodyMs, deadlines.uploadMs) + deadlines.lingerMs,
    http: {
      headersTimeout: deadlines.headersMs,
      connectionsCheckingInterval: 1000,
      maxHeaderSize: 16 * 1024,
      // Node would answer without JSON: see `refuseUnclearFraming`.
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
