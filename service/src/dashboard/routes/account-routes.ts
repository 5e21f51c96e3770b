import { type DashboardAccount, grantSchema } from '@vitrine/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Account } from '../../accounts/accounts.ts'
import { endSessions } from '../account-life.ts'
import { DashboardError, notAllowed, notFound } from '../dashboard-error.ts'
import { type DashboardServices, type FindVisitor, isOperator } from '../dashboard-services.ts'

const pageSize = 50
const listQuery = z.object({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  search: z.string().max(254).default(''),
})
const accountParameters = z.object({ accountId: z.string() })

/** For operators: every account, grants, suspension. */
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
    const { page, search } = listQuery.parse(request.query)
    const found = await accounts.list({ page, limit: pageSize, search })
    const listed: DashboardAccount[] = []
    for (const account of found.accounts) {
      const [{ spendableCredits }, keys] = await Promise.all([
        wallet.balance(account.accountId),
        apiKeys.countActive(account.accountId),
      ])
      listed.push({
        id: account.accountId,
        email: account.email,
        role: account.role === 'customer' ? 'customer' : 'operator',
        created_at: new Date(account.createdAtMs).toISOString(),
        suspended_at: account.suspendedAtMs === null ? null : new Date(account.suspendedAtMs).toISOString(),
        spendable_credits: spendableCredits,
        key_count: keys,
      })
    }
    return { accounts: listed, total: found.total, page, total_pages: Math.ceil(found.total / pageSize) }
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
    const account = await accountOf(request)
    if (account.role !== 'customer') throw new DashboardError(409, 'IS_OPERATOR', 'Operators cannot be suspended.')
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
