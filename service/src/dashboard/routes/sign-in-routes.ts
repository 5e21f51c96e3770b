import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type AttemptPurpose, countAttempt } from '../attempts.ts'
import { forgetResetLinks, passwordLengthMax, passwordLengthMin, sessionCookieName } from '../auth.ts'
import { refuseCommonPassword } from '../common-passwords.ts'
import { DashboardError } from '../dashboard-error.ts'
import type { DashboardServices } from '../dashboard-services.ts'
import { HashingBusy, isHashingBusy } from '../password-hash.ts'
import { ensureUser } from '../sign-in-link.ts'

const bodyBytesMax = 16 * 1024

/** Paths of the sign-in library that guess at a secret, or make us send mail: each counts as an attempt. */
const guarded: ReadonlyMap<string, AttemptPurpose> = new Map([
  ['/sign-in/email', 'secret'],
  ['/sign-up/email', 'mail'],
  ['/request-password-reset', 'mail'],
  ['/reset-password', 'secret'],
  ['/change-password', 'secret'],
  ['/two-factor/verify-totp', 'secret'],
  ['/two-factor/verify-backup-code', 'secret'],
  ['/two-factor/enable', 'secret'],
  ['/two-factor/disable', 'secret'],
])

/** Paths that the pages use. Whatever else the library offers does not exist here. */
const offered = new Set([...guarded.keys(), '/sign-out', '/two-factor/generate-backup-codes'])

/**
 * Paths whose answer is the same whether an address is known or not, and comes before the work begins: neither what it says nor how
 * long it takes tells a stranger who has an account. What there is to tell goes to the address, by mail.
 */
const answeredAtOnce = new Set(['/sign-up/email', '/request-password-reset'])

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
const signUpBody = z.object({
  email: z.email().max(254),
  password: z.string().min(passwordLengthMin).max(passwordLengthMax),
})
const resetBody = z.object({ email: z.email().max(254) })

/** Hands the requests under /dashboard/auth to the sign-in library, as fetch requests. */
export function registerSignInRoutes(app: FastifyInstance, services: DashboardServices): void {
  const { auth, rateLimiter, origin, devices } = services
  const underWay = new Set<Promise<void>>()
  app.addHook('onClose', async () => {
    await Promise.all(underWay)
  })
  const workOn = (request: FastifyRequest, work: () => Promise<Response>): void => {
    const done = work()
      .then(response => {
        // A refusal is for nobody: the answer has gone out.
        if (response.status >= 500) request.log.error({ status: response.status }, 'a sign-up or a reset failed')
      })
      .catch((error: unknown) => request.log.error({ err: error }, 'a sign-up or a reset failed'))
      .finally(() => underWay.delete(done))
    underWay.add(done)
  }

  app.all('/dashboard/auth/*', { bodyLimit: bodyBytesMax }, async (request, reply) => {
    const url = new URL(request.url, origin)
    const path = url.pathname.slice('/dashboard/auth'.length)
    const isLink = links.has(path) && request.method === 'POST'
    if (!offered.has(path) && !isLink) throw new DashboardError(404, 'NOT_FOUND', 'There is nothing at this address.')
    const fields = anyFields.parse(request.body)
    const email = typeof fields['email'] === 'string' ? fields['email'] : null
    const purpose = guarded.get(path)
    if (purpose !== undefined) {
      const device = email === null ? null : devices.read(request.headers.cookie, email)
      await countAttempt(rateLimiter, { address: request.ip, email, purpose, device })
    }
    const password = fields[newPasswords.get(path) ?? '']
    if (typeof password === 'string') refuseCommonPassword(password)
    if (answeredAtOnce.has(path) && request.method === 'POST') {
      if (path === '/sign-up/email') {
        if (services.signUp === 'closed') throw signUpClosed()
        signUpBody.parse(fields)
      } else resetBody.parse(fields)
      if (isHashingBusy()) throw busy()
      const forwarded = fetchRequest(request, url, 'POST')
      workOn(request, async () => {
        if (path === '/request-password-reset') await letIn(services, email)
        return auth.handler(forwarded)
      })
      return { sent: true }
    }
    if (isLink) url.search = new URLSearchParams({ token: String(fields['token']) }).toString()
    const method = isLink ? 'GET' : request.method
    try {
      const isChange = path === '/change-password'
      // Whoever else knows the old password is out, whether the page asks for that or not.
      const forwarded = fetchRequest(request, url, method, isChange ? { revokeOtherSessions: true } : {})
      const response = await auth.handler(forwarded)
      if (isChange && response.ok)
        await forgetResetLinks(services.database, verified.parse(await response.clone().json()).user.id)
      if (path === '/two-factor/verify-totp' && response.ok)
        await useUp(rateLimiter, await response.clone().json(), fields['code'])
      const entered = response.ok ? await emailOfNewSession(services, response) : null
      if (entered !== null) reply.header('set-cookie', devices.headerFor(entered))
      return await answer(response, reply)
    } catch (error) {
      if (error instanceof HashingBusy) throw busy()
      throw error
    }
  })
}

const busy = () => new DashboardError(503, 'BUSY', 'Too many people are signing in.', 'Try again in a few seconds.')
const signUpClosed = () =>
  new DashboardError(403, 'SIGN_UP_CLOSED', 'This service makes no accounts by itself.', 'Ask its operator for one.')

/** Whom an answer signs in: the address of the session that its cookie opens, or null. */
async function emailOfNewSession({ auth, origin }: DashboardServices, response: Response): Promise<string | null> {
  const name = `${sessionCookieName(origin)}=`
  const pair = response.headers
    .getSetCookie()
    .map(cookie => cookie.split(';')[0] ?? '')
    .find(cookie => cookie.startsWith(name) && cookie.length > name.length)
  if (pair === undefined) return null
  const found = await auth.api.getSession({ headers: new Headers({ cookie: pair }) })
  return found?.user.email ?? null
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
async function letIn({ accounts, database }: DashboardServices, email: string | null): Promise<void> {
  const account = email === null ? null : await accounts.findByEmail(email)
  if (account !== null && account.suspendedAtMs === null) await ensureUser(database, account)
}

function fetchRequest(
  request: FastifyRequest,
  url: URL,
  method: string,
  fields: Record<string, unknown> = {},
): Request {
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
    ...(hasBody ? { body: JSON.stringify({ ...anyFields.parse(request.body), ...fields }) } : {}),
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
