import { columnTypes, type DatabaseKind } from './column-types.ts'

/** Saved answers by Idempotency-Key, and their number for each account. */
export function answerStatements(kind: DatabaseKind): readonly string[] {
  const { isSqlite, bigint, end } = columnTypes(kind)
  return [
    `create table idempotency_keys (
      account_id text not null references accounts (id),
      idempotency_key text not null,
      request_hash text not null,
      state text not null check (state in ('running', 'finished')),
      instance_id text not null,
      body_object_key text,
      answer text,
      link_id text,
      size_bytes ${bigint} not null,
      created_at_ms ${bigint} not null,
      finished_at_ms ${bigint},
      primary key (account_id, idempotency_key),
      check ((state = 'finished') = (finished_at_ms is not null))
    ${end}`,
    'create index idempotency_keys_by_age on idempotency_keys (account_id, created_at_ms)',
    // Read every ten seconds, to free dead processes' keys, which are few among many saved answers.
    `create index idempotency_keys_running on idempotency_keys (instance_id) where state = 'running'`,
    `create table saved_answers (
      account_id text primary key,
      answers ${bigint} not null,
      size_bytes ${bigint} not null
    ${end}`,
    ...(isSqlite ? sqliteCounters : postgresCounters),
  ]
}

const count = (row: 'new' | 'old', sign: '' | '-') => `insert into saved_answers (account_id, answers, size_bytes)
  values (${row}.account_id, ${sign}1, ${sign}${row}.size_bytes)
  on conflict (account_id) do update set answers = saved_answers.answers + excluded.answers,
    size_bytes = saved_answers.size_bytes + excluded.size_bytes;`

const sqliteCounters = [
  `create trigger idempotency_keys_new_saved after insert on idempotency_keys when new.state = 'finished'
    begin ${count('new', '')} end`,
  `create trigger idempotency_keys_saved after update on idempotency_keys
    when old.state = 'running' and new.state = 'finished'
    begin ${count('new', '')} end`,
  `create trigger idempotency_keys_forgotten after delete on idempotency_keys when old.state = 'finished'
    begin ${count('old', '-')} end`,
]

const postgresCounters = [
  `create function count_saved_answer() returns trigger language plpgsql as $$
    begin ${count('new', '')} return null; end $$`,
  `create function count_forgotten_answer() returns trigger language plpgsql as $$
    begin ${count('old', '-')} return null; end $$`,
  `create trigger idempotency_keys_new_saved after insert on idempotency_keys
    for each row when (new.state = 'finished') execute function count_saved_answer()`,
  `create trigger idempotency_keys_saved after update on idempotency_keys
    for each row when (old.state = 'running' and new.state = 'finished') execute function count_saved_answer()`,
  `create trigger idempotency_keys_forgotten after delete on idempotency_keys
    for each row when (old.state = 'finished') execute function count_forgotten_answer()`,
]
