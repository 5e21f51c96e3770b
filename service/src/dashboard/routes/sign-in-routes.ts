import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { countAttempt } from '../attempts.ts'
import { DashboardError } from '../dashboard-error.ts'
import type { DashboardServices } from '../dashboard-services.ts'
import { HashingBusy } from '../password-hash.ts'

const bodyBytesMax = 16 * 1024
const withEmail = z.object({ email: z.string() })

/** Paths of the sign-in library that guess at a secret or make us send mail: each counts as an attempt. */
const guarded = new Set([
  '/sign-in/email',
  '/sign-up/email',
  '/sign-in/magic-link',
  '/request-password-reset',
  '/reset-password',
  '/change-password',
  '/change-email',
  '/send-verification-email',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/two-factor/enable',
  '/two-factor/disable',
])

/** Paths that the pages use. Whatever else the library offers does not exist here. */
const offered = new Set([
  ...guarded,
  '/magic-link/verify',
  '/sign-out',
  '/list-sessions',
  '/revoke-other-sessions',
  '/verify-email',
  '/two-factor/generate-backup-codes',
])

/** Hands the requests under /dashboard/auth to the sign-in library, as fetch requests. */
export function registerSignInRoutes(app: FastifyInstance, { auth, rateLimiter, origin }: DashboardServices): void {
  app.all('/dashboard/auth/*', { bodyLimit: bodyBytesMax }, async (request, reply) => {
    const url = new URL(request.url, origin)
    const path = url.pathname.slice('/dashboard/auth'.length)
    if (!offered.has(path)) throw new DashboardError(404, 'NOT_FOUND', 'There is nothing at this address.')
    if (guarded.has(path)) {
      const body = withEmail.safeParse(request.body)
      await countAttempt(rateLimiter, { address: request.ip, email: body.success ? body.data.email : null })
    }
    try {
      return await answer(await auth.handler(fetchRequest(request, url)), reply)
    } catch (error) {
      if (error instanceof HashingBusy)
        throw new DashboardError(503, 'BUSY', 'Too many people are signing in.', 'Try again in a few seconds.')
      throw error
    }
  })
}

function fetchRequest(request: FastifyRequest, url: URL): Request {
  const headers = new Headers()
  for (const name of [
    'cookie',
    'origin',
    'content-type',
    'user-agent',
    'sec-fetch-site',
    'sec-fetch-mode',
    'sec-fetch-dest',
  ]) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  headers.set('x-vitrine-client-address', request.ip)
  const hasBody = request.method === 'POST'
  return new Request(url, {
    method: request.method,
    headers,
    ...(hasBody ? { body: JSON.stringify(request.body ?? {}) } : {}),
  })
}

async function answer(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  reply.code(response.status)
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie)
  const location = response.headers.get('location')
  if (location !== null) reply.header('location', location)
  reply.header('content-type', response.headers.get('content-type') ?? 'application/json')
  return reply.send(await response.text())
}
