import type { Index, Migration } from '../migration.ts'
import { accountStatements } from './accounts.ts'
import { answerStatements } from './answers.ts'
import { auditStatements } from './audit.ts'
import { dashboardStatements } from './dashboard.ts'
import { ledgerStatements } from './ledger.ts'
import { nodeStatements } from './nodes.ts'
import { templateStatements } from './templates.ts'
import { usageStatements } from './usage.ts'

/** The schema of the first release. Later changes are separate migrations. */
export const initial: Migration = {
  name: '0001-initial',
  statements: kind => [
    ...nodeStatements(kind),
    ...accountStatements(kind),
    ...ledgerStatements(kind),
    ...usageStatements(kind),
    ...answerStatements(kind),
    ...templateStatements(kind),
    ...dashboardStatements(kind),
    ...auditStatements(kind),
  ],
  indexes: kind => [
    ...(kind === 'sqlite' ? sqliteIndexes : postgresIndexes),
    { name: 'usage_failures_by_day', on: 'usage_failures (day)' },
    { name: 'usage_templates_by_day', on: 'usage_templates (day)' },
    { name: 'idempotency_keys_by_end', on: 'idempotency_keys (finished_at_ms)' },
    { name: 'idempotency_keys_by_link', on: 'idempotency_keys (link_id) where link_id is not null' },
    { name: 'accounts_deleted', on: 'accounts (deleted_at_ms) where deleted_at_ms is not null' },
  ],
}

const TEMPLATE_ID = 'coalesce(template_id, id)'
const FILTERS = 'id, template_id, type, category_folded, name_folded'

// For lists of 100,000 templates: they cover every column that a list FILTERS by, so that a page deep in the
// list is found without reading any template. A year of usage is summed from indexes alone.

/** SQLite uses an index as covering only if it also contains the columns of its own condition. */
const sqliteIndexes: readonly Index[] = [
  {
    name: 'templates_by_name',
    on: `templates (owner_account_id, removed_at_ms, name, ${TEMPLATE_ID}, ${FILTERS})`,
  },
  {
    name: 'templates_by_age',
    on: `templates (owner_account_id, removed_at_ms, imported_at_ms desc, ${TEMPLATE_ID}, ${FILTERS})`,
  },
  { name: 'templates_by_category', on: 'templates (owner_account_id, removed_at_ms, category, id, template_id)' },
  { name: 'usage_days_by_account_day', on: 'usage_days (account_id, day, total, successful, failed)' },
  { name: 'usage_failures_by_code', on: 'usage_failures (account_id, code, day, count)' },
]

const IS_SHARED = 'where owner_account_id is null and removed_at_ms is null'

/** Otherwise the planner reads whole tables of usage, whose rows are ordered by time. */
const postgresIndexes: readonly Index[] = [
  {
    name: 'templates_by_name',
    on: `templates (name collate "C", (${TEMPLATE_ID}) collate "C") include (${FILTERS}) ${IS_SHARED}`,
  },
  {
    name: 'templates_by_age',
    on: `templates (imported_at_ms desc, (${TEMPLATE_ID}) collate "C") include (${FILTERS}) ${IS_SHARED}`,
  },
  { name: 'templates_by_category', on: `templates (category collate "C") include (id, template_id) ${IS_SHARED}` },
  { name: 'usage_days_by_account_day', on: 'usage_days (account_id, day) include (total, successful, failed)' },
  { name: 'usage_failures_by_code', on: 'usage_failures (account_id, code, day) include (count)' },
  { name: 'usage_sums_with_count', on: 'usage_sums (account_id, span, template_id) include (count)' },
  { name: 'credit_days_by_day', on: 'credit_days (account_id, day) include (key_id, consumed, refunded)' },
]
