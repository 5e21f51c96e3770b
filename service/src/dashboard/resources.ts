import type { DashboardSession } from '@vitrine/contract'
import type { Account } from '../accounts/accounts.ts'

/** Represents renders from the dashboard where a page's URL names a key. */
export const DASHBOARD_KEY = 'dashboard'

export const isoOf = (ms: number): string => new Date(ms).toISOString()

export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoOf(ms))

/** The owner is an operator, too. */
export const roleOf = ({ role }: Account): DashboardSession['account']['role'] =>
  role === 'customer' ? 'customer' : 'operator'
