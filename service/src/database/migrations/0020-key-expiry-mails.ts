import type { Migration } from './migration.ts'

/** When the account was told that a key is about to expire; null while it was not. */
export const keyExpiryMails: Migration = {
  name: '0020-key-expiry-mails',
  statements(kind) {
    return [
      `alter table api_keys add column expiry_told_at_ms ${kind === 'sqlite' ? 'integer' : 'bigint'}`,
      // Asked for every ten minutes. Most keys have no expiry.
      `create index api_keys_expiring on api_keys (expires_at_ms)
        where expires_at_ms is not null and expiry_told_at_ms is null`,
    ]
  },
}
