import type { Migration } from './migration.ts'

/** Keys that stand in pages: which sites may show which templates, how large. */
export const publishableKeys: Migration = {
  name: '0024-publishable-keys',
  statements(kind) {
    const bigint = kind === 'sqlite' ? 'integer' : 'bigint'
    return [
      `create table publishable_keys (
        id text primary key,
        account_id text not null references accounts (id),
        name text not null,
        key_text text not null unique,
        origins text not null,
        template_ids text,
        width_px integer not null,
        watermark text,
        loads_per_day integer not null,
        created_at_ms ${bigint} not null,
        revoked_at_ms ${bigint}
      )`,
      'create index publishable_keys_by_account on publishable_keys (account_id, created_at_ms)',
    ]
  },
}
