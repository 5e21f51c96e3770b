import type { Migration } from './migration.ts'

const REFUSED_CHANGE = 'ledger entries are never changed, and deleted only when they are sealed'
const SEALED_PURCHASE = 'the external id is that of a sealed ledger entry'

/** The last part of an account has the latest end. */
const isSealed = (entry: string) =>
  `coalesce((select sealed.before_ms from sealed_balances as sealed where sealed.account_id = ${entry}.account_id
    order by sealed.part desc limit 1), 0) > ${entry}.created_at_ms`

const HAS_SEALED_EXTERNAL_ID =
  'exists (select 1 from sealed_external_ids as sealed where sealed.external_id = new.external_id)'

const sealedTables = ['sealed_balances', 'sealed_credits', 'sealed_external_ids']

/**
 * What is left of archived entries: for each part of an account's archive the balance up to its end and the
 * credits of its keys, and the external ids, none of which may be used again. An entry may be deleted once a
 * balance covers its time.
 */
export const ledgerArchive: Migration = {
  name: '0021-ledger-archive',
  statements(kind) {
    const isSqlite = kind === 'sqlite'
    const end = isSqlite ? ') strict' : ')'
    const bigint = isSqlite ? 'integer' : 'bigint'
    return [
      `create table sealed_balances (
        account_id text not null references wallets (account_id),
        part ${bigint} not null check (part > 0),
        before_ms ${bigint} not null,
        entries ${bigint} not null check (entries > 0),
        granted ${bigint} not null check (granted >= 0),
        purchased ${bigint} not null check (purchased >= 0),
        spendable ${bigint} not null check (spendable >= 0),
        consumed ${bigint} not null check (consumed >= 0),
        digest text not null,
        sealed_at_ms ${bigint} not null,
        primary key (account_id, part),
        check (spendable + consumed = granted + purchased)
      ${end}`,
      `create table sealed_credits (
        account_id text not null,
        part ${bigint} not null,
        key_id text not null,
        consumed ${bigint} not null,
        refunded ${bigint} not null,
        primary key (account_id, part, key_id)
      ${end}`,
      `create table sealed_external_ids (
        external_id text primary key,
        account_id text not null
      ${end}`,
      ...(isSqlite ? sqliteTriggers : postgresTriggers),
    ]
  },
}

const sqliteTriggers = [
  'drop trigger ledger_entries_no_delete',
  `create trigger ledger_entries_no_delete before delete on ledger_entries when not (${isSealed('old')})
    begin select raise(abort, '${REFUSED_CHANGE}'); end`,
  `create trigger ledger_entries_not_again before insert on ledger_entries
    when new.external_id is not null and ${HAS_SEALED_EXTERNAL_ID}
    begin select raise(abort, '${SEALED_PURCHASE}'); end`,
  ...sealedTables.flatMap(table =>
    ['update', 'delete'].map(
      change => `create trigger ${table}_no_${change} before ${change} on ${table}
        begin select raise(abort, 'sealed balances are never changed or deleted'); end`,
    ),
  ),
]

const postgresTriggers = [
  'drop trigger ledger_entries_no_change on ledger_entries',
  `create trigger ledger_entries_no_update before update on ledger_entries
    for each row execute function refuse_ledger_change()`,
  `create function refuse_unsealed_deletion() returns trigger language plpgsql as $$
    begin
      if not (${isSealed('old')}) then
        raise exception '${REFUSED_CHANGE}' using errcode = 'check_violation';
      end if;
      return old;
    end $$`,
  `create trigger ledger_entries_no_delete before delete on ledger_entries
    for each row execute function refuse_unsealed_deletion()`,
  // After the insert, which may have waited for the archive that deletes the entry with this id.
  `create function refuse_sealed_external_id() returns trigger language plpgsql as $$
    begin
      if ${HAS_SEALED_EXTERNAL_ID} then
        raise exception '${SEALED_PURCHASE}' using errcode = 'unique_violation';
      end if;
      return null;
    end $$`,
  `create trigger ledger_entries_not_again after insert on ledger_entries
    for each row when (new.external_id is not null) execute function refuse_sealed_external_id()`,
  ...sealedTables.map(
    table => `create trigger ${table}_no_change before update or delete on ${table}
      for each row execute function refuse_ledger_change()`,
  ),
]
