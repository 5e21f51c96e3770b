import { type AuditList, auditActionSchema } from '@vitrine/contract'
import { z } from 'zod'
import type { ListedAuditEvent } from '../../audit/audit.ts'
import { DashboardError } from '../../errors/dashboard-error.ts'
import { isOperator, type RegisterRoutes } from '../dashboard-services.ts'
import { isoOf } from '../resources.ts'

const PAGE_SIZE = 50
const OWN_PAGE_SIZE = 20
const pageQuery = z.object({ page: z.coerce.number().int().min(1).max(100_000).default(1) })
const auditQuery = pageQuery.extend({
  email: z.string().max(254).optional(),
  action: auditActionSchema.optional(),
})

/** The audit log: all of it for operators, their own events for customers. */
export const registerAuditRoutes: RegisterRoutes = (app, { audit, accounts }, findVisitor) => {
  const emailsOf = async (events: readonly ListedAuditEvent[]): Promise<ReadonlyMap<string, string>> => {
    const ids = new Set(events.flatMap(({ accountId, actorId }) => [accountId, actorId]))
    const found = await Promise.all([...ids].map(async id => (id === null ? null : accounts.get(id))))
    return new Map(
      found.flatMap(account => (account?.deletedAtMs === null ? [[account.accountId, account.email]] : [])),
    )
  }
  const answer = (
    { events, total }: Awaited<ReturnType<typeof audit.list>>,
    emails: ReadonlyMap<string, string>,
    pageSize: number,
  ): AuditList => ({
    events: events.map(({ sequence, atMs, accountId, actorId, action, actor, network, outcome, target }) => ({
      id: sequence,
      at: isoOf(atMs),
      action,
      outcome,
      actor,
      actor_email: emails.get(actorId ?? '') ?? null,
      account_email: emails.get(accountId ?? '') ?? null,
      network,
      target,
    })),
    total,
    total_pages: Math.ceil(total / pageSize),
  })

  app.get('/dashboard/api/audit', async (request): Promise<AuditList> => {
    if (!isOperator(await findVisitor(request))) throw new DashboardError('NOT_ALLOWED')
    const { page, email, action } = auditQuery.parse(request.query)
    const account = email === undefined || email === '' ? undefined : await accounts.findByEmail(email)
    if (account === null) return { events: [], total: 0, total_pages: 0 }
    const found = await audit.list({ accountId: account?.accountId, action, page, limit: PAGE_SIZE })
    return answer(found, await emailsOf(found.events), PAGE_SIZE)
  })

  // Without operators' networks and addresses.
  app.get('/dashboard/api/account/events', async (request): Promise<AuditList> => {
    const { account } = await findVisitor(request)
    const { page } = pageQuery.parse(request.query)
    const { events, total } = await audit.list({ accountId: account.accountId, page, limit: OWN_PAGE_SIZE })
    const own = events.map(event => (event.actor === 'operator' ? { ...event, network: null } : event))
    return answer({ events: own, total }, new Map(), OWN_PAGE_SIZE)
  })
}
