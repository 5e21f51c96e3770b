import { type AuditAction, emailAddressSchema, limits } from '@vitrine/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Account } from '../../accounts/accounts.ts'
import { DashboardError } from '../../errors/dashboard-error.ts'
import type { Attempts } from '../../sign-in/attempts.ts'
import {
  CLIENT_ADDRESS_HEADER,
  changesAddress,
  forgetResetLinks,
  SEAL_SEPARATOR,
  SIGN_UP_MARK_HEADER,
  SIGN_UP_SEAL_HEADER,
  sessionCookieName,
} from '../../sign-in/auth.ts'
import { refuseCommonPassword } from '../../sign-in/common-passwords.ts'
import { ensureUser } from '../../sign-in/sign-in-link.ts'
import { noteEvent } from '../account-events.ts'
import type { DashboardServices } from '../dashboard-services.ts'

const BODY_BYTES_MAX = 16 * 1024

/** How to count a request to a guarded path. */
type Guard = (attempts: Attempts, by: Attempting) => Promise<void>
type Attempting = {
  readonly address: string
  readonly email: string | null
  readonly device: string | null
  /** The account of the request's session. */
  readonly accountId: string | null
}

const asGuess: Guard = (attempts, by) => attempts.guess(by)
/** Paths that check a secret of the session's account; before a sign-in is complete there is none yet. */
const asGuessInside: Guard = (attempts, by) =>
  by.accountId === null ? attempts.guess({ ...by, email: null, device: null }) : attempts.guessInside(by.accountId)

/** Paths of the sign-in library that check a secret or send mail. */
const guarded: ReadonlyMap<string, Guard> = new Map<string, Guard>([
  ['/sign-in/email', asGuess],
  ['/sign-up/email', (attempts, by) => attempts.askForMail(by)],
  ['/request-password-reset', (attempts, by) => attempts.askForMail(by)],
  ['/reset-password', (attempts, { address }) => attempts.reset(address)],
  ['/change-password', asGuessInside],
  ['/two-factor/verify-totp', asGuessInside],
  ['/two-factor/verify-backup-code', asGuessInside],
  ['/two-factor/enable', asGuessInside],
  ['/two-factor/disable', asGuessInside],
  ['/two-factor/generate-backup-codes', asGuessInside],
])

/** Paths that the pages use. The library's other paths answer 404. */
const offered = new Set([...guarded.keys(), '/sign-out'])

/**
 * Paths that are answered before the work begins, identically for known and unknown addresses: neither the
 * answer nor its time reveals who has an account. The result is sent by mail.
 */
const answeredAtOnce = new Set(['/sign-up/email', '/request-password-reset'])

/**
 * Links that sign in. The library accepts them by GET, so that another site could make a browser sign in to a
 * stranger's account. Here our page posts the token, which is in the URL's fragment and so in no log.
 */
const links = new Set(['/magic-link/verify', '/verify-email'])

/** Paths with a new password, and the name of its field. */
const newPasswords = new Map([
  ['/sign-up/email', 'password'],
  ['/reset-password', 'newPassword'],
  ['/change-password', 'newPassword'],
])
/**
 * The library's fields are texts, numbers and booleans: some of its checks throw on objects, and PostgreSQL
 * on a zero byte.
 */
const scalarFields = z.record(
  z.string(),
  z.union([z.string().refine(text => !text.includes('\0')), z.number(), z.boolean(), z.null()], {
    error: 'expected a text, a number, true or false',
  }),
)

/** The fields of a body; none if it is not an object. @throws ZodError */
function fieldsOf({ body }: FastifyRequest): z.infer<typeof scalarFields> {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? scalarFields.parse(body) : {}
}

const signUpBody = z.object({
  email: emailAddressSchema,
  password: z.string().min(limits.passwordCharactersMin).max(limits.passwordCharactersMax),
})
const resetBody = z.object({ email: emailAddressSchema })

