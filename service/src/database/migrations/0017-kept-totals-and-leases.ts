import type { Migration } from './migration.ts'

/** How many answers an account keeps, and which node does what one node does for all. */
export const keptTotalsAndLeases: Migration = {
  name: '0017-kept-totals-and-leases',
  statements(kind) {
    const isSqlite = kind === 'sqlite'
    const end = isSqlite ? ') strict' : ')'
    const bigint = isSqlite ? 'integer' : 'bigint'
    return [
      `create table leases (
        name text primary key,
        instance_id text not null,
        ends_at_ms ${bigint} not null
      ${end}`,
      `create table kept_answers (
        account_id text primary key,
        answers ${bigint} not null,
        size_bytes ${bigint} not null
      ${end}`,
      ...(isSqlite ? sqliteCounters : postgresCounters),
      `insert into kept_answers (account_id, answers, size_bytes)
        select account_id, count(*), sum(size_bytes) from idempotency_keys where state = 'finished' group by account_id`,
    ]
  },
}

const count = (row: 'new' | 'old', sign: '' | '-') => `insert into kept_answers (account_id, answers, size_bytes)
  values (${row}.account_id, ${sign}1, ${sign}${row}.size_bytes)
  on conflict (account_id) do update set answers = kept_answers.answers + excluded.answers,
    size_bytes = kept_answers.size_bytes + excluded.size_bytes;`

const sqliteCounters = [
  `create trigger idempotency_keys_new_kept after insert on idempotency_keys when new.state = 'finished'
    begin ${count('new', '')} end`,
  `create trigger idempotency_keys_kept after update on idempotency_keys
    when old.state = 'running' and new.state = 'finished'
    begin ${count('new', '')} end`,
  `create trigger idempotency_keys_forgotten after delete on idempotency_keys when old.state = 'finished'
    begin ${count('old', '-')} end`,
]

const postgresCounters = [
  `create function count_kept_answer() returns trigger language plpgsql as $$
    begin ${count('new', '')} return null; end $$`,
  `create function count_forgotten_answer() returns trigger language plpgsql as $$
    begin ${count('old', '-')} return null; end $$`,
  // Each locks the table: nothing is kept between the triggers and the count of what is kept already.
  `create trigger idempotency_keys_new_kept after insert on idempotency_keys
    for each row when (new.state = 'finished') execute function count_kept_answer()`,
  `create trigger idempotency_keys_kept after update on idempotency_keys
    for each row when (old.state = 'running' and new.state = 'finished') execute function count_kept_answer()`,
  `create trigger idempotency_keys_forgotten after delete on idempotency_keys
    for each row when (old.state = 'finished') execute function count_forgotten_answer()`,
]
