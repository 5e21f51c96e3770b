import { z } from 'zod'
import { limits } from './limits.ts'

/** The account's spendable credits. 1 credit = 1 cent (USD). */
export const balance = z.object({
  balance_cents: z.int().min(0),
  balance_dollars: z
    .string()
    .regex(/^\d+\.\d\d$/)
    .meta({ description: 'Dollars with two decimal places' }),
  balance_credits: z.int().min(0),
})

const count = z.int().min(0)

/** The usage in a period of days. */
export const usageStatistics = z.object({
  period: z.string().meta({ description: 'The requested period' }),
  total_requests: count.meta({ description: 'Every authenticated request' }),
  successful_requests: count.meta({ description: 'Answers with a 2xx status' }),
  failed_requests: count.meta({ description: 'All other answers' }),
  credits_consumed: count.meta({ description: 'Net of refunds' }),
  credits_refunded: count.meta({ description: 'Reserved and given back' }),
  top_templates: z
    .array(z.object({ template_id: z.string(), count }))
    .max(limits.topTemplatesMax)
    .meta({ description: 'By successful mockups, then id' }),
  requests_by_day: z
    .array(z.object({ date: z.iso.date().meta({ description: 'UTC calendar day' }), count }))
    .meta({ description: 'Every day of the period, ascending, including days without requests' }),
})

export type BalanceResource = z.infer<typeof balance>
export type UsageResource = z.infer<typeof usageStatistics>

export const balanceExample: BalanceResource = {
  balance_cents: 997,
  balance_dollars: '9.97',
  balance_credits: 997,
}

export const usageExample: UsageResource = {
  period: '2d',
  total_requests: 4,
  successful_requests: 4,
  failed_requests: 0,
  credits_consumed: 3,
  credits_refunded: 0,
  top_templates: [
    {
      template_id: 'oak-frame-portrait',
      count: 2,
    },
    {
      template_id: 'white-mug-walnut-table',
      count: 1,
    },
  ],
  requests_by_day: [
    {
      date: '2026-11-20',
      count: 0,
    },
    {
      date: '2026-11-21',
      count: 4,
    },
  ],
}