/** Passes the requests under /dashboard/auth to the sign-in library, as fetch requests. */
export function registerSignInRoutes(app: FastifyInstance, services: DashboardServices): void {
  const { auth, attempts, rateLimiter, origin, devices, marks, passwords } = services
  const underWay = new Set<Promise<void>>()
  app.addHook('onClose', async () => {
    await Promise.all(underWay)
  })
  const workOn = (request: FastifyRequest, work: () => Promise<Response>): void => {
    const done = work()
      .then(response => {
        // A refusal cannot be reported: the answer has already been sent.
        if (response.status >= 500) request.log.error({ status: response.status }, 'a sign-up or a reset failed')
      })
      .catch((error: unknown) => request.log.error({ err: error }, 'a sign-up or a reset failed'))
      .finally(() => underWay.delete(done))
    underWay.add(done)
  }

  app.all('/dashboard/auth/*', { bodyLimit: BODY_BYTES_MAX }, async (request, reply) => {
    const url = new URL(request.url, origin)
    const path = url.pathname.slice('/dashboard/auth'.length)
    const isLink = links.has(path) && request.method === 'POST'
    if (!offered.has(path) && !isLink) throw new DashboardError('NOT_FOUND')
    const fields = fieldsOf(request)
    const email = typeof fields['email'] === 'string' ? fields['email'] : null
    const guard = guarded.get(path)
    const { cookie } = request.headers
    const session =
      guard === undefined || cookie === undefined
        ? null
        : await auth.api.getSession({ headers: new Headers({ cookie }) })
    if (guard !== undefined) {
      await guard(attempts, {
        address: request.state.clientAddress,
        email,
        device: email === null ? null : devices.read(cookie, email),
        accountId: session?.user.id ?? null,
      })
    }
    const password = fields[newPasswords.get(path) ?? '']
    if (typeof password === 'string') await refuseCommonPassword(password)
    if (answeredAtOnce.has(path) && request.method === 'POST') {
      if (path === '/sign-up/email') {
        if (services.signUp === 'closed') throw new DashboardError('SIGN_UP_CLOSED')
        signUpBody.parse(fields)
        await attempts.signUp(request.state.clientAddress)
      } else resetBody.parse(fields)
      if (passwords.isBusy) throw new DashboardError('BUSY')
      const mark = marks.markOf(request.headers.cookie)
      if (path === '/sign-up/email') reply.header('set-cookie', marks.headerFor(mark))
      const forwarded = fetchRequest(request, url, 'POST', { headers: { [SIGN_UP_MARK_HEADER]: mark } })
      workOn(request, async () => {
        if (path === '/request-password-reset') await ensureUserOf(services, email)
        return auth.handler(forwarded)
      })
      return { sent: true }
    }
    const [token = '', seal = ''] = String(fields['token']).split(SEAL_SEPARATOR)
    if (isLink) url.search = new URLSearchParams({ token }).toString()
    const method = isLink ? 'GET' : request.method
    const isChange = path === '/change-password'
    // All other sessions, whose users know the old password, are ended, even if the page does not ask.
    const mark = marks.markOf(request.headers.cookie)
    const forwarded = fetchRequest(request, url, method, {
      headers: { [SIGN_UP_MARK_HEADER]: mark, [SIGN_UP_SEAL_HEADER]: seal },
      fields: isChange ? { revokeOtherSessions: true } : {},
    })
    const resetAccount = path === '/reset-password' ? await accountOfReset(services, fields['token']) : null
    const response = await auth.handler(forwarded)
    // The right password for an unconfirmed address: a new mail was sent, sealed for this browser.
    if (path === '/sign-in/email' && response.status === 403) reply.header('set-cookie', marks.headerFor(mark))
    if (isChange && response.ok)
      await forgetResetLinks(services.database, verified.parse(await response.clone().json()).user.id)
    if (path === '/two-factor/verify-totp' && response.ok)
      await useUp(rateLimiter, await response.clone().json(), fields['code'])
    // After a password reset the user can sign in, however many strangers guess passwords of the account.
    const signedIn = response.ok ? (resetAccount ?? (await userOfNewSession(services, response))) : null
    if (signedIn !== null) reply.header('set-cookie', devices.headerFor(signedIn.email))
    const isNewAddress = path === '/verify-email' && changesAddress({ token })
    const noted = isNewAddress ? null : signedIn
    noteAnswer(services, request, { path, isOk: response.ok, email, session, resetAccount, signedIn: noted })
    return answer(response, reply)
  })
}

type Person = Pick<Account, 'accountId' | 'email'>

