import { defaults, type UsageResource, usageParameters } from '@vitrine/contract'
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../http/request-state.ts'
import type { Services } from '../services.ts'
import { type Query, readText } from './query-parameters.ts'

/** GET /billing/usage: what the calling key, or its whole account, did in the last days. */
export function getBillingUsage(app: FastifyInstance, { usage }: Pick<Services, 'usage'>): void {
  app.get<{ Querystring: Query }>('/billing/usage', async (request): Promise<UsageResource> => {
    const period = readText(request.query, 'period', usageParameters.period) ?? defaults.period
    const scope = readText(request.query, 'scope', usageParameters.scope) ?? defaults.scope
    const { accountId, keyId } = callerOf(request)
    const days = Number.parseInt(period, 10)
    const isOneKey = scope === 'key' && keyId !== null
    const statistics = await usage.statistics(isOneKey ? { accountId, keyId } : { accountId }, days)
    return {
      period,
      total_requests: statistics.totalRequests,
      successful_requests: statistics.successfulRequests,
      failed_requests: statistics.failedRequests,
      credits_consumed: statistics.creditsConsumed,
      credits_refunded: statistics.creditsRefunded,
      top_templates: statistics.topTemplates.map(({ templateId, count }) => ({ template_id: templateId, count })),
      requests_by_day: statistics.requestsByDay.map(({ date, count }) => ({ date, count })),
    }
  })
}
