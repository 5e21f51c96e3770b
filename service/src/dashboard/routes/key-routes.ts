import { type CreatedKey, type KeyList, newKeySchema } from '@vitrine/contract'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { noteEvent } from '../account-events.ts'
import { notFound } from '../dashboard-error.ts'
import type { DashboardServices, FindVisitor } from '../dashboard-services.ts'
import { isoOf, isoOrNull } from '../resources.ts'

const PAGE_SIZE = 50
const listQuery = z.object({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  search: z.string().max(100).default(''),
  order: z.enum(['newest', 'name', 'last-used']).default('newest'),
  key: z.string().max(64).optional(),
})
const keyParameters = z.object({ keyId: z.string().max(64) })

export function registerKeyRoutes(app: FastifyInstance, services: DashboardServices, findVisitor: FindVisitor): void {
  const { apiKeys } = services
  app.get('/dashboard/api/keys', async (request): Promise<KeyList> => {
    const { accountId } = (await findVisitor(request)).account
    const { page, search, order, key } = listQuery.parse(request.query)
    const [{ keys, total }, counts] = await Promise.all([
      apiKeys.list(accountId, { page, limit: PAGE_SIZE, search, order, ...(key === undefined ? {} : { keyId: key }) }),
      apiKeys.count([accountId]),
    ])
    const inAll = counts.get(accountId) ?? { total: 0, active: 0 }
    return {
      keys: keys.map(listed => ({
        id: listed.keyId,
        name: listed.name,
        prefix: listed.display,
        created_at: isoOf(listed.createdAtMs),
        last_used_at: isoOrNull(listed.lastUsedAtMs),
        revoked_at: isoOrNull(listed.revokedAtMs),
        request_count: listed.requestCount,
        credits_consumed: listed.creditsConsumed,
      })),
      total,
      total_pages: Math.ceil(total / PAGE_SIZE),
      in_all: inAll.total,
      active: inAll.active,
    }
  })

  app.post('/dashboard/api/keys', async (request): Promise<CreatedKey> => {
    const { account } = await findVisitor(request)
    const { name } = newKeySchema.parse(request.body)
    const { keyId, key } = await apiKeys.create({ accountId: account.accountId, name })
    noteEvent(services, request, { account, action: 'key_created', target: keyId })
    return { id: keyId, name, key }
  })

  app.post('/dashboard/api/keys/:keyId/revoke', async request => {
    const { account } = await findVisitor(request)
    const { keyId } = keyParameters.parse(request.params)
    const { total } = await apiKeys.list(account.accountId, { keyId, limit: 1 })
    if (total === 0) throw notFound('key')
    if (await apiKeys.revoke({ keyId, accountId: account.accountId }))
      noteEvent(services, request, { account, action: 'key_revoked', target: keyId })
    return {}
  })
}
