import type { Migration } from './migration.ts'

const REFUSED_CHANGE = 'ledger entries are never changed or deleted'

/** Which book each kind of entry takes credits from, and which it gives them to. */
const movements = [
  ['grant', 'granted', 'spendable'],
  ['purchase', 'purchased', 'spendable'],
  ['reserve', 'spendable', 'reserved'],
  ['settle', 'reserved', 'consumed'],
  ['release', 'reserved', 'spendable'],
  ['expire', 'reserved', 'spendable'],
  ['refund', 'consumed', 'spendable'],
  ['reverse', 'spendable', 'purchased'],
] as const

const movementIsKnown = movements
  .map(([kind, debit, credit]) => `(kind = '${kind}' and debit_book = '${debit}' and credit_book = '${credit}')`)
  .join(' or ')

/** Accounts, keys, running instances, and the ledger with its checks and triggers. */
export const accountsAndLedger: Migration = {
  name: '0001-accounts-and-ledger',
  statements(kind) {
    const isSqlite = kind === 'sqlite'
    // SQLite stores any type in any column, a fraction of a credit too, unless the table is strict.
    const end = isSqlite ? ') strict' : ')'
    const bigint = isSqlite ? 'integer' : 'bigint'
    const sequence = isSqlite ? 'integer primary key autoincrement' : 'bigint generated always as identity primary key'
    return [
      `create table accounts (
        id text primary key,
        email text not null,
        email_key text not null unique,
        role text not null check (role in ('owner', 'operator', 'customer')),
        created_at_ms ${bigint} not null
      ${end}`,
      `create table api_keys (
        id text primary key,
        account_id text not null references accounts (id),
        name text not null,
        key_hash text not null unique,
        display text not null,
        created_at_ms ${bigint} not null,
        revoked_at_ms ${bigint},
        last_used_at_ms ${bigint}
      ${end}`,
      `create index api_keys_by_account on api_keys (account_id, created_at_ms)`,
      `create table instances (
        id text primary key,
        started_at_ms ${bigint} not null,
        heartbeat_at_ms ${bigint} not null
      ${end}`,
      `create table wallets (
        account_id text primary key references accounts (id),
        granted ${bigint} not null check (granted >= 0),
        purchased ${bigint} not null check (purchased >= 0),
        spendable ${bigint} not null check (spendable >= 0),
        reserved ${bigint} not null check (reserved >= 0),
        consumed ${bigint} not null check (consumed >= 0),
        check (spendable + reserved + consumed = granted + purchased),
        check (granted + purchased <= 9007199254740991)
      ${end}`,
      `create table reservations (
        id text primary key,
        account_id text not null references wallets (account_id),
        key_id text references api_keys (id),
        request_id text not null,
        credits ${bigint} not null check (credits > 0),
        refunded ${bigint} not null default 0 check (refunded >= 0 and refunded <= credits),
        state text not null check (state in ('reserved', 'settled', 'released', 'expired')),
        instance_id text not null,
        created_at_ms ${bigint} not null,
        expires_at_ms ${bigint} not null,
        resolved_at_ms ${bigint},
        cause text,
        check ((state = 'reserved') = (resolved_at_ms is null)),
        check (refunded = 0 or state = 'settled')
      ${end}`,
      `create index reservations_open on reservations (expires_at_ms) where state = 'reserved'`,
      `create index reservations_by_account on reservations (account_id, created_at_ms)`,
      `create table ledger_entries (
        sequence ${sequence},
        id text not null unique,
        account_id text not null references wallets (account_id),
        kind text not null,
        debit_book text not null,
        credit_book text not null,
        credits ${bigint} not null check (credits > 0),
        reservation_id text references reservations (id),
        external_id text unique,
        reason text,
        created_at_ms ${bigint} not null,
        check (${movementIsKnown}),
        check ((reservation_id is null) = (kind in ('grant', 'purchase', 'reverse'))),
        check (kind <> 'purchase' or external_id is not null)
      ${end}`,
      `create index ledger_entries_by_account on ledger_entries (account_id, sequence)`,
      `create index ledger_entries_by_reservation on ledger_entries (reservation_id) where reservation_id is not null`,
      `create unique index ledger_entries_one_reserve on ledger_entries (reservation_id) where kind = 'reserve'`,
      `create unique index ledger_entries_one_resolution on ledger_entries (reservation_id)
        where kind in ('settle', 'release', 'expire')`,
      ...(isSqlite ? sqliteTriggers : postgresTriggers),
    ]
  },
}

const sqliteTriggers = [
  `create trigger ledger_entries_no_update before update on ledger_entries
    begin select raise(abort, '${REFUSED_CHANGE}'); end`,
  `create trigger ledger_entries_no_delete before delete on ledger_entries
    begin select raise(abort, '${REFUSED_CHANGE}'); end`,
  // "insert or replace" deletes the old row without asking the delete trigger.
  `create trigger ledger_entries_no_replace before insert on ledger_entries
    when exists (
      select 1 from ledger_entries old where old.sequence = new.sequence or old.id = new.id
        or old.external_id = new.external_id
        or (old.reservation_id = new.reservation_id and old.kind = new.kind and new.kind <> 'refund')
    )
    begin select raise(abort, '${REFUSED_CHANGE}'); end`,
  `create trigger wallets_no_delete before delete on wallets
    begin select raise(abort, 'wallets are never deleted'); end`,
]

const postgresTriggers = [
  `create function refuse_ledger_change() returns trigger language plpgsql as $$
    begin raise exception '${REFUSED_CHANGE}' using errcode = 'check_violation'; end $$`,
  `create trigger ledger_entries_no_change before update or delete on ledger_entries
    for each row execute function refuse_ledger_change()`,
  `create trigger ledger_entries_no_truncate before truncate on ledger_entries
    for each statement execute function refuse_ledger_change()`,
  `create trigger wallets_no_delete before delete on wallets
    for each row execute function refuse_ledger_change()`,
]
