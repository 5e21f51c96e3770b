import type { Index, Migration } from './migration.ts'

const ID = 'coalesce(template_id, id)'

/**
 * Indexes for lists of 100,000 templates and for what housekeeping looks for. Those of templates hold every
 * column that a list filters by, so that a page deep in the list is found without reading any template.
 *
 * SQLite reads an index alone only where it holds the columns of its condition as well.
 */
export const largeLists: Migration = {
  name: '0015-large-lists',
  statements: () => [],
  indexes(kind): readonly Index[] {
    const isShared = 'where owner_account_id is null and removed_at_ms is null'
    const filters = 'id, template_id, type, category_folded, name_folded'
    const ofKind =
      kind === 'sqlite'
        ? [
            {
              name: 'templates_by_name',
              on: `templates (owner_account_id, removed_at_ms, name, ${ID}, ${filters})`,
            },
            {
              name: 'templates_by_age',
              on: `templates (owner_account_id, removed_at_ms, imported_at_ms desc, ${ID}, ${filters})`,
            },
            {
              name: 'templates_by_category',
              on: 'templates (owner_account_id, removed_at_ms, category, id, template_id)',
            },
            // SQLite would sort what PostgreSQL adds up in any order.
            {
              name: 'usage_days_by_account_day',
              on: 'usage_days (account_id, day, total, successful, failed)',
            },
            { name: 'usage_failures_by_code', on: 'usage_failures (account_id, code, day, count)' },
          ]
        : [
            {
              name: 'templates_by_name',
              on: `templates (name collate "C", (${ID}) collate "C") include (${filters}) ${isShared}`,
            },
            {
              name: 'templates_by_age',
              on: `templates (imported_at_ms desc, (${ID}) collate "C") include (${filters}) ${isShared}`,
            },
            {
              name: 'templates_by_category',
              on: `templates (category collate "C") include (id, template_id) ${isShared}`,
            },
          ]
    return [
      ...ofKind,
      { name: 'templates_not_measured', on: 'templates (object_prefix) where size_bytes is null' },
      { name: 'usage_failures_by_day', on: 'usage_failures (day)' },
      { name: 'usage_templates_by_day', on: 'usage_templates (day)' },
      { name: 'idempotency_keys_by_end', on: 'idempotency_keys (finished_at_ms)' },
      { name: 'accounts_deleted', on: 'accounts (deleted_at_ms) where deleted_at_ms is not null' },
    ]
  },
}
