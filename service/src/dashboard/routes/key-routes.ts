import { type CreatedKey, type KeyList, keyRotationSchema, newKeySchema, type RotatedKey } from '@vitrine/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DashboardError, notFound } from '../../errors/dashboard-error.ts'
import { noteEvent } from '../account-events.ts'
import type { DashboardServices, FindVisitor } from '../dashboard-services.ts'
import { isoOf, isoOrNull } from '../resources.ts'

const PAGE_SIZE = 50
const HOUR_MS = 3_600_000
const listQuery = z.object({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  search: z.string().max(100).default(''),
  order: z.enum(['newest', 'name', 'last-used']).default('newest'),
  key: z.string().max(64).optional(),
})
const keyParameters = z.object({ keyId: z.string().max(64) })

export function registerKeyRoutes(app: FastifyInstance, services: DashboardServices, findVisitor: FindVisitor): void {
  const { apiKeys } = services
  /** The key in the path. @throws DashboardError if the account has no such key */
  const ownKeyOf = async ({ params }: FastifyRequest, accountId: string): Promise<string> => {
    const { keyId } = keyParameters.parse(params)
    const { total } = await apiKeys.list(accountId, { keyId, limit: 1 })
    if (total === 0) throw notFound('key')
    return keyId
  }

  app.get('/dashboard/api/keys', async (request): Promise<KeyList> => {
    const { accountId } = (await findVisitor(request)).account
    return readKeys(services, accountId, request.query)
  })

  app.post('/dashboard/api/keys', async (request): Promise<CreatedKey> => {
    const { account } = await findVisitor(request)
    const { name, scopes, expires_at, allowed_addresses } = newKeySchema.parse(request.body)
    const made = await apiKeys.create({
      accountId: account.accountId,
      name,
      scopes,
      expiresAtMs: momentOf(expires_at),
      allowedAddresses: allowed_addresses,
    })
    noteEvent(services, request, { account, action: 'key_created', target: made.keyId })
    return { id: made.keyId, name: made.name, key: made.key }
  })

  app.post('/dashboard/api/keys/:keyId/rotate', async (request): Promise<RotatedKey> => {
    const { account } = await findVisitor(request)
    const keyId = await ownKeyOf(request, account.accountId)
    const { overlap_hours, expires_at } = keyRotationSchema.parse(request.body)
    const made = await apiKeys.rotate({
      keyId,
      accountId: account.accountId,
      overlapMs: overlap_hours * HOUR_MS,
      expiresAtMs: momentOf(expires_at),
    })
    if (made === null) throw new DashboardError('KEY_NOT_ROTATABLE')
    noteEvent(services, request, { account, action: 'key_rotated', target: `${keyId} to ${made.keyId}` })
    return { id: made.keyId, name: made.name, key: made.key, old_key_ends_at: isoOf(made.oldEndsAtMs) }
  })

  app.post('/dashboard/api/keys/:keyId/revoke', async request => {
    const { account } = await findVisitor(request)
    const keyId = await ownKeyOf(request, account.accountId)
    if (await apiKeys.revoke({ keyId, accountId: account.accountId }))
      noteEvent(services, request, { account, action: 'key_revoked', target: keyId })
    return {}
  })
}

/** Null and undefined stay as they are. */
function momentOf(iso: string | null | undefined): number | null | undefined {
  return typeof iso === 'string' ? Date.parse(iso) : iso
}

/** One page of an account's keys. */
export async function readKeys({ apiKeys }: DashboardServices, accountId: string, query: unknown): Promise<KeyList> {
  const { page, search, order, key } = listQuery.parse(query)
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
      status: listed.status,
      expires_at: isoOrNull(listed.expiresAtMs),
      scopes: listed.scopes === null ? null : [...listed.scopes],
      allowed_addresses: listed.allowedAddresses === null ? null : [...listed.allowedAddresses],
      replaced_by: listed.replacedByKeyId,
      request_count: listed.requestCount,
      credits_consumed: listed.creditsConsumed,
    })),
    total,
    total_pages: Math.ceil(total / PAGE_SIZE),
    in_all: inAll.total,
    active: inAll.active,
  }
}
