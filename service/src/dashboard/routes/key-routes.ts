import { type CreatedKey, type DashboardKey, newKeySchema } from '@vitrine/contract'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { notFound } from '../dashboard-error.ts'
import type { DashboardServices, FindVisitor } from '../dashboard-services.ts'

const keyParameters = z.object({ keyId: z.string() })
const isoOf = (ms: number): string => new Date(ms).toISOString()
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoOf(ms))

export function registerKeyRoutes(
  app: FastifyInstance,
  { apiKeys }: DashboardServices,
  findVisitor: FindVisitor,
): void {
  app.get('/dashboard/api/keys', async (request): Promise<{ keys: DashboardKey[] }> => {
    const { account } = await findVisitor(request)
    const keys = await apiKeys.list(account.accountId)
    return {
      keys: keys.map(key => ({
        id: key.keyId,
        name: key.name,
        prefix: key.display,
        created_at: isoOf(key.createdAtMs),
        last_used_at: isoOrNull(key.lastUsedAtMs),
        revoked_at: isoOrNull(key.revokedAtMs),
        request_count: key.requestCount,
        credits_consumed: key.creditsConsumed,
      })),
    }
  })

  app.post('/dashboard/api/keys', async (request): Promise<CreatedKey> => {
    const { account } = await findVisitor(request)
    const { name } = newKeySchema.parse(request.body)
    const { keyId, key } = await apiKeys.create({ accountId: account.accountId, name })
    return { id: keyId, name, key }
  })

  app.post('/dashboard/api/keys/:keyId/revoke', async request => {
    const { account } = await findVisitor(request)
    const { keyId } = keyParameters.parse(request.params)
    const owned = (await apiKeys.list(account.accountId)).some(key => key.keyId === keyId)
    if (!owned) throw notFound('key')
    await apiKeys.revoke({ keyId, accountId: account.accountId })
    return {}
  })
}
