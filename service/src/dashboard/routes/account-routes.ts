import { Readable } from 'node:stream'
import { type AccountList, accountOrderSchema, grantSchema, type Invitation, newAccountSchema } from '@vitrine/contract'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Account } from '../../accounts/accounts.ts'
import { DashboardError, notFound } from '../../errors/dashboard-error.ts'
import { endSessions } from '../../sign-in/open-sessions.ts'
import { AccountDirectory } from '../account-directory.ts'
import { noteEvent } from '../account-events.ts'
import { assertConfirmed, deleteAccount } from '../account-life.ts'
import { isOperator, type RegisterRoutes } from '../dashboard-services.ts'
import { invite } from '../invite.ts'
import { roleOf } from '../resources.ts'
import { registerAccountReadings } from './account-readings.ts'
import { sendCsv } from './money-routes.ts'

const listQuery = z.object({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  search: z.string().max(254).default(''),
  order: accountOrderSchema.default('oldest'),
})
const accountParameters = z.object({ accountId: z.string().max(64) })
const deleteBody = z.object({ email: z.string().max(254) })

/** For operators: list accounts, create, grant credits, suspend and delete. */
export const registerAccountRoutes: RegisterRoutes = (app, services, findVisitor) => {
  const { accounts, wallet, database } = services
  const directory = new AccountDirectory(services)
  const operatorOf = async (request: FastifyRequest) => {
    const visitor = await findVisitor(request)
    if (!isOperator(visitor)) throw new DashboardError('NOT_ALLOWED')
    return visitor
  }
  const accountOf = async (request: FastifyRequest): Promise<Account> => {
    const account = await accounts.get(accountParameters.parse(request.params).accountId)
    if (account === null || account.deletedAtMs !== null) throw notFound('account')
    return account
  }

  registerAccountReadings(app, services, { operatorOf, accountOf, directory })

  app.get('/dashboard/api/accounts', async (request): Promise<AccountList> => {
    await operatorOf(request)
    return directory.page(listQuery.parse(request.query))
  })

  app.get('/dashboard/api/accounts.csv', async (request, reply) => {
    await operatorOf(request)
    const { search, order } = listQuery.parse(request.query)
    return sendCsv(reply, 'vitrine-accounts.csv', Readable.from(directory.csv({ search, order })))
  })

  const customerOf = async (request: FastifyRequest): Promise<Account> => {
    const account = await accountOf(request)
    if (roleOf(account) === 'operator') throw new DashboardError('IS_OPERATOR')
    return account
  }

  app.post('/dashboard/api/accounts', async (request): Promise<Invitation> => {
    const operator = await operatorOf(request)
    const account = await accounts.create(newAccountSchema.parse(request.body))
    noteEvent(services, request, { account, action: 'account_created', operator })
    return invite(services, account)
  })

  app.post('/dashboard/api/accounts/:accountId/sign-in-link', async (request): Promise<Invitation> => {
    const operator = await operatorOf(request)
    const account = await customerOf(request)
    if (account.suspendedAtMs !== null) throw new DashboardError('IS_SUSPENDED')
    const invitation = await invite(services, account)
    noteEvent(services, request, { account, action: 'sign_in_link', operator })
    return invitation
  })

  app.post('/dashboard/api/accounts/:accountId/delete', async request => {
    const operator = await operatorOf(request)
    const account = await customerOf(request)
    assertConfirmed(account, deleteBody.parse(request.body).email)
    await deleteAccount(services, account.accountId)
    noteEvent(services, request, { account, action: 'account_deleted', operator })
    return {}
  })

  app.post('/dashboard/api/accounts/:accountId/grant', async request => {
    const operator = await operatorOf(request)
    const { credits, reason, grant_id } = grantSchema.parse(request.body)
    const account = await accountOf(request)
    const { spendableCredits } = await wallet.grant({
      accountId: account.accountId,
      credits,
      reason,
      externalId: `grant:${operator.account.accountId}:${grant_id}`,
    })
    noteEvent(services, request, { account, action: 'credits_granted', target: String(credits), operator })
    return { spendable_credits: spendableCredits }
  })

  app.post('/dashboard/api/accounts/:accountId/suspend', async request => {
    const operator = await operatorOf(request)
    const account = await customerOf(request)
    await accounts.suspend(account.accountId)
    await endSessions(database, account.accountId)
    noteEvent(services, request, { account, action: 'account_suspended', operator })
    return {}
  })

  app.post('/dashboard/api/accounts/:accountId/restore', async request => {
    const operator = await operatorOf(request)
    const account = await accountOf(request)
    await accounts.restore(account.accountId)
    noteEvent(services, request, { account, action: 'account_restored', operator })
    return {}
  })
}
