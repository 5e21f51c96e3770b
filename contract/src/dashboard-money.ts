/** Credits, payments, usage and logged requests, as seen by pages. */
import { z } from 'zod'
import { count, moment } from './dashboard-fields.ts'

const creditPackSchema = z.object({ credits: count, price_cents: count })
export type CreditPack = z.infer<typeof creditPackSchema>

/** Packs on sale: 1 to 0.7 cents per mockup. */
export const creditPacks: readonly CreditPack[] = [
  { credits: 100, price_cents: 100 },
  { credits: 1_000, price_cents: 900 },
  { credits: 5_000, price_cents: 4_000 },
  { credits: 10_000, price_cents: 7_000 },
]

const movementSchema = z.object({
  id: z.string(),
  at: moment,
  /** `opening` is the balance left by all archived movements; only shown among all, before the others. */
  kind: z.enum(['grant', 'purchase', 'mockup', 'refund', 'reversal', 'restoration', 'opening']),
  /** Signed: the change of the balance. */
  credits: z.int(),
  /** Why, as text: the operator's reason, the pack, how many mockups. */
  cause: z.string(),
  /** For mockups whose request is still logged; the name is null if the template is gone. */
  templates: z.array(z.object({ id: z.string(), name: z.string().nullable() })),
  key_name: z.string().nullable(),
  receipt_url: z.string().nullable(),
})
export type Movement = z.infer<typeof movementSchema>

/** Filters movements: each except the opening balance is in exactly one filter besides `all`. */
export const movementFilterSchema = z.enum(['all', 'received', 'spent', 'returned'])
export type MovementFilter = z.infer<typeof movementFilterSchema>

export const movementOrderSchema = z.enum(['newest', 'oldest'])
export type MovementOrder = z.infer<typeof movementOrderSchema>

export const creditsSchema = z.object({
  spendable_credits: count,
  reserved_credits: count,
  packs: z.array(creditPackSchema),
  movements: z.array(movementSchema),
  /** The cursor of the next page; null on the last page. */
  next_after: z.string().nullable(),
})
export type Credits = z.infer<typeof creditsSchema>

/** The URL of the page where a pack is paid. */
export const checkoutSchema = z.object({ url: z.string() })
export type Checkout = z.infer<typeof checkoutSchema>

/** A started payment: the credits it buys, and whether they have been credited. */
export const paymentSchema = z.object({ credits: count, credited: z.boolean() })
export type Payment = z.infer<typeof paymentSchema>

const usageFigures = { requests: count, succeeded: count, failed: count, mockups: count, credits: count }

export const dashboardUsageSchema = z.object({
  days: z.array(z.object({ date: z.iso.date(), ...usageFigures })),
  totals: z.object(usageFigures),
  failures_by_code: z.array(z.object({ code: z.string(), count })),
  /** The name is null if the template is gone. */
  top_templates: z.array(z.object({ template_id: z.string(), name: z.string().nullable(), count })),
})
export type DashboardUsage = z.infer<typeof dashboardUsageSchema>

const loggedRequestSchema = z.object({
  id: z.string(),
  /** The account that sent it; null in a list of one account. */
  account: z.object({ id: z.string(), email: z.string().nullable() }).nullable(),
  at: moment,
  /** Method and path. */
  endpoint: z.string(),
  /** Null for a request from the dashboard. */
  key_id: z.string().nullable(),
  key_name: z.string().nullable(),
  template_ids: z.array(z.string()),
  /** 499 if the client left before the answer began. */
  status: z.int(),
  code: z.string().nullable(),
  /** Why it failed, and what can be done, in sentences. */
  reason: z.string().nullable(),
  hint: z.string().nullable(),
  duration_ms: count,
  credits: count,
  /** A saved answer was sent again, without a charge. */
  replayed: z.boolean(),
})
export type LoggedRequest = z.infer<typeof loggedRequestSchema>

export const requestOutcomeSchema = z.enum(['ok', 'failed'])
export type RequestOutcome = z.infer<typeof requestOutcomeSchema>

/** The last hour, day, week or everything in the log. */
export const requestPeriodSchema = z.enum(['1h', '24h', '7d', '30d'])
export type RequestPeriod = z.infer<typeof requestPeriodSchema>

/** One page of requests, newest first. */
export const requestListSchema = z.object({
  requests: z.array(loggedRequestSchema),
  /** The cursor of the next page; null on the last page. */
  next_after: z.string().nullable(),
})
export type RequestList = z.infer<typeof requestListSchema>
