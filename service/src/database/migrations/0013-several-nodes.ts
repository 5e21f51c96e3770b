import type { Migration } from './migration.ts'

/** What nodes must agree on: whose data this is, and which of them makes the first start. */
export const severalNodes: Migration = {
  name: '0013-several-nodes',
  statements(kind) {
    const isSqlite = kind === 'sqlite'
    const end = isSqlite ? ') strict' : ')'
    const bigint = isSqlite ? 'integer' : 'bigint'
    return [
      `create table installation (
        only_row ${bigint} primary key check (only_row = 1),
        id text not null
      ${end}`,
      `create table first_run_claims (
        step text primary key,
        instance_id text not null
      ${end}`,
      // Read every ten seconds, to free the keys of dead processes. Kept answers are many, these are few.
      `create index idempotency_keys_running on idempotency_keys (instance_id) where state = 'running'`,
    ]
  },
}
