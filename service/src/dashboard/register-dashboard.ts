import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DashboardError } from '../errors/dashboard-error.ts'
import { continueBody } from '../http/expect-continue.ts'
import { mediaTypeOf } from '../http/media-type.ts'
import type { Payments } from '../payments/payments.ts'
import { type GenerateOptions, postMockupsGenerate } from '../routes/post-mockups-generate.ts'
import type { DashboardServices } from './dashboard-services.ts'
import { answerError } from './error-mapping.ts'
import { buildFindVisitor } from './find-visitor.ts'
import { readBytes } from './octet-body.ts'
import { pageHeaders, registerPages, sharedProofHeaders } from './pages.ts'
import { registerAccountRoutes } from './routes/account-routes.ts'
import { registerAuditRoutes } from './routes/audit-routes.ts'
import { registerKeyRoutes } from './routes/key-routes.ts'
import { registerMockupRoutes, storeSentMockup } from './routes/mockup-routes.ts'
import { registerMoneyRoutes } from './routes/money-routes.ts'
import { registerPaymentEvents, registerPaymentRoutes } from './routes/payment-routes.ts'
import { registerProofRoutes } from './routes/proof-routes.ts'
import { registerPsdImportRoutes } from './routes/psd-import-routes.ts'
import { registerPublishableKeyRoutes } from './routes/publishable-key-routes.ts'
import { registerRequestRoutes } from './routes/request-routes.ts'
import { registerSessionRoutes } from './routes/session-routes.ts'
import { registerSharedProofRoutes } from './routes/shared-proof-routes.ts'
import { registerSignInRoutes } from './routes/sign-in-routes.ts'
import { registerTemplateRoutes } from './routes/template-routes.ts'
import { assertSameOrigin } from './same-origin.ts'

const JSON_BYTES_MAX = 64 * 1024

/** The pages at `/` and their routes below `/dashboard`. Neither is part of the public interface. */
export async function registerDashboard(
  app: FastifyInstance,
  services: DashboardServices,
  { payments, ...generate }: GenerateOptions & { readonly payments: Payments | null },
): Promise<void> {
  const { origin } = services
  await app.register(async scope => {
    addJsonParser(scope, services)
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers({ ...pageHeaders, 'cache-control': 'no-store' })
      assertSameOrigin(request, origin)
    })
    scope.setErrorHandler(answerError)
    const findVisitor = buildFindVisitor(services)
    registerSignInRoutes(scope, services)
    registerSessionRoutes(scope, services, findVisitor, payments !== null)
    registerKeyRoutes(scope, services, findVisitor)
    registerPublishableKeyRoutes(scope, services, findVisitor)
    registerMoneyRoutes(scope, services, findVisitor, payments !== null)
    registerRequestRoutes(scope, services, findVisitor)
    registerTemplateRoutes(scope, services, findVisitor)
    registerProofRoutes(scope, services, findVisitor)
    registerMockupRoutes(scope, services, findVisitor)
    registerPsdImportRoutes(scope, services, findVisitor)
    registerAccountRoutes(scope, services, findVisitor)
    registerAuditRoutes(scope, services, findVisitor)
    if (payments !== null) registerPaymentRoutes(scope, payments, findVisitor)
  })
  await app.register(async scope => {
    addJsonParser(scope, services)
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers({ ...sharedProofHeaders, 'cache-control': 'no-store' })
      assertSameOrigin(request, origin)
    })
    scope.setErrorHandler(answerError)
    registerSharedProofRoutes(scope, services)
  })
  await app.register(
    async scope => {
      // Full mockups: the public interface's own route and errors, for a visitor instead of a key.
      const findVisitor = buildFindVisitor(services)
      scope.setErrorHandler((error, request, reply) => {
        if (error instanceof DashboardError) return answerError(error, request, reply)
        throw error
      })
      scope.addHook('onRequest', async request => {
        assertSameOrigin(request, origin)
        const { account } = await findVisitor(request)
        request.state.caller = { accountId: account.accountId, keyId: null }
      })
      postMockupsGenerate(scope, services, {
        ...generate,
        onSent: (request, sent) => storeSentMockup(services, request, sent),
      })
    },
    { prefix: '/dashboard/api' },
  )
  if (payments !== null) {
    // Not in the scope of the pages: Stripe's events have another origin and are verified by signature.
    await app.register(async scope => {
      scope.setErrorHandler(answerError)
      registerPaymentEvents(scope, payments, services)
    })
  }
  await registerPages(app)
}

/** Parses JSON before the handler, which reads any other body itself. */
function addJsonParser(scope: FastifyInstance, services: Pick<DashboardServices, 'deadlines'>): void {
  scope.addHook('preParsing', (request, reply, payload, done) => {
    if (mediaTypeOf(request.headers['content-type']) === 'application/json') continueBody(request, reply)
    done(null, payload)
  })
  scope.addContentTypeParser('application/json', async (request: FastifyRequest): Promise<unknown> => {
    const { bodyLimit } = request.routeOptions
    const text = String(await readBytes(request, services, Math.min(bodyLimit ?? JSON_BYTES_MAX, JSON_BYTES_MAX)))
    try {
      return text === '' ? {} : JSON.parse(text)
    } catch {
      throw new DashboardError('MALFORMED_REQUEST', { message: 'Expected JSON in the body of this request.' })
    }
  })
}
