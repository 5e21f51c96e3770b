import type { DashboardUsage } from '@vitrine/contract'
import type { CreditScope } from '../credits/credit-days.ts'
import type { Database } from '../database/database.ts'
import type { Usage } from '../usage/usage.ts'

/** Figures per UTC day for charts. */
export async function readDailyUsage(
  { database, usage }: { readonly database: Database; readonly usage: Usage },
  scope: CreditScope,
  dayCount: number,
  nowMs: number,
): Promise<DashboardUsage> {
  const { days, totals, failuresByCode, topTemplates } = await usage.statistics(scope, dayCount, nowMs)
  const { keyId } = scope
  const rows = await database.queries
    .selectFrom('usage_templates')
    .where('account_id', '=', scope.accountId)
    .where('day', '>=', days[0]?.date ?? '')
    .$if(keyId !== undefined, query => query.where('key_id', '=', keyId ?? ''))
    .groupBy('day')
    .select(({ fn }) => ['day', fn.sum<number>('count').as('mockups')])
    .execute()
  const mockupsOn = new Map(rows.map(row => [row.day, row.mockups]))
  const figures = days.map(({ date, requests, succeeded, failed, creditsConsumed: credits }) => {
    return { date, requests, succeeded, failed, mockups: mockupsOn.get(date) ?? 0, credits }
  })
  const { requests, succeeded, failed, creditsConsumed: credits } = totals
  return {
    days: figures,
    totals: { requests, succeeded, failed, mockups: figures.reduce((sum, day) => sum + day.mockups, 0), credits },
    failures_by_code: failuresByCode.map(({ code, count }) => ({ code, count })),
    top_templates: topTemplates.map(({ templateId, count }) => ({ template_id: templateId, count })),
  }
}

/** The same figures as CSV (RFC 4180). Every field is a date or a number: nothing to escape. */
export function usageCsv({ days }: DashboardUsage): string {
  const rows = days.map(day => [day.date, day.requests, day.succeeded, day.failed, day.mockups, day.credits].join(','))
  return `${['date,requests,succeeded,failed,mockups,credits', ...rows].join('\r\n')}\r\n`
}
