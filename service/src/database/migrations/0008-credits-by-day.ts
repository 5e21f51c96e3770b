import type { Migration } from './migration.ts'

const KINDS = `('settle', 'release', 'expire', 'refund')`
const CONSUMED = `case entry.kind when 'settle' then entry.credits when 'refund' then -entry.credits else 0 end`
const REFUNDED = `case entry.kind when 'settle' then 0 else entry.credits end`

/**
 * Credits by account, key and UTC day: sums over the ledger that a trigger keeps within the transaction of
 * each entry, whichever program writes it. A refund counts on the day of its mockup, so that no day's
 * consumption is negative. They replace the credits in `usage_days`, which a crash could lose.
 */
export const creditsByDay: Migration = {
  name: '0008-credits-by-day',
  statements(kind) {
    const isSqlite = kind === 'sqlite'
    const bigint = isSqlite ? 'integer' : 'bigint'
    const resolvedAtS = 'coalesce(reservation.resolved_at_ms, entry.created_at_ms) / 1000'
    const day = isSqlite
      ? `date(${resolvedAtS}, 'unixepoch')`
      : `to_char(to_timestamp(${resolvedAtS}) at time zone 'UTC', 'YYYY-MM-DD')`
    const addNewEntry = `insert into credit_days (account_id, key_id, day, consumed, refunded)
      select new.account_id, coalesce(reservation.key_id, ''), ${inTrigger(day)}, ${inTrigger(CONSUMED)},
        ${inTrigger(REFUNDED)}
      from reservations as reservation where reservation.id = new.reservation_id
      on conflict (account_id, key_id, day) do update set
        consumed = credit_days.consumed + excluded.consumed, refunded = credit_days.refunded + excluded.refunded;`
    return [
      `create table credit_days (
        account_id text not null,
        key_id text not null,
        day text not null,
        consumed ${bigint} not null,
        refunded ${bigint} not null,
        primary key (account_id, key_id, day)
      ${isSqlite ? ') strict' : ')'}`,
      ...(isSqlite
        ? [
            `create trigger ledger_entries_credit_days after insert on ledger_entries when new.kind in ${KINDS}
              begin ${addNewEntry} end`,
          ]
        : [
            `create function add_to_credit_days() returns trigger language plpgsql as $$
              begin ${addNewEntry} return null; end $$`,
            // Locks the table: no entry is written between the trigger and the sum of the history.
            `create trigger ledger_entries_credit_days after insert on ledger_entries
              for each row when (new.kind in ${KINDS}) execute function add_to_credit_days()`,
          ]),
      `insert into credit_days (account_id, key_id, day, consumed, refunded)
        select entry.account_id, coalesce(reservation.key_id, ''), ${day}, sum(${CONSUMED}), sum(${REFUNDED})
        from ledger_entries as entry join reservations as reservation on reservation.id = entry.reservation_id
        where entry.kind in ${KINDS}
        group by 1, 2, 3`,
      // On PostgreSQL an older program may still write them; on SQLite one process serves the data folder.
      ...['credits_consumed', 'credits_refunded'].map(column =>
        isSqlite
          ? `alter table usage_days drop column ${column}`
          : `alter table usage_days alter column ${column} set default 0`,
      ),
    ]
  },
}

function inTrigger(expression: string): string {
  return expression.replaceAll('entry.', 'new.')
}
