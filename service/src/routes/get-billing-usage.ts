import { type AnswerOf, defaults, usageParameters } from '@vitrine/contract'
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../http/request-state.ts'
import type { Services } from '../services.ts'
import { type Query, readText } from './query-parameters.ts'

/** GET /billing/usage: the usage of the calling key, or of its whole account, in recent days. */
export function getBillingUsage(app: FastifyInstance, { usage }: Pick<Services, 'usage'>): void {
  app.get<{ Querystring: Query }>('/billing/usage', async (request): Promise<AnswerOf<'getUsage'>> => {
    const period = readText(request.query, 'period', usageParameters.period) ?? defaults.period
    const scope = readText(request.query, 'scope', usageParameters.scope) ?? defaults.scope
    const { accountId, keyId } = callerOf(request)
    const days = Number.parseInt(period, 10)
    const isOneKey = scope === 'key' && keyId !== null
    const statistics = await usage.statistics(isOneKey ? { accountId, keyId } : { accountId }, days)
    const { totals } = statistics
    return {
      period,
      total_requests: totals.requests,
      successful_requests: totals.succeeded,
      failed_requests: totals.failed,
      credits_consumed: totals.creditsConsumed,
      credits_refunded: totals.creditsRefunded,
      top_templates: statistics.topTemplates.map(({ templateId, count }) => ({ template_id: templateId, count })),
      requests_by_day: statistics.days.map(({ date, requests }) => ({ date, count: requests })),
    }
  })
}
