import { columnTypes, type DatabaseKind } from './column-types.ts'
import { RUN_WALLET_OPERATIONS } from './wallet-operations.ts'

const REFUSED_CHANGE = 'ledger entries are never changed or deleted'
const REFUSED_DELETION = 'ledger entries are never changed, and deleted only when they are sealed'
const SEALED_PURCHASE = 'the external id is that of a sealed ledger entry'

/** The book that each kind of entry debits, and the one that it credits. */
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

/** An account's last part has the latest end. */
const IS_OLD_SEALED = `coalesce((select sealed.before_ms from sealed_balances as sealed
  where sealed.account_id = old.account_id order by sealed.part desc limit 1), 0) > old.created_at_ms`

const HAS_SEALED_EXTERNAL_ID =
  'exists (select 1 from sealed_external_ids as sealed where sealed.external_id = new.external_id)'

const sealedTables = ['sealed_balances', 'sealed_credits', 'sealed_external_ids']

/**
 * Wallets, reservations and payments; the ledger with its checks and triggers; and what remains of archived
 * entries: for each part of an account's archive the balance up to its end and the credits of its keys, and
 * the external ids, which may never be reused. An entry may be deleted once a sealed balance covers it.
 */
export function ledgerStatements(kind: DatabaseKind): readonly string[] {
  const { isSqlite, bigint, sequence, end } = columnTypes(kind)
  return [
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
    'create index reservations_by_account on reservations (account_id, created_at_ms)',
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
    'create index ledger_entries_by_account on ledger_entries (account_id, sequence)',
    'create index ledger_entries_by_reservation on ledger_entries (reservation_id) where reservation_id is not null',
    `create unique index ledger_entries_one_reserve on ledger_entries (reservation_id) where kind = 'reserve'`,
    `create unique index ledger_entries_one_resolution on ledger_entries (reservation_id)
      where kind in ('settle', 'release', 'expire')`,
    // The few entries that are not for mockups, among millions that are.
    `create index ledger_entries_besides_mockups on ledger_entries (account_id, sequence)
      where kind in ('grant', 'purchase', 'refund', 'reverse')`,
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
    ...(isSqlite ? sqliteTriggers : [...postgresTriggers, RUN_WALLET_OPERATIONS]),
    ...creditDays(kind),
    `create table payments (
      id text primary key,
      account_id text not null references accounts (id),
      credits ${bigint} not null,
      price_cents ${bigint} not null,
      created_at_ms ${bigint} not null,
      paid_at_ms ${bigint},
      reversed_credits ${bigint} not null default 0 check (reversed_credits >= 0 and reversed_credits <= credits),
      receipt_url text
    ${end}`,
    'create index payments_by_account on payments (account_id)',
  ]
}

const sqliteTriggers = [
  `create trigger ledger_entries_no_update before update on ledger_entries
    begin select raise(abort, '${REFUSED_CHANGE}'); end`,
  `create trigger ledger_entries_no_delete before delete on ledger_entries when not (${IS_OLD_SEALED})
    begin select raise(abort, '${REFUSED_DELETION}'); end`,
  // "insert or replace" deletes the old row without firing the delete trigger.
  `create trigger ledger_entries_no_replace before insert on ledger_entries
    when exists (
      select 1 from ledger_entries old where old.sequence = new.sequence or old.id = new.id
        or old.external_id = new.external_id
        or (old.reservation_id = new.reservation_id and old.kind = new.kind and new.kind <> 'refund')
    )
    begin select raise(abort, '${REFUSED_CHANGE}'); end`,
  `create trigger ledger_entries_not_again before insert on ledger_entries
    when new.external_id is not null and ${HAS_SEALED_EXTERNAL_ID}
    begin select raise(abort, '${SEALED_PURCHASE}'); end`,
  `create trigger wallets_no_delete before delete on wallets
    begin select raise(abort, 'wallets are never deleted'); end`,
  ...sealedTables.flatMap(table =>
    ['update', 'delete'].map(
      change => `create trigger ${table}_no_${change} before ${change} on ${table}
        begin select raise(abort, 'sealed balances are never changed or deleted'); end`,
    ),
  ),
]

const postgresTriggers = [
  `create function refuse_ledger_change() returns trigger language plpgsql as $$
    begin raise exception '${REFUSED_CHANGE}' using errcode = 'check_violation'; end $$`,
  `create trigger ledger_entries_no_update before update on ledger_entries
    for each row execute function refuse_ledger_change()`,
  `create trigger ledger_entries_no_truncate before truncate on ledger_entries
    for each statement execute function refuse_ledger_change()`,
  `create trigger wallets_no_delete before delete on wallets
    for each row execute function refuse_ledger_change()`,
  `create function refuse_unsealed_deletion() returns trigger language plpgsql as $$
    begin
      if not (${IS_OLD_SEALED}) then
        raise exception '${REFUSED_DELETION}' using errcode = 'check_violation';
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

/**
 * Credits by account, key and UTC day: sums over the ledger that a trigger updates in the transaction of each
 * entry. A refund counts on the day of its mockup, so that no day's consumption is negative.
 */
function creditDays(kind: DatabaseKind): readonly string[] {
  const { isSqlite, bigint, end } = columnTypes(kind)
  const resolvedAtS = 'coalesce(reservation.resolved_at_ms, new.created_at_ms) / 1000'
  const day = isSqlite
    ? `date(${resolvedAtS}, 'unixepoch')`
    : `to_char(to_timestamp(${resolvedAtS}) at time zone 'UTC', 'YYYY-MM-DD')`
  const kinds = `('settle', 'release', 'expire', 'refund')`
  const addNewEntry = `insert into credit_days (account_id, key_id, day, consumed, refunded)
    select new.account_id, coalesce(reservation.key_id, ''), ${day},
      case new.kind when 'settle' then new.credits when 'refund' then -new.credits else 0 end,
      case new.kind when 'settle' then 0 else new.credits end
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
    ${end}`,
    ...(isSqlite
      ? [
          `create trigger ledger_entries_credit_days after insert on ledger_entries when new.kind in ${kinds}
            begin ${addNewEntry} end`,
        ]
      : [
          `create function add_to_credit_days() returns trigger language plpgsql as $$
            begin ${addNewEntry} return null; end $$`,
          `create trigger ledger_entries_credit_days after insert on ledger_entries
            for each row when (new.kind in ${kinds}) execute function add_to_credit_days()`,
        ]),
  ]
}
