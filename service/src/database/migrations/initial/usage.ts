import { columnTypes, type DatabaseKind } from './column-types.ts'

/**
 * Counts of requests, the request log, and rate-limit windows. Counts have no foreign keys: a single
 * violation would block all rows written with it.
 */
export function usageStatements(kind: DatabaseKind): readonly string[] {
  const { isSqlite, bigint, end, endOfKeyed } = columnTypes(kind)
  return [
    `create table usage_days (
      account_id text not null,
      key_id text not null,
      day text not null,
      total ${bigint} not null,
      successful ${bigint} not null,
      failed ${bigint} not null,
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
    // Sums over all keys by day and month, and over all templates by day (an empty template id): a year of an
    // account with many keys is read from thousands of rows instead of a million.
    `create table usage_sums (
      account_id text not null,
      span text not null,
      template_id text not null,
      count ${bigint} not null,
      primary key (account_id, span, template_id)
    ${endOfKeyed}`,
    ...(isSqlite ? sqliteSums : postgresSums),
    'create index usage_sums_by_span on usage_sums (span)',
    // One row per request with an account, for a limited time: what it asked for, the answer, and the reason.
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
    ${endOfKeyed}`,
    'create index request_log_by_time on request_log (at_ms)',
    `create table rate_windows (
      subject text not null,
      window_seconds ${bigint} not null,
      started_at_ms ${bigint} not null,
      ends_at_ms ${bigint} not null,
      count ${bigint} not null,
      primary key (subject, window_seconds)
    ${end}`,
    'create index rate_windows_by_end on rate_windows (ends_at_ms)',
  ]
}

// The day's row comes first, so that two nodes counting for one account do not deadlock.
const addToSums = (added: string) => `insert into usage_sums (account_id, span, template_id, count)
  values (new.account_id, new.day, '', ${added}), (new.account_id, new.day, new.template_id, ${added}),
    (new.account_id, substr(new.day, 1, 7), new.template_id, ${added})
  on conflict (account_id, span, template_id) do update set count = usage_sums.count + excluded.count;`

const sqliteSums = [
  `create trigger usage_templates_new_sums after insert on usage_templates begin ${addToSums('new.count')} end`,
  `create trigger usage_templates_sums after update of count on usage_templates
    begin ${addToSums('new.count - old.count')} end`,
]

const postgresSums = [
  `create function add_to_usage_sums() returns trigger language plpgsql as $$
    declare added bigint := new.count;
    begin if tg_op = 'UPDATE' then added := new.count - old.count; end if; ${addToSums('added')} return null; end $$`,
  `create trigger usage_templates_sums after insert or update of count on usage_templates
    for each row execute function add_to_usage_sums()`,
]
