import type { Migration } from './migration.ts'

/**
 * Counts of requests, rate-limit windows, kept answers. Counts have no foreign keys: one row that violates
 * one would block all that are written with it.
 */
export const usageAndLimits: Migration = {
  name: '0002-usage-and-limits',
  statements(kind) {
    const isSqlite = kind === 'sqlite'
    const end = isSqlite ? ') strict' : ')'
    const bigint = isSqlite ? 'integer' : 'bigint'
    return [
      `create table usage_days (
        account_id text not null,
        key_id text not null,
        day text not null,
        total ${bigint} not null,
        successful ${bigint} not null,
        failed ${bigint} not null,
        credits_consumed ${bigint} not null,
        credits_refunded ${bigint} not null,
        primary key (account_id, key_id, day)
      ${end}`,
      `create table usage_failures (
        account_id text not null,
        key_id text not null,
        day text not null,
        code text not null,
        count ${bigint} not null,
        primary key (account_id, key_id, day, code)
      ${end}`,
      `create table usage_templates (
        account_id text not null,
        key_id text not null,
        day text not null,
        template_id text not null,
        count ${bigint} not null,
        primary key (account_id, key_id, day, template_id)
      ${end}`,
      `create table rate_windows (
        subject text not null,
        window_seconds ${bigint} not null,
        started_at_ms ${bigint} not null,
        ends_at_ms ${bigint} not null,
        count ${bigint} not null,
        primary key (subject, window_seconds)
      ${end}`,
      `create index rate_windows_by_end on rate_windows (ends_at_ms)`,
      `create table idempotency_keys (
        account_id text not null references accounts (id),
        idempotency_key text not null,
        request_hash text not null,
        state text not null check (state in ('running', 'finished')),
        instance_id text not null,
        body_object_key text,
        answer text,
        size_bytes ${bigint} not null,
        created_at_ms ${bigint} not null,
        finished_at_ms ${bigint},
        primary key (account_id, idempotency_key),
        check ((state = 'finished') = (finished_at_ms is not null))
      ${end}`,
      `create index idempotency_keys_by_age on idempotency_keys (account_id, created_at_ms)`,
    ]
  },
}
