/**
 * Reservations and their ends on PostgreSQL: any number for one wallet in one statement, with one round trip
 * and one lock of the wallet. Each operation succeeds or fails alone, in list order. The result has a row for
 * each, or none at all if the account has no wallet.
 *
 * `may_be_done` checks for existing entry ids first. Locks are taken in the same order as by a refund: the
 * wallet, then the day's credits. The commit waits for the disk whatever the connection's settings.
 */
export const RUN_WALLET_OPERATIONS = `
create function run_wallet_operations(wallet_account_id text, operations json, may_be_done boolean)
returns table (is_done boolean, state_now text, spendable_now bigint) language plpgsql as $$
declare
  operation record;
  credits_moved bigint;
  moved bigint[] := '{}';
  reserved_change bigint := 0;
  consumed_change bigint := 0;
begin
  if current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  select spendable into spendable_now from wallets where account_id = wallet_account_id for no key update;
  if not found then return; end if;
  for operation in select * from json_to_recordset(operations) as operation (kind text, state text,
    credit_book text, reservation_id text, entry_id text, credits bigint, cause text, now_ms bigint)
  loop
    credits_moved := null;
    state_now := operation.state;
    is_done := may_be_done and exists (select from ledger_entries where id = operation.entry_id);
    if not is_done and operation.kind = 'reserve' then
      if operation.credits <= spendable_now then
        credits_moved := operation.credits;
        spendable_now := spendable_now - credits_moved;
        reserved_change := reserved_change + credits_moved;
      end if;
    elsif not is_done then
      if operation.kind <> 'look' then
        update reservations
          set state = operation.state, cause = operation.cause, resolved_at_ms = operation.now_ms
          where id = operation.reservation_id and account_id = wallet_account_id and state = 'reserved'
          returning credits into credits_moved;
      end if;
      if credits_moved is null then
        select state into state_now from reservations where id = operation.reservation_id;
      else
        reserved_change := reserved_change - credits_moved;
        if operation.credit_book = 'consumed' then
          consumed_change := consumed_change + credits_moved;
        else
          spendable_now := spendable_now + credits_moved;
        end if;
      end if;
    end if;
    is_done := is_done or credits_moved is not null;
    moved := moved || credits_moved;
    return next;
  end loop;
  insert into reservations
    (id, account_id, key_id, request_id, credits, state, instance_id, created_at_ms, expires_at_ms)
    select reservation_id, wallet_account_id, key_id, request_id, moved[place], 'reserved', instance_id, now_ms,
      expires_at_ms
    from rows from (json_to_recordset(operations) as (kind text, reservation_id text, key_id text,
      request_id text, instance_id text, now_ms bigint, expires_at_ms bigint)) with ordinality
      as operation (kind, reservation_id, key_id, request_id, instance_id, now_ms, expires_at_ms, place)
    where kind = 'reserve' and moved[place] is not null;
  insert into ledger_entries
    (id, account_id, kind, debit_book, credit_book, credits, reservation_id, reason, created_at_ms)
    select entry_id, wallet_account_id, kind, case kind when 'reserve' then 'spendable' else 'reserved' end,
      case kind when 'reserve' then 'reserved' else credit_book end, moved[place], reservation_id, cause, now_ms
    from rows from (json_to_recordset(operations) as (kind text, reservation_id text, entry_id text,
      credit_book text, cause text, now_ms bigint)) with ordinality
      as operation (kind, reservation_id, entry_id, credit_book, cause, now_ms, place)
    where moved[place] is not null
    order by place;
  if reserved_change <> 0 or consumed_change <> 0 then
    update wallets
      set spendable = spendable_now, reserved = reserved + reserved_change, consumed = consumed + consumed_change
      where account_id = wallet_account_id;
  end if;
end $$`
