import { APIError } from 'better-auth/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ZodError } from 'zod'
import type { HttpDeadlines } from '../http/deadlines.ts'
import { type MockupServices, postMockupsGenerate } from '../routes/post-mockups-generate.ts'
import { DashboardError } from './dashboard-error.ts'
import type { DashboardServices } from './dashboard-services.ts'
import { buildFindVisitor } from './find-visitor.ts'
import { pageHeaders, registerPages } from './pages.ts'
import type { Payments } from './payments.ts'
import { registerAccountRoutes } from './routes/account-routes.ts'
import { registerKeyRoutes } from './routes/key-routes.ts'
import { registerMoneyRoutes } from './routes/money-routes.ts'
import { registerPaymentEvents, registerPaymentRoutes } from './routes/payment-routes.ts'
import { registerSessionRoutes } from './routes/session-routes.ts'
import { registerSignInRoutes } from './routes/sign-in-routes.ts'
import { registerTemplateRoutes } from './routes/template-routes.ts'
import { assertSameOrigin } from './same-origin.ts'

const jsonBytesMax = 64 * 1024

/** The pages at `/` and what they ask of the service, below `/dashboard`. Nothing of it is part of the public interface. */
export async function registerDashboard(
  app: FastifyInstance,
  services: DashboardServices & MockupServices,
  { payments, deadlines }: { readonly payments: Payments | null; readonly deadlines: HttpDeadlines },
): Promise<void> {
  const { origin } = services
  await app.register(async scope => {
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: jsonBytesMax },
      (_request, body, done) => {
        try {
          done(null, body === '' ? {} : JSON.parse(String(body)))
        } catch {
          done(new DashboardError(400, 'MALFORMED_REQUEST', 'Expected JSON in the body of this request.'))
        }
      },
    )
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers({ ...pageHeaders, 'cache-control': 'no-store' })
      assertSameOrigin(request, origin)
    })
    scope.setErrorHandler(answerError)
    const findVisitor = buildFindVisitor(services)
    registerSignInRoutes(scope, services)
    registerSessionRoutes(scope, services, findVisitor, payments !== null)
    registerKeyRoutes(scope, services, findVisitor)
    registerMoneyRoutes(scope, services, findVisitor, payments !== null)
    registerTemplateRoutes(scope, services, findVisitor)
    registerAccountRoutes(scope, services, findVisitor)
    if (payments !== null) registerPaymentRoutes(scope, payments, findVisitor)
  })
  await app.register(
    async scope => {
      // Full mockups: the very route of the interface, for a visitor instead of a key. Its errors are the interface's.
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
      postMockupsGenerate(scope, services, deadlines)
    },
    { prefix: '/dashboard/api' },
  )
  if (payments !== null) {
    // Outside the scope above: what Stripe sends comes from no page of ours, and proves itself by its signature.
    await app.register(async scope => {
      scope.setErrorHandler(answerError)
      registerPaymentEvents(scope, payments)
    })
  }
  await registerPages(app)
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error)
  if (refusal === null) {
    request.log.error({ err: error }, 'a request of the dashboard failed')
    const body = {
      error: 'Something went wrong on our side.',
      code: 'INTERNAL_ERROR',
      hint: 'Try again; if it stays, send us the request id.',
    }
    return reply.code(500).send(body)
  }
  const { status, code, message, hint } = refusal
  const faults = error instanceof DashboardError && error.faults.length > 0 ? { details: { faults: error.faults } } : {}
  return reply.code(status).send({ error: message, code, ...(hint === undefined ? {} : { hint }), ...faults })
}

/** What of an error a page may show; null for a defect. */
function refusalOf(error: unknown): Pick<DashboardError, 'status' | 'code' | 'message' | 'hint'> | null {
  if (error instanceof DashboardError) return error
  if (error instanceof APIError && error.statusCode < 500) {
    const { message, code } = error.body ?? {}
    return {
      status: error.statusCode,
      code: code ?? 'REFUSED',
      message: message ?? 'This was refused.',
      hint: undefined,
    }
  }
  if (error instanceof ZodError) {
    const [issue] = error.issues
    return {
      status: 400,
      code: 'INVALID_FIELD',
      message: `${issue?.path.join('.') ?? 'The request'}: ${issue?.message ?? 'is not as expected'}.`,
      hint: undefined,
    }
  }
  if (
    error instanceof Error &&
    'statusCode' in error &&
    typeof error.statusCode === 'number' &&
    error.statusCode >= 400 &&
    error.statusCode < 500
  ) {
    return {
      status: error.statusCode,
      code: 'MALFORMED_REQUEST',
      message: 'This request could not be read.',
      hint: undefined,
    }
  }
  return null
}
