import type { Migration } from './migration.ts'

/** One row for a request with an account, for a while: what it asked for, what was answered, and why. */
export const requestLog: Migration = {
  name: '0025-request-log',
  statements(kind) {
    const isSqlite = kind === 'sqlite'
    const bigint = isSqlite ? 'integer' : 'bigint'
    return [
      `create table request_log (
        account_id text not null,
        at_ms ${bigint} not null,
        request_id text not null,
        key_id text not null,
        endpoint text not null,
        template_ids text not null,
        status integer not null,
        code text,
        reason text,
        duration_ms integer not null,
        credits integer not null,
        replayed integer not null,
        primary key (account_id, at_ms, request_id)
      ${isSqlite ? ') strict, without rowid' : ')'}`,
      'create index request_log_by_time on request_log (at_ms)',
    ]
  },
}
