import type { Readable } from 'node:stream'
import {
  type Credits,
  creditPacks,
  type DashboardUsage,
  movementFilterSchema,
  movementOrderSchema,
} from '@vitrine/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { readDailyUsage, usageCsv } from '../daily-usage.ts'
import type { DashboardServices, FindVisitor } from '../dashboard-services.ts'
import { nameTemplates } from '../movement-templates.ts'
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
    return readCredits(services, account.accountId, request.query, offersPayments)
  })
  app.get('/dashboard/api/usage', async (request): Promise<DashboardUsage> => {
    const { account } = await findVisitor(request)
    return (await readUsage(services, account.accountId, request.query)).usage
  })
  app.get('/dashboard/api/usage.csv', async (request, reply) => {
    const { account } = await findVisitor(request)
    return sendUsageCsv(reply, await readUsage(services, account.accountId, request.query))
  })
}

/** The balance of an account, the packs, and one page of its movements. */
export async function readCredits(
  services: DashboardServices,
  accountId: string,
  query: unknown,
  offersPayments: boolean,
): Promise<Credits> {
  const { wallet, database } = services
  const wanted = movementsQuery.parse(query)
  const [balance, { movements, nextAfter }] = await Promise.all([
    wallet.balance(accountId),
    listMovements(database, accountId, wanted),
  ])
  return {
    spendable_credits: balance.spendableCredits,
    reserved_credits: balance.reservedCredits,
    packs: offersPayments ? [...creditPacks] : [],
    movements: await nameTemplates(services, accountId, movements),
    next_after: nextAfter,
  }
}

type ReadUsage = { readonly days: number; readonly usage: DashboardUsage }

/** The usage of an account, or of the key that the query names. */
export async function readUsage(services: DashboardServices, accountId: string, query: unknown): Promise<ReadUsage> {
  const { days, key } = usageQuery.parse(query)
  const scope = { accountId, ...(key === undefined ? {} : { keyId: key === DASHBOARD_KEY ? null : key }) }
  return { days, usage: await readDailyUsage(services, scope, days, services.clock()) }
}

export function sendUsageCsv(reply: FastifyReply, { days, usage }: ReadUsage): FastifyReply {
  return sendCsv(reply, `vitrine-usage-${days}d.csv`, usageCsv(usage))
}

/** Answers with a file to be saved under a name. */
export function sendCsv(reply: FastifyReply, fileName: string, csv: string | Readable): FastifyReply {
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(csv)
}
