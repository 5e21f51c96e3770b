import {
  type DashboardSession,
  emailAddressSchema,
  limits,
  type OpenSessions,
  type SignInOptions,
} from '@vitrine/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DashboardError, notFound } from '../../errors/dashboard-error.ts'
import { refuseCommonPassword } from '../../sign-in/common-passwords.ts'
import { endSession, endSessions, listOpenSessions } from '../../sign-in/open-sessions.ts'
import { noteEvent } from '../account-events.ts'
import { assertConfirmed, deleteAccount, hasPassword } from '../account-life.ts'
import type { DashboardServices, FindVisitor, Visitor } from '../dashboard-services.ts'
import { isoOf, roleOf } from '../resources.ts'

/** Required again, so that an open session is not enough to take over or delete an account. */
const passwordAgain = z.string().max(limits.passwordCharactersMax).optional()
const emailBody = z.object({ email: emailAddressSchema, password: passwordAgain })
const passwordBody = z.object({
  password: z.string().min(limits.passwordCharactersMin).max(limits.passwordCharactersMax),
})
const sessionParameters = z.object({ sessionId: z.string().max(64) })
const confirmBody = z.object({ email: z.string(), password: passwordAgain })

export function registerSessionRoutes(
  app: FastifyInstance,
  services: DashboardServices,
  findVisitor: FindVisitor,
  offersPayments: boolean,
): void {
  const cookiesOf = (request: FastifyRequest) => new Headers({ cookie: request.headers.cookie ?? '' })
  const assertPassword = async (request: FastifyRequest, { account }: Visitor, password: string | undefined) => {
    if (!(await hasPassword(services.database, account.accountId))) return
    await services.attempts.guessInside(account.accountId)
    if (password === undefined || password === '') throw new DashboardError('PASSWORD_NEEDED')
    await services.auth.api.verifyPassword({ body: { password }, headers: cookiesOf(request) })
  }

  // For the pages before sign-in: the only route that requires no session.
  app.get(
    '/dashboard/api/sign-in-options',
    async (): Promise<SignInOptions> => ({ sign_up: services.signUp === 'open', mail: services.mailer.sendsMail }),
  )

  app.get('/dashboard/api/session', async (request): Promise<DashboardSession> => {
    const { account, emailVerified, twoFactorEnabled } = await findVisitor(request)
    return {
      account: {
        id: account.accountId,
        email: account.email,
        role: roleOf(account),
        email_verified: emailVerified,
        has_password: await hasPassword(services.database, account.accountId),
        two_factor_enabled: twoFactorEnabled,
        created_at: isoOf(account.createdAtMs),
      },
      service: { base_url: `${services.origin}/api/v1`, payments: offersPayments, mail: services.mailer.sendsMail },
    }
  })

  app.get('/dashboard/api/account/sessions', async (request): Promise<OpenSessions> => {
    const { account, sessionToken } = await findVisitor(request)
    const asked = { accountId: account.accountId, currentToken: sessionToken, nowMs: services.clock() }
    return { sessions: await listOpenSessions(services.database, asked) }
  })

  app.post('/dashboard/api/account/sessions/:sessionId/end', async request => {
    const { account } = await findVisitor(request)
    const { sessionId } = sessionParameters.parse(request.params)
    if (!(await endSession(services.database, account.accountId, sessionId))) throw notFound('session')
    noteEvent(services, request, { account, action: 'session_ended' })
    return {}
  })

  app.post('/dashboard/api/account/sessions/end-others', async request => {
    const { account, sessionToken } = await findVisitor(request)
    await endSessions(services.database, account.accountId, sessionToken)
    noteEvent(services, request, { account, action: 'session_ended', target: 'all others' })
    return {}
  })

  app.post('/dashboard/api/account/password', async request => {
    const { account } = await findVisitor(request)
    const { password } = passwordBody.parse(request.body)
    await refuseCommonPassword(password)
    if (await hasPassword(services.database, account.accountId)) throw new DashboardError('HAS_PASSWORD')
    await services.auth.api.setPassword({
      body: { newPassword: password },
      headers: cookiesOf(request),
    })
    noteEvent(services, request, { account, action: 'password_set' })
    return {}
  })

  app.post('/dashboard/api/account/email', async request => {
    const visitor = await findVisitor(request)
    const { email, password } = emailBody.parse(request.body)
    await assertPassword(request, visitor, password)
    await services.attempts.changeAddress(visitor.account.accountId)
    await services.auth.api.changeEmail({ body: { newEmail: email }, headers: cookiesOf(request) })
    return {}
  })

  app.post('/dashboard/api/account/delete', async request => {
    const visitor = await findVisitor(request)
    const { account } = visitor
    const { email, password } = confirmBody.parse(request.body)
    assertConfirmed(account, email)
    if (account.role === 'owner') throw new DashboardError('IS_OWNER')
    await assertPassword(request, visitor, password)
    await deleteAccount(services, account.accountId)
    noteEvent(services, request, { account, action: 'account_deleted' })
    return {}
  })
}
