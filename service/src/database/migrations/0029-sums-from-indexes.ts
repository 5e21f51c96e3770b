import type { Index, Migration } from './migration.ts'

/**
 * A year of usage of an account with many keys is summed from indexes alone on PostgreSQL. Its planner else
 * reads whole tables, whose rows lie in the order of time. SQLite has its own since `0015-large-lists`.
 */
export const sumsFromIndexes: Migration = {
  name: '0029-sums-from-indexes',
  statements: () => [],
  indexes(kind): readonly Index[] {
    if (kind === 'sqlite') return []
    return [
      { name: 'usage_days_by_account_day', on: 'usage_days (account_id, day) include (total, successful, failed)' },
      { name: 'usage_failures_by_code', on: 'usage_failures (account_id, code, day) include (count)' },
      { name: 'usage_sums_with_count', on: 'usage_sums (account_id, span, template_id) include (count)' },
      { name: 'credit_days_by_day', on: 'credit_days (account_id, day) include (key_id, consumed, refunded)' },
    ]
  },
}
