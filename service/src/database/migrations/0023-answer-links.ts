import type { Migration } from './migration.ts'

/** Names kept answers in the addresses of their pictures. */
export const answerLinks: Migration = {
  name: '0023-answer-links',
  statements: () => ['alter table idempotency_keys add column link_id text'],
  indexes: () => [{ name: 'idempotency_keys_by_link', on: 'idempotency_keys (link_id) where link_id is not null' }],
}
