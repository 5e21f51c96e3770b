import type { AccountDetail, Credits, DashboardUsage, KeyList, RequestList } from '@vitrine/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/accounts.ts'
import { readDailyUsage } from '../daily-usage.ts'
import type { DashboardServices, Visitor } from '../dashboard-services.ts'
import { isoOf, shownAccount } from '../resources.ts'
import { readKeys } from './key-routes.ts'
import { readCredits, readUsage, sendUsageCsv } from './money-routes.ts'
import { readRequests } from './request-routes.ts'

/** Days over which the pace of an account is measured. */
const PACE_DAYS = 30

type Finders = {
  /** @throws DashboardError for everybody but operators */
  readonly operatorOf: (request: FastifyRequest) => Promise<Visitor>
  /** The account that the path names. @throws DashboardError where there is none */
  readonly accountOf: (request: FastifyRequest) => Promise<Account>
}

/** For operators: what an account itself sees of its usage, keys, movements and requests. */
export function registerAccountReadings(
  app: FastifyInstance,
  services: DashboardServices,
  { operatorOf, accountOf }: Finders,
): void {
  const found = async (request: FastifyRequest): Promise<Account> => {
    await operatorOf(request)
    return accountOf(request)
  }
  app.get(
    '/dashboard/api/accounts/:accountId',
    async (request): Promise<AccountDetail> => readDetail(services, await found(request)),
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

async function readDetail(services: DashboardServices, account: Account): Promise<AccountDetail> {
  const { accountId } = account
  const { wallet, apiKeys, requestLog } = services
  const [balances, keys, { totals }, newest] = await Promise.all([
    wallet.spendableOf([accountId]),
    apiKeys.count([accountId]),
    readDailyUsage(services, { accountId }, PACE_DAYS, services.clock()),
    requestLog.list({ accountId }, { after: null, limit: 1 }),
  ])
  const spendable = balances.get(accountId) ?? 0
  const [last] = newest.requests
  return {
    ...shownAccount(account, spendable, keys.get(accountId)?.active ?? 0),
    mockups_30d: totals.mockups,
    credits_30d: Math.max(0, totals.credits),
    last_request_at: last === undefined ? null : isoOf(last.atMs),
    runs_out_in_days: totals.credits > 0 ? Math.floor((spendable * PACE_DAYS) / totals.credits) : null,
  }
}
