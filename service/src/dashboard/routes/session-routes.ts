import type { DashboardSession } from '@vitrine/contract'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { deleteAccount, hasPassword } from '../account-life.ts'
import { passwordLengthMax, passwordLengthMin } from '../auth.ts'
import { DashboardError } from '../dashboard-error.ts'
import type { DashboardServices, FindVisitor } from '../dashboard-services.ts'

const passwordBody = z.object({ password: z.string().min(passwordLengthMin).max(passwordLengthMax) })
const confirmBody = z.object({ email: z.string() })

export function registerSessionRoutes(
  app: FastifyInstance,
  services: DashboardServices,
  findVisitor: FindVisitor,
  offersPayments: boolean,
): void {
  app.get('/dashboard/api/session', async (request): Promise<DashboardSession> => {
    const { account, emailVerified, twoFactorEnabled } = await findVisitor(request)
    return {
      account: {
        id: account.accountId,
        email: account.email,
        role: account.role === 'customer' ? 'customer' : 'operator',
        email_verified: emailVerified,
        has_password: await hasPassword(services.database, account.accountId),
        two_factor_enabled: twoFactorEnabled,
        created_at: new Date(account.createdAtMs).toISOString(),
      },
      service: { base_url: `${services.origin}/api/v1`, payments: offersPayments, mail: services.sendsMail },
    }
  })

  app.post('/dashboard/api/account/password', async request => {
    const { account } = await findVisitor(request)
    const { password } = passwordBody.parse(request.body)
    if (await hasPassword(services.database, account.accountId))
      throw new DashboardError(409, 'HAS_PASSWORD', 'This account has a password: change it instead.')
    await services.auth.api.setPassword({
      body: { newPassword: password },
      headers: new Headers({ cookie: request.headers.cookie ?? '' }),
    })
    return {}
  })

  app.post('/dashboard/api/account/delete', async request => {
    const { account } = await findVisitor(request)
    const { email } = confirmBody.parse(request.body)
    if (email.trim().toLowerCase() !== account.email.toLowerCase())
      throw new DashboardError(400, 'NOT_CONFIRMED', `Type ${account.email} to confirm.`)
    if (account.role === 'owner')
      throw new DashboardError(
        409,
        'IS_OWNER',
        'The owner of this service cannot be deleted: it would be left without an operator.',
      )
    await deleteAccount(services, account.accountId)
    return {}
  })
}
