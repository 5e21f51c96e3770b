import type { Migration } from './migration.ts'

/** Photoshop files that became no template yet; their bytes are in object storage. */
export const psdImports: Migration = {
  name: '0028-psd-imports',
  statements(kind) {
    const bigint = kind === 'sqlite' ? 'integer' : 'bigint'
    return [
      `create table psd_imports (
        id text primary key,
        account_id text not null references accounts (id),
        file_name text not null,
        size_bytes ${bigint} not null,
        state text not null,
        run integer not null,
        frames text not null,
        message text,
        choices text not null,
        report text,
        files text,
        has_comparison integer not null,
        created_at_ms ${bigint} not null,
        changed_at_ms ${bigint} not null,
        alive_at_ms ${bigint} not null
      )`,
      'create index psd_imports_by_account on psd_imports (account_id, created_at_ms)',
    ]
  },
}
