import type { DashboardUsage } from '@vitrine/contract'
import type { CreditScope } from '../credits/credit-days.ts'
import { csvLine } from './csv.ts'
import type { DashboardServices } from './dashboard-services.ts'

/** Figures per UTC day for charts. */
export async function readDailyUsage(
  { usage, templates }: Pick<DashboardServices, 'usage' | 'templates'>,
  scope: CreditScope,
  dayCount: number,
  nowMs: number,
): Promise<DashboardUsage> {
  const { days, totals, failuresByCode, topTemplates } = await usage.statistics(scope, dayCount, nowMs)
  const names = await templates.namesOf(
    topTemplates.map(({ templateId }) => templateId),
    scope.accountId,
  )
  const figures = days.map(({ creditsConsumed: credits, date, requests, succeeded, failed, mockups }) => {
    return { date, requests, succeeded, failed, mockups, credits }
  })
  const { requests, succeeded, failed, mockups, creditsConsumed: credits } = totals
  return {
    days: figures,
    totals: { requests, succeeded, failed, mockups, credits },
    failures_by_code: failuresByCode.map(({ code, count }) => ({ code, count })),
    top_templates: topTemplates.map(({ templateId, count }) => {
      return { template_id: templateId, name: names.get(templateId) ?? null, count }
    }),
  }
}

/** The same figures as CSV (RFC 4180). */
export function usageCsv({ days }: DashboardUsage): string {
  const rows = days.map(day => [day.date, day.requests, day.succeeded, day.failed, day.mockups, day.credits])
  return [['date', 'requests', 'succeeded', 'failed', 'mockups', 'credits'], ...rows].map(csvLine).join('')
}
