import { type DashboardAccount, grantSchema, type Invitation, newAccountSchema } from '@vitrine/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Account, EmailTakenError, InvalidEmailError } from '../../accounts/accounts.ts'
import { deleteAccount } from '../account-life.ts'
import { DashboardError, notAllowed, notFound } from '../dashboard-error.ts'
import { type DashboardServices, type FindVisitor, isOperator } from '../dashboard-services.ts'
import { invite } from '../invite.ts'
import { endSessions } from '../open-sessions.ts'

const pageSize = 50
const listQuery = z.object({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  search: z.string().max(254).default(''),
  order: z.enum(['oldest', 'newest', 'email', 'credits']).default('oldest'),
})
const accountParameters = z.object({ accountId: z.string().max(64) })
const deleteBody = z.object({ email: z.string().max(254) })

/** For operators: every account, new ones, grants, suspension, deletion. */
export function registerAccountRoutes(
  app: FastifyInstance,
  services: DashboardServices,
  findVisitor: FindVisitor,
): void {
  const { accounts, wallet, apiKeys, database } = services
  const operatorOf = async (request: FastifyRequest) => {
    const visitor = await findVisitor(request)
    if (!isOperator(visitor)) throw notAllowed()
    return visitor
  }
  const accountOf = async (request: FastifyRequest): Promise<Account> => {
    const account = await accounts.get(accountParameters.parse(request.params).accountId)
    if (account === null || account.deletedAtMs !== null) throw notFound('account')
    return account
  }

  app.get('/dashboard/api/accounts', async request => {
    await operatorOf(request)
    const { page, search, order } = listQuery.parse(request.query)
    const found = await accounts.list({ page, limit: pageSize, search, order })
    const ids = found.accounts.map(({ accountId }) => accountId)
    const [balances, keys] = await Promise.all([wallet.spendableOf(ids), apiKeys.count(ids)])
    const listed = found.accounts.map(
      (account): DashboardAccount => ({
        id: account.accountId,
        email: account.email,
        role: account.role === 'customer' ? 'customer' : 'operator',
        created_at: new Date(account.createdAtMs).toISOString(),
        suspended_at: account.suspendedAtMs === null ? null : new Date(account.suspendedAtMs).toISOString(),
        spendable_credits: balances.get(account.accountId) ?? 0,
        key_count: keys.get(account.accountId)?.active ?? 0,
      }),
    )
    return { accounts: listed, total: found.total, page, total_pages: Math.ceil(found.total / pageSize) }
  })

  const customerOf = async (request: FastifyRequest): Promise<Account> => {
    const account = await accountOf(request)
    if (account.role !== 'customer')
      throw new DashboardError(409, 'IS_OPERATOR', 'This cannot be done to an operator of this service.')
    return account
  }

  app.post('/dashboard/api/accounts', async (request): Promise<Invitation> => {
    const operator = await operatorOf(request)
    const wanted = newAccountSchema.parse(request.body)
    try {
      const account = await accounts.create(wanted)
      request.log.warn(
        { operator: operator.account.accountId, account: account.accountId },
        'an operator made an account',
      )
      return await invite(services, account)
    } catch (error) {
      if (error instanceof EmailTakenError)
        throw new DashboardError(409, 'EMAIL_TAKEN', 'There is an account with this address already.')
      if (error instanceof InvalidEmailError) throw new DashboardError(400, 'INVALID_EMAIL', error.message)
      throw error
    }
  })

  app.post('/dashboard/api/accounts/:accountId/sign-in-link', async (request): Promise<Invitation> => {
    const operator = await operatorOf(request)
    const account = await customerOf(request)
    if (account.suspendedAtMs !== null)
      throw new DashboardError(409, 'IS_SUSPENDED', 'This account is suspended: restore it first.')
    request.log.warn(
      { operator: operator.account.accountId, account: account.accountId },
      'an operator made a sign-in link',
    )
    return invite(services, account)
  })

  app.post('/dashboard/api/accounts/:accountId/delete', async request => {
    const operator = await operatorOf(request)
    const account = await customerOf(request)
    const { email } = deleteBody.parse(request.body)
    if (email.trim().toLowerCase() !== account.email.toLowerCase())
      throw new DashboardError(400, 'NOT_CONFIRMED', `Type ${account.email} to confirm.`)
    request.log.warn(
      { operator: operator.account.accountId, account: account.accountId },
      'an operator deleted an account',
    )
    await deleteAccount(services, account.accountId)
    return {}
  })

  app.post('/dashboard/api/accounts/:accountId/grant', async request => {
    const operator = await operatorOf(request)
    const { credits, reason, grant_id } = grantSchema.parse(request.body)
    const { accountId } = await accountOf(request)
    const { spendableCredits } = await wallet.grant({
      accountId,
      credits,
      reason,
      externalId: `grant:${operator.account.accountId}:${grant_id}`,
    })
    return { spendable_credits: spendableCredits }
  })

  app.post('/dashboard/api/accounts/:accountId/suspend', async request => {
    await operatorOf(request)
    const account = await customerOf(request)
    await accounts.suspend(account.accountId)
    await endSessions(database, account.accountId)
    return {}
  })

  app.post('/dashboard/api/accounts/:accountId/restore', async request => {
    await operatorOf(request)
    await accounts.restore((await accountOf(request)).accountId)
    return {}
  })
}
