import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { countAttempt } from '../attempts.ts'
import { refuseCommonPassword } from '../common-passwords.ts'
import { DashboardError } from '../dashboard-error.ts'
import type { DashboardServices } from '../dashboard-services.ts'
import { HashingBusy } from '../password-hash.ts'
import { ensureUser } from '../sign-in-link.ts'

const bodyBytesMax = 16 * 1024
const withEmail = z.object({ email: z.string() })

/** Paths of the sign-in library that guess at a secret or make us send mail: each counts as an attempt. */
const guarded = new Set([
  '/sign-in/email',
  '/sign-up/email',
  '/request-password-reset',
  '/reset-password',
  '/change-password',
  '/send-verification-email',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/two-factor/enable',
  '/two-factor/disable',
])

/** Paths that the pages use. Whatever else the library offers does not exist here. */
const offered = new Set([
  ...guarded,
  '/sign-out',
  '/list-sessions',
  '/revoke-other-sessions',
  '/two-factor/generate-backup-codes',
])

/**
 * Links that sign somebody in. The library takes them by GET, which any site can make a browser send: a visitor would find
 * himself in a stranger's account. Here a page of ours posts the token, which no log and no scanner of mail has seen.
 */
const links = new Set(['/magic-link/verify', '/verify-email'])

/** Where a new password comes in, and the name of its field. */
const newPasswords = new Map([
  ['/sign-up/email', 'password'],
  ['/reset-password', 'newPassword'],
  ['/change-password', 'newPassword'],
])
const anyFields = z.record(z.string(), z.unknown()).catch({})

/** Hands the requests under /dashboard/auth to the sign-in library, as fetch requests. */
export function registerSignInRoutes(app: FastifyInstance, services: DashboardServices): void {
  const { auth, rateLimiter, origin } = services
  app.all('/dashboard/auth/*', { bodyLimit: bodyBytesMax }, async (request, reply) => {
    const url = new URL(request.url, origin)
    const path = url.pathname.slice('/dashboard/auth'.length)
    const isLink = links.has(path) && request.method === 'POST'
    if (!offered.has(path) && !isLink) throw new DashboardError(404, 'NOT_FOUND', 'There is nothing at this address.')
    if (guarded.has(path)) {
      const body = withEmail.safeParse(request.body)
      await countAttempt(rateLimiter, { address: request.ip, email: body.success ? body.data.email : null })
    }
    const fields = anyFields.parse(request.body)
    const password = fields[newPasswords.get(path) ?? '']
    if (typeof password === 'string') refuseCommonPassword(password)
    if (path === '/request-password-reset') await letIn(services, fields['email'])
    if (isLink) url.search = new URLSearchParams({ token: String(fields['token']) }).toString()
    const method = isLink ? 'GET' : request.method
    try {
      const response = await auth.handler(fetchRequest(request, url, method))
      if (path === '/two-factor/verify-totp' && response.ok)
        await useUp(rateLimiter, await response.clone().json(), fields['code'])
      return await answer(response, reply)
    } catch (error) {
      if (error instanceof HashingBusy)
        throw new DashboardError(503, 'BUSY', 'Too many people are signing in.', 'Try again in a few seconds.')
      throw error
    }
  })
}

const verified = z.object({ user: z.object({ id: z.string() }) })
/** For so long the library takes a code: its own half minute, and the ones before and after. */
const codeSeconds = 90

/** A code that was read over a shoulder is no use: it lets in once (RFC 6238, 5.2). @throws DashboardError */
async function useUp(limiter: DashboardServices['rateLimiter'], answered: unknown, code: unknown): Promise<void> {
  const { user } = verified.parse(answered)
  const subject = `code:${user.id}:${String(code)}`
  const { allowed } = await limiter.count({ subject, limits: [{ windowSeconds: codeSeconds, limit: 1 }] })
  if (!allowed)
    throw new DashboardError(
      401,
      'CODE_USED',
      'This code was used before.',
      'Wait for the next one that the app shows.',
    )
}

/** An account that an operator made can be entered by whoever reads its mail, though nobody has signed in to it yet. */
async function letIn({ accounts, database }: DashboardServices, email: unknown): Promise<void> {
  const account = typeof email === 'string' ? await accounts.findByEmail(email) : null
  if (account !== null && account.suspendedAtMs === null) await ensureUser(database, account)
}

function fetchRequest(request: FastifyRequest, url: URL, method: string): Request {
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
  const hasBody = method === 'POST'
  return new Request(url, {
    method,
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
