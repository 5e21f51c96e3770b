import type { Migration } from './migration.ts'

/** Mockups that were rendered from the dashboard, for *My mockups*. Their bytes are objects. */
export const storedMockups: Migration = {
  name: '0035-stored-mockups',
  statements(kind) {
    const isSqlite = kind === 'sqlite'
    const end = isSqlite ? ') strict' : ')'
    const bigint = isSqlite ? 'integer' : 'bigint'
    return [
      `create table stored_mockups (
        id text primary key,
        account_id text not null references accounts (id) on delete cascade,
        picture_key text not null,
        name text not null,
        artwork text not null,
        run text not null,
        template_id text not null,
        text_folded text not null,
        media_type text not null,
        object text not null,
        size_bytes ${bigint} not null,
        thumbnail_object text,
        thumbnail_bytes ${bigint} not null default 0,
        made_at_ms ${bigint} not null,
        is_stored ${bigint} not null
      ${end}`,
      'create unique index stored_mockups_by_picture on stored_mockups (account_id, picture_key, name)',
      'create index stored_mockups_by_account on stored_mockups (account_id, made_at_ms, id)',
      'create index stored_mockups_by_time on stored_mockups (made_at_ms)',
    ]
  },
}
