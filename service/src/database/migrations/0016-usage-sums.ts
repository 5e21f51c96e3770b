import type { Migration } from './migration.ts'

/**
 * Mockups by account and template over all keys, by day and by month, and by day over all templates (an empty
 * template id): a year of an account with many keys is read from thousands of rows instead of a million.
 * A trigger keeps them, so that an older program counts as well.
 */
export const usageSums: Migration = {
  name: '0016-usage-sums',
  statements(kind) {
    const isSqlite = kind === 'sqlite'
    const bigint = isSqlite ? 'integer' : 'bigint'
    // Everybody takes the day's row first: two nodes that count for one account do not block each other.
    const add = (added: string) => `insert into usage_sums (account_id, span, template_id, count)
      values (new.account_id, new.day, '', ${added}), (new.account_id, new.day, new.template_id, ${added}),
        (new.account_id, substr(new.day, 1, 7), new.template_id, ${added})
      on conflict (account_id, span, template_id) do update set count = usage_sums.count + excluded.count;`
    const triggers = isSqlite
      ? [
          `create trigger usage_templates_new_sums after insert on usage_templates begin ${add('new.count')} end`,
          `create trigger usage_templates_sums after update of count on usage_templates
            begin ${add('new.count - old.count')} end`,
        ]
      : [
          `create function add_to_usage_sums() returns trigger language plpgsql as $$
            declare added bigint := new.count;
            begin if tg_op = 'UPDATE' then added := new.count - old.count; end if; ${add('added')} return null; end $$`,
          // Locks the table: nothing is counted between the trigger and the sum of the history.
          `create trigger usage_templates_sums after insert or update of count on usage_templates
            for each row execute function add_to_usage_sums()`,
        ]
    return [
      `create table usage_sums (
        account_id text not null,
        span text not null,
        template_id text not null,
        count ${bigint} not null,
        primary key (account_id, span, template_id)
      ${isSqlite ? ') strict, without rowid' : ')'}`,
      ...triggers,
      ...usageSumsOfHistory,
      `create index usage_sums_by_span on usage_sums (span)`,
    ]
  },
}

/** Sums what is counted already, without any sums before. */
export const usageSumsOfHistory = [
  `insert into usage_sums (account_id, span, template_id, count)
    select account_id, day, template_id, sum(count) from usage_templates group by 1, 2, 3`,
  `insert into usage_sums (account_id, span, template_id, count)
    select account_id, span, '', sum(count) from usage_sums group by 1, 2`,
  `insert into usage_sums (account_id, span, template_id, count)
    select account_id, substr(span, 1, 7), template_id, sum(count) from usage_sums where template_id <> '' group by 1, 2, 3`,
]
