import type { DashboardUsage } from '@vitrine/contract'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Usage } from '../usage/usage.ts'

const DAY_MS = 86_400_000

/** Figures per UTC day, of one key (the empty id is the dashboard's own) or of the whole account. */
export async function readDailyUsage(
  { database, usage }: { readonly database: Database; readonly usage: Usage },
  scope: { readonly accountId: string; readonly keyId?: string },
  days: number,
  nowMs: number,
): Promise<DashboardUsage> {
  const statistics = await usage.statistics(scope, days, nowMs)
  const first = new Date(nowMs - (days - 1) * DAY_MS).toISOString().slice(0, 10)
  const ofScope = sql<boolean>`account_id = ${scope.accountId} and day >= ${first}${scope.keyId === undefined ? sql`` : sql` and key_id = ${scope.keyId}`}`
  const [rows, mockups] = await Promise.all([
    database.queries
      .selectFrom('usage_days')
      .where(ofScope)
      .groupBy('day')
      .select(({ fn }) => [
        'day',
        fn.sum<number>('total').as('requests'),
        fn.sum<number>('successful').as('succeeded'),
        fn.sum<number>('failed').as('failed'),
        fn.sum<number>('credits_consumed').as('credits'),
      ])
      .execute(),
    database.queries
      .selectFrom('usage_templates')
      .where(ofScope)
      .groupBy('day')
      .select(({ fn }) => ['day', fn.sum<number>('count').as('mockups')])
      .execute(),
  ])
  const byDay = new Map(rows.map(row => [row.day, row]))
  const mockupsByDay = new Map(mockups.map(row => [row.day, row.mockups]))
  const figures = statistics.requestsByDay.map(({ date }) => {
    const row = byDay.get(date)
    return {
      date,
      requests: row?.requests ?? 0,
      succeeded: row?.succeeded ?? 0,
      failed: row?.failed ?? 0,
      mockups: mockupsByDay.get(date) ?? 0,
      credits: row?.credits ?? 0,
    }
  })
  const total = (of: (day: (typeof figures)[number]) => number) => figures.reduce((sum, day) => sum + of(day), 0)
  return {
    days: figures,
    totals: {
      requests: total(day => day.requests),
      succeeded: total(day => day.succeeded),
      failed: total(day => day.failed),
      mockups: total(day => day.mockups),
      credits: total(day => day.credits),
    },
    failures_by_code: statistics.failuresByCode.map(({ code, count }) => ({ code, count })),
    top_templates: statistics.topTemplates.map(({ templateId, count }) => ({ template_id: templateId, count })),
  }
}

/** The same figures as CSV (RFC 4180). Every field is a date or a number: nothing to escape. */
export function usageCsv({ days }: DashboardUsage): string {
  const rows = days.map(day => [day.date, day.requests, day.succeeded, day.failed, day.mockups, day.credits].join(','))
  return `${['date,requests,succeeded,failed,mockups,credits', ...rows].join('\r\n')}\r\n`
}
