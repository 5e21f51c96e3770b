import type { Credits, DashboardAccount, DashboardUsage, KeyList, RequestList } from '@vitrine/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/accounts.ts'
import type { AccountDirectory } from '../account-directory.ts'
import type { DashboardServices, Visitor } from '../dashboard-services.ts'
import { readKeys } from './key-routes.ts'
import { readCredits, readUsage, sendUsageCsv } from './money-routes.ts'
import { readRequests } from './request-routes.ts'

type Finders = {
  /** @throws DashboardError unless the visitor is an operator */
  readonly operatorOf: (request: FastifyRequest) => Promise<Visitor>
  /** The account in the path. @throws DashboardError if there is none */
  readonly accountOf: (request: FastifyRequest) => Promise<Account>
  readonly directory: AccountDirectory
}

/** For operators: an account's own view of its usage, keys, movements and requests. */
export function registerAccountReadings(
  app: FastifyInstance,
  services: DashboardServices,
  { operatorOf, accountOf, directory }: Finders,
): void {
  const found = async (request: FastifyRequest): Promise<Account> => {
    await operatorOf(request)
    return accountOf(request)
  }
  app.get(
    '/dashboard/api/accounts/:accountId',
    async (request): Promise<DashboardAccount> => directory.describe(await found(request)),
  )
  app.get('/dashboard/api/accounts/:accountId/usage', async (request): Promise<DashboardUsage> => {
    const { accountId } = await found(request)
    return (await readUsage(services, accountId, request.query)).usage
  })
  app.get('/dashboard/api/accounts/:accountId/usage.csv', async (request, reply) => {
    const { accountId } = await found(request)
    return sendUsageCsv(reply, await readUsage(services, accountId, request.query))
  })
  app.get('/dashboard/api/accounts/:accountId/keys', async (request): Promise<KeyList> => {
    const { accountId } = await found(request)
    return readKeys(services, accountId, request.query)
  })
  app.get('/dashboard/api/accounts/:accountId/credits', async (request): Promise<Credits> => {
    const { accountId } = await found(request)
    return readCredits(services, accountId, request.query, false)
  })
  app.get('/dashboard/api/accounts/:accountId/requests', async (request): Promise<RequestList> => {
    const { accountId } = await found(request)
    return readRequests(services.requestLog, accountId, request.query)
  })
}