/** The user whom an answer signs in, by the session cookie that it sets; or null. */
async function userOfNewSession({ auth, origin }: DashboardServices, response: Response): Promise<Person | null> {
  const name = `${sessionCookieName(origin)}=`
  const pair = response.headers
    .getSetCookie()
    .map(cookie => cookie.split(';')[0] ?? '')
    .find(cookie => cookie.startsWith(name) && cookie.length > name.length)
  if (pair === undefined) return null
  const found = await auth.api.getSession({ headers: new Headers({ cookie: pair }) })
  return found === null ? null : { accountId: found.user.id, email: found.user.email }
}

/** The account of a password-reset link; or null. */
async function accountOfReset({ auth, accounts }: DashboardServices, token: unknown): Promise<Person | null> {
  const { internalAdapter } = await auth.$context
  const link = await internalAdapter.findVerificationValue(`reset-password:${String(token)}`)
  return link === null ? null : accounts.get(link.value)
}

/** Audit actions of the session's account, by path. */
const actionsInside: ReadonlyMap<string, AuditAction> = new Map<string, AuditAction>([
  ['/change-password', 'password_changed'],
  ['/two-factor/disable', 'second_factor_off'],
  ['/two-factor/generate-backup-codes', 'backup_codes_made'],
])

/** Records what an answer of the sign-in library did, or refused. */
function noteAnswer(
  services: DashboardServices,
  request: FastifyRequest,
  answered: {
    readonly path: string
    readonly isOk: boolean
    readonly email: string | null
    readonly session: {
      readonly user: { id: string; email: string; twoFactorEnabled?: boolean | null | undefined }
    } | null
    readonly resetAccount: Person | null
    readonly signedIn: Person | null
  },
): void {
  const { path, isOk, email, session, resetAccount, signedIn } = answered
  const outcome = isOk ? 'ok' : 'failed'
  const inside = session === null ? null : { accountId: session.user.id, email: session.user.email }
  if (inside !== null) {
    const isSwitchedOn = path === '/two-factor/verify-totp' && session?.user.twoFactorEnabled !== true
    const action = isSwitchedOn ? 'second_factor_on' : actionsInside.get(path)
    if (action !== undefined) noteEvent(services, request, { account: inside, action, outcome })
  }
  if (resetAccount !== null) noteEvent(services, request, { account: resetAccount, action: 'password_reset', outcome })
  else if (signedIn !== null && inside === null) {
    if (path === '/verify-email') noteEvent(services, request, { account: signedIn, action: 'address_confirmed' })
    noteEvent(services, request, { account: signedIn, action: 'sign_in' })
  }
  if (path === '/sign-in/email' && !isOk && email !== null) {
    // In the background, so that the response time does not reveal whether there is an account.
    const find = services.accounts.findByEmail(email)
    const note = (account: Account | null) => {
      if (account !== null) noteEvent(services, request, { account, action: 'sign_in', outcome })
    }
    void find.then(note).catch((error: unknown) => request.log.error({ err: error }, 'an event was not noted'))
  }
}

const verified = z.object({ user: z.object({ id: z.string() }) })
/** How long the library accepts a code: its own half minute, and the ones before and after. */
const CODE_SECONDS = 90

/**
 * Accepts each code only once, since someone else may have read it (RFC 6238, 5.2). @throws DashboardError
 */
async function useUp(limiter: DashboardServices['rateLimiter'], answered: unknown, code: unknown): Promise<void> {
  const { user } = verified.parse(answered)
  const subject = `code:${user.id}:${String(code)}`
  const limits = [{ windowSeconds: CODE_SECONDS, limit: 1 }]
  const { allowed } = await limiter.count({ subject, limits, isStrict: true })
  if (!allowed) throw new DashboardError('CODE_USED')
}

/**
 * Creates the user of an account that an operator created and that has never signed in, so that it can get a
 * reset link.
 */
async function ensureUserOf({ accounts, database }: DashboardServices, email: string | null): Promise<void> {
  const account = email === null ? null : await accounts.findByEmail(email)
  if (account !== null && account.suspendedAtMs === null) await ensureUser(database, account)
}

function fetchRequest(
  request: FastifyRequest,
  url: URL,
  method: string,
  { headers: ownHeaders, fields = {} }: { headers: Record<string, string>; fields?: Record<string, unknown> },
): Request {
  const headers = new Headers(ownHeaders)
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
  headers.set(CLIENT_ADDRESS_HEADER, request.state.clientAddress)
  const hasBody = method === 'POST'
  return new Request(url, {
    method,
    headers,
    ...(hasBody ? { body: JSON.stringify({ ...fieldsOf(request), ...fields }) } : {}),
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
