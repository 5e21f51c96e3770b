import type { Migration } from './migration.ts'

/**
 * Walls: links by which an account shows scenes to a customer of its own, and what that customer answers.
 * Nothing of a wall is money, and none outlives its account.
 */
export const walls: Migration = {
  name: '0027-walls',
  statements(kind) {
    const isSqlite = kind === 'sqlite'
    const end = isSqlite ? ') strict' : ')'
    const bigint = isSqlite ? 'integer' : 'bigint'
    return [
      `create table walls (
        id text primary key,
        account_id text not null references accounts (id),
        token text not null unique,
        title text not null,
        shop_name text not null,
        template_ids text not null,
        placements text not null,
        colors text not null,
        artwork text,
        created_at_ms ${bigint} not null,
        expires_at_ms ${bigint} not null,
        revoked_at_ms ${bigint},
        visits ${bigint} not null default 0,
        answer_count ${bigint} not null default 0,
        file_count ${bigint} not null default 0,
        file_bytes ${bigint} not null default 0
      ${end}`,
      'create index walls_by_account on walls (account_id, created_at_ms)',
      'create index walls_by_expiry on walls (expires_at_ms)',
      `create table wall_answers (
        id text primary key,
        wall_id text not null references walls (id) on delete cascade,
        at_ms ${bigint} not null,
        answer text not null,
        artwork text
      ${end}`,
      'create index wall_answers_by_wall on wall_answers (wall_id, at_ms)',
    ]
  },
}
