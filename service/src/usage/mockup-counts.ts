import { type RawBuilder, sql } from 'kysely'
import type { CreditScope } from '../credits/credit-days.ts'
import type { Queries } from '../database/schema.ts'
import { DAY_MS, utcDay } from './utc-day.ts'

type TemplateCount = { readonly templateId: string; readonly count: number }

/** The mockups of each day from `firstDay` to `lastDay` (UTC, `YYYY-MM-DD`) that has any. */
export async function countMockupsByDay(
  queries: Queries,
  { accountId, keyId }: CreditScope,
  firstDay: string,
  lastDay: string,
): Promise<ReadonlyMap<string, number>> {
  const rows =
    keyId === undefined
      ? await queries
          .selectFrom('usage_sums')
          .select(['span as day', 'count'])
          .where('account_id', '=', accountId)
          .where('span', 'in', spansOf(firstDay, lastDay, 'days').added)
          .where('template_id', '=', '')
          .execute()
      : await queries
          .selectFrom('usage_templates')
          .select(({ fn }) => ['day', fn.sum<number>('count').as('count')])
          .where('account_id', '=', accountId)
          .where('key_id', '=', keyId ?? '')
          .where('day', '>=', firstDay)
          .where('day', '<=', lastDay)
          .groupBy('day')
          .execute()
  return new Map(rows.map(({ day, count }) => [day, count]))
}

/** The templates with the most mockups from `firstDay` to `lastDay`, then by id. */
export async function countTopTemplates(
  queries: Queries,
  { accountId, keyId }: CreditScope,
  firstDay: string,
  lastDay: string,
  limit: number,
): Promise<TemplateCount[]> {
  if (keyId !== undefined) {
    const sum = sql<number>`sum(count)`
    return queries
      .selectFrom('usage_templates')
      .select(['template_id as templateId', sum.as('count')])
      .where('account_id', '=', accountId)
      .where('key_id', '=', keyId ?? '')
      .where('day', '>=', firstDay)
      .where('day', '<=', lastDay)
      .groupBy('template_id')
      .orderBy(sum, 'desc')
      .orderBy('template_id')
      .limit(limit)
      .execute()
  }
  const { added, subtracted } = spansOf(firstDay, lastDay, 'months')
  const counts = (spans: readonly string[], count: RawBuilder<number>) =>
    queries
      .selectFrom('usage_sums')
      .select(['template_id', count.as('count')])
      .where('account_id', '=', accountId)
      .where('span', 'in', spans)
      .where('template_id', '<>', '')
  const sum = sql<number>`sum(count)`
  return queries
    .selectFrom(
      counts(added, sql`count`)
        .$if(subtracted.length > 0, query => query.unionAll(counts(subtracted, sql`-count`)))
        .as('counts'),
    )
    .select(['template_id as templateId', sum.as('count')])
    .groupBy('template_id')
    .having(sum, '>', 0)
    .orderBy(sum, 'desc')
    .orderBy('template_id')
    .limit(limit)
    .execute()
}

type Spans = { readonly added: string[]; readonly subtracted: string[] }

/**
 * The spans of `usage_sums` that make up a period: its days; or whole months, and for a partly included month
 * either its days inside, or the month less its days outside, whichever are fewer.
 */
export function spansOf(firstDay: string, lastDay: string, unit: 'days' | 'months'): Spans {
  const [firstMs, lastMs] = [Date.parse(firstDay), Date.parse(lastDay)]
  const days = Array.from({ length: (lastMs - firstMs) / DAY_MS + 1 }, (_, i) => utcDay(firstMs + i * DAY_MS))
  if (unit === 'days') return { added: days, subtracted: [] }
  const [added, subtracted]: [string[], string[]] = [[], []]
  for (const [month, inside] of Map.groupBy(days, day => day.slice(0, 7))) {
    const outside = daysOf(month).filter(day => day < firstDay || day > lastDay)
    if (inside.length <= outside.length) added.push(...inside)
    else {
      added.push(month)
      subtracted.push(...outside)
    }
  }
  return { added, subtracted }
}

function daysOf(month: string): string[] {
  const firstMs = Date.parse(`${month}-01`)
  const days = Array.from({ length: 31 }, (_, i) => utcDay(firstMs + i * DAY_MS))
  return days.filter(day => day.startsWith(month))
}
