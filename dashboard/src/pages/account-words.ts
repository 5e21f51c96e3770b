import type { DashboardAccount } from '@vitrine/contract'
import { counted } from '../format.ts'

/** How long an account's credits will last at its current rate, in words; at most "over a year". */
export function daysLeft({ runs_out_in_days: days, spendable_credits }: DashboardAccount): string {
  if (days === null) return '–'
  if (spendable_credits === 0) return 'Now'
  if (days > 365) return '> 1 year'
  if (days === 0) return '< 1 day'
  return counted(days, 'day')
}
