import { columnTypes, type DatabaseKind } from './column-types.ts'

const REFUSED_CHANGE = 'audit events are never changed'

/** Younger events are never deleted: see docs/operate.md. */
const RETAINED_MS = 400 * 24 * 3600 * 1000

/**
 * The audit log: who did what, from where, to whom, with which outcome. It is append-only; the database
 * refuses changes, and deletions before their time. No foreign key: events outlive what they refer to.
 */
export function auditStatements(kind: DatabaseKind): readonly string[] {
  const { isSqlite, bigint, sequence, end } = columnTypes(kind)
  return [
    `create table audit_events (
      sequence ${sequence},
      at_ms ${bigint} not null,
      account_id text,
      actor text not null check (actor in ('account', 'operator', 'system')),
      actor_id text,
      network text,
      action text not null,
      target text,
      outcome text not null check (outcome in ('ok', 'failed'))
    ${end}`,
    'create index audit_events_by_account on audit_events (account_id, sequence)',
    'create index audit_events_by_action on audit_events (action, sequence)',
    'create index audit_events_by_time on audit_events (at_ms)',
    ...(isSqlite
      ? [
          `create trigger audit_events_no_update before update on audit_events
            begin select raise(abort, '${REFUSED_CHANGE}'); end`,
          `create trigger audit_events_no_delete before delete on audit_events
            when old.at_ms > unixepoch() * 1000 - ${RETAINED_MS}
            begin select raise(abort, '${REFUSED_CHANGE}'); end`,
          // "insert or replace" deletes the old row without firing the delete trigger.
          `create trigger audit_events_no_replace before insert on audit_events
            when exists (select 1 from audit_events old where old.sequence = new.sequence)
            begin select raise(abort, '${REFUSED_CHANGE}'); end`,
        ]
      : [
          `create function refuse_audit_change() returns trigger language plpgsql as $$
            begin
              if tg_op = 'DELETE' and old.at_ms <= extract(epoch from clock_timestamp()) * 1000 - ${RETAINED_MS} then
                return old;
              end if;
              raise exception '${REFUSED_CHANGE}' using errcode = 'check_violation';
            end $$`,
          `create trigger audit_events_no_change before update or delete on audit_events
            for each row execute function refuse_audit_change()`,
          `create trigger audit_events_no_truncate before truncate on audit_events
            for each statement execute function refuse_audit_change()`,
        ]),
  ]
}
