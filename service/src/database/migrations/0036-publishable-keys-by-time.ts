import type { Migration } from './migration.ts'

/** Servers look for keys that commands have made. */
export const publishableKeysByTime: Migration = {
  name: '0036-publishable-keys-by-time',
  statements: () => ['create index publishable_keys_by_time on publishable_keys (created_at_ms)'],
}
