import type { Migration } from './migration.ts'

/** What a key may do, from where and until when; null where it is not limited. The key in its place. */
export const keyLimits: Migration = {
  name: '0011-key-limits',
  statements(kind) {
    const bigint = kind === 'sqlite' ? 'integer' : 'bigint'
    return [
      `alter table api_keys add column expires_at_ms ${bigint}`,
      'alter table api_keys add column scopes text',
      'alter table api_keys add column allowed_addresses text',
      'alter table api_keys add column replaced_by_key_id text',
    ]
  },
}
