import {
  type Credits,
  creditPacks,
  type DashboardUsage,
  movementFilterSchema,
  movementOrderSchema,
} from '@vitrine/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { readDailyUsage, usageCsv } from '../daily-usage.ts'
import type { DashboardServices, FindVisitor } from '../dashboard-services.ts'
import { listMovements } from '../movements.ts'
import { DASHBOARD_KEY } from '../resources.ts'

const movementsQuery = z.object({
  after: z.string().max(128).optional(),
  show: movementFilterSchema.default('all'),
  order: movementOrderSchema.default('newest'),
})
const usageQuery = z.object({
  days: z.coerce.number().int().min(1).max(365).default(30),
  key: z.string().max(64).optional(),
})

export function registerMoneyRoutes(
  app: FastifyInstance,
  services: DashboardServices,
  findVisitor: FindVisitor,
  offersPayments: boolean,
): void {
  app.get('/dashboard/api/credits', async (request): Promise<Credits> => {
    const { account } = await findVisitor(request)
    const query = movementsQuery.parse(request.query)
    const [balance, { movements, nextAfter }] = await Promise.all([
      services.wallet.balance(account.accountId),
      listMovements(services.database, account.accountId, query),
    ])
    return {
      spendable_credits: balance.spendableCredits,
      reserved_credits: balance.reservedCredits,
      packs: offersPayments ? [...creditPacks] : [],
      movements,
      next_after: nextAfter,
    }
  })

  const read = async (request: FastifyRequest) => {
    const { account } = await findVisitor(request)
    const { days, key } = usageQuery.parse(request.query)
    const scope = {
      accountId: account.accountId,
      ...(key === undefined ? {} : { keyId: key === DASHBOARD_KEY ? null : key }),
    }
    return { days, usage: await readDailyUsage(services, scope, days, services.clock()) }
  }
  app.get('/dashboard/api/usage', async (request): Promise<DashboardUsage> => (await read(request)).usage)
  app.get('/dashboard/api/usage.csv', async (request, reply) => {
    const { days, usage } = await read(request)
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="vitrine-usage-${days}d.csv"`)
      .send(usageCsv(usage))
  })
}
