import { sql } from 'kysely'
import type { Book, Transaction } from '../database/schema.ts'

/** A value that contradicts the ledger's entries. */
export type Violation = {
  readonly subject: string
  readonly what: string
  readonly expected: string
  readonly received: string
}

export type LedgerReport = {
  readonly accounts: number
  /** Entries in the database. */
  readonly entries: number
  readonly archivedEntries: number
  readonly openReservations: number
  /** Spendable credits of all accounts. */
  readonly spendableCredits: number
  readonly violations: readonly Violation[]
}

const books = ['granted', 'purchased', 'spendable', 'reserved', 'consumed'] as const satisfies readonly Book[]

/** Bounds the memory for the report on a damaged ledger. */
export const MAX_VIOLATIONS = 1_000

/**
 * Recomputes every wallet, reservation and daily sum from the ledger's entries. Each check is one statement
 * that scans a table and returns only the differences. `transaction` is a snapshot, so all checks see the
 * same moment.
 */
export async function verifyLedger(transaction: Transaction): Promise<LedgerReport> {
  const violations = [
    ...(await checkAccounts(transaction)),
    ...(await checkWallets(transaction)),
    ...(await checkSealedBalances(transaction)),
  ]
  if (violations.length < MAX_VIOLATIONS) {
    const suspects = await findSuspects(transaction)
    violations.push(
      ...(await checkReservations(transaction, suspects)),
      ...(await checkCreditDays(transaction, suspects)),
    )
  }
  const totals = await transaction
    .selectNoFrom([
      sql<number>`(select count(*) from wallets)`.as('accounts'),
      sql<number>`(select count(*) from ledger_entries)`.as('entries'),
      sql<number>`(select coalesce(sum(entries), 0) from sealed_balances)`.as('archivedEntries'),
      sql<number>`(select count(*) from reservations where state = 'reserved')`.as('openReservations'),
      sql<number>`(select coalesce(sum(spendable), 0) from wallets)`.as('spendableCredits'),
    ])
    .executeTakeFirstOrThrow()
  return { ...totals, violations: violations.slice(0, MAX_VIOLATIONS) }
}

async function checkAccounts(transaction: Transaction): Promise<Violation[]> {
  const accounts = await transaction
    .selectFrom('accounts')
    .leftJoin('wallets', 'wallets.account_id', 'accounts.id')
    .select('accounts.id')
    .where('wallets.account_id', 'is', null)
    .limit(MAX_VIOLATIONS)
    .execute()
  return accounts.map(({ id }) => ({ subject: id, what: 'wallet', expected: 'one', received: 'none' }))
}

/** Each book of a wallet must equal its sealed balance plus its credits less its debits. */
async function checkWallets(transaction: Transaction): Promise<Violation[]> {
  // `granted` and `purchased` are sources: their sum is debits less credits.
  const flow = (book: Book) => {
    const [plus, minus] =
      book === 'granted' || book === 'purchased' ? ['debit_book', 'credit_book'] : ['credit_book', 'debit_book']
    const sealed = book === 'reserved' ? sql`0` : sql`coalesce(max(${sql.ref(`sealed.${book}`)}), 0)`
    return sql<number>`coalesce(sum(case when ${sql.ref(`moved.${plus}`)} = ${book} then moved.credits
      when ${sql.ref(`moved.${minus}`)} = ${book} then -moved.credits else 0 end), 0) + ${sealed}`
  }
  // An expression, so that SQLite does not use the index of accounts and scan in its order.
  const moved = transaction
    .selectFrom('ledger_entries')
    .select([
      sql<string>`account_id || ''`.as('account_id'),
      'debit_book',
      'credit_book',
      sql<number>`sum(credits)`.as('credits'),
    ])
    .groupBy([sql`account_id || ''`, 'debit_book', 'credit_book'])
  const rows = await transaction
    .selectFrom('wallets')
    .leftJoin(moved.as('moved'), 'moved.account_id', 'wallets.account_id')
    .leftJoin('sealed_balances as sealed', join =>
      join.onRef('sealed.account_id', '=', 'wallets.account_id').on('sealed.part', '=', build =>
        build
          .selectFrom('sealed_balances as last')
          .select(({ fn }) => fn.max<number>('last.part').as('part'))
          .whereRef('last.account_id', '=', 'wallets.account_id'),
      ),
    )
    .select(['wallets.account_id', ...books.map(book => `wallets.${book}` as const)])
    .select(books.map(book => flow(book).as(`${book}_sum` as const)))
    .groupBy(['wallets.account_id', ...books.map(book => `wallets.${book}` as const)])
    .having(is => is.or(books.map(book => is(flow(book), '<>', is.ref(`wallets.${book}`)))))
    .limit(MAX_VIOLATIONS)
    .execute()
  return rows.flatMap(row =>
    books
      .filter(book => row[book] !== row[`${book}_sum`])
      .map(book => ({
        subject: row.account_id,
        what: book,
        expected: `${row[`${book}_sum`]}`,
        received: `${row[book]}`,
      })),
  )
}

/** An archive's parts are numbered without gaps, and keys consumed what the sealed balance says. */
async function checkSealedBalances(transaction: Transaction): Promise<Violation[]> {
  type Row = Record<'parts' | 'last_part' | 'consumed' | 'of_keys', number>
  const { rows } = await sql<{ account_id: string } & Row>`
    select account_id, sum(is_part) as parts, max(part) as last_part, max(consumed) as consumed, sum(of_key) as of_keys
    from (
      select account_id, part, 1 as is_part, consumed, 0 as of_key from sealed_balances
      union all
      select account_id, part, 0, 0, consumed from sealed_credits
    ) as sealed
    group by account_id
    having sum(is_part) <> max(part) or max(consumed) <> sum(of_key)
    limit ${sql.lit(MAX_VIOLATIONS)}`.execute(transaction)
  return rows.map(({ account_id, parts, last_part, consumed, of_keys }) => ({
    subject: account_id,
    what: 'sealed balance',
    expected: `${last_part} parts, ${of_keys} consumed by keys`,
    received: `${parts} parts, ${consumed} consumed`,
  }))
}

/**
 * Finds reservations whose entries do not match their state, one amount and one account, in one pass over all
 * entries and reservations, sorted by reservation. Apart from refunds there are at most two entries, so the
 * weights of their kinds identify them.
 */
async function findSuspects(transaction: Transaction): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select reservation_id as id, account_id, case kind when 'refund' then 0 else 1 end as entries,
        case kind when 'reserve' then 1 when 'settle' then 10 when 'release' then 100 when 'expire' then 1000 else 0
          end as weight,
        case kind when 'refund' then null else credits end as credits,
        case kind when 'refund' then credits else 0 end as refunded
      from ledger_entries where reservation_id is not null
      union all
      select id, account_id, case state when 'reserved' then -1 else -2 end,
        case state when 'settled' then -11 when 'released' then -101 when 'expired' then -1001 else -1 end,
        credits, -refunded
      from reservations
    ) as parts
    group by id
    having sum(entries) <> 0 or sum(weight) <> 0 or sum(refunded) <> 0
      or min(credits) <> max(credits) or min(account_id) <> max(account_id)
    limit ${sql.lit(MAX_VIOLATIONS)}`.execute(transaction)
  return rows.map(({ id }) => id)
}

/** Each reservation has exactly one entry that created it and the one that its state requires. */
async function checkReservations(transaction: Transaction, suspects: readonly string[]): Promise<Violation[]> {
  if (suspects.length === 0) return []
  const entriesOf = (kind: string) =>
    sql<number>`coalesce(sum(case when entry.kind = ${kind} and entry.credits = reservation.credits
      and entry.account_id = reservation.account_id then 1 when entry.kind = ${kind} then 1000 else 0 end), 0)`
  const refunds = sql<number>`coalesce(sum(case when entry.kind = 'refund' then entry.credits else 0 end), 0)`
  const rows = await transaction
    .selectFrom('reservations as reservation')
    .leftJoin('ledger_entries as entry', 'entry.reservation_id', 'reservation.id')
    .where('reservation.id', 'in', suspects)
    .select(['reservation.id', 'reservation.state', 'reservation.refunded'])
    .select([
      entriesOf('reserve').as('reserve'),
      entriesOf('settle').as('settle'),
      entriesOf('release').as('release'),
      entriesOf('expire').as('expire'),
      refunds.as('refunds'),
    ])
    .groupBy(['reservation.id', 'reservation.state', 'reservation.refunded'])
    .execute()
  const known = new Set(rows.map(({ id }) => id))
  const wrong = rows.filter(
    row =>
      row.reserve !== 1 ||
      row.settle !== (row.state === 'settled' ? 1 : 0) ||
      row.release !== (row.state === 'released' ? 1 : 0) ||
      row.expire !== (row.state === 'expired' ? 1 : 0) ||
      row.refunds !== row.refunded,
  )
  return [
    ...wrong.map(row => ({
      subject: row.id,
      what: 'entries',
      expected: `those of a ${row.state} reservation with ${row.refunded} refunded`,
      received: `reserve ${row.reserve}, settle ${row.settle}, release ${row.release}, expire ${row.expire}, refunds ${row.refunds} (1000 counts an entry of another amount or account)`,
    })),
    ...suspects
      .filter(id => !known.has(id))
      .map(id => ({ subject: id, what: 'reservation', expected: 'one', received: 'none, but entries' })),
  ]
}

/**
 * The daily sums of an account and key must equal those of its entries. A reservation that is not suspect
 * matches its entries, and is one row instead of two or three.
 */
async function checkCreditDays(transaction: Transaction, suspects: readonly string[]): Promise<Violation[]> {
  type Sums = Record<'entered' | 'entered_back' | 'shown' | 'shown_back', number>
  const none = suspects.length === 0
  const { rows } = await sql<{ account_id: string; key_id: string } & Sums>`
    select account_id, key_id, sum(entered) as entered, sum(entered_back) as entered_back, sum(shown) as shown,
      sum(shown_back) as shown_back
    from (
      select account_id, coalesce(key_id, '') as key_id,
        case state when 'settled' then credits - refunded else 0 end as entered,
        case state when 'settled' then refunded else credits end as entered_back, 0 as shown, 0 as shown_back
      from reservations where state <> 'reserved' ${none ? sql`` : sql`and id not in (${sql.join(suspects)})`}
      union all
      select entry.account_id, coalesce(reservation.key_id, ''),
        case entry.kind when 'settle' then entry.credits when 'refund' then -entry.credits else 0 end,
        case entry.kind when 'settle' then 0 else entry.credits end, 0, 0
      from reservations as reservation join ledger_entries as entry on entry.reservation_id = reservation.id
      where entry.kind in ('settle', 'release', 'expire', 'refund')
        and ${none ? sql`1 = 0` : sql`reservation.id in (${sql.join(suspects)})`}
      union all
      select account_id, key_id, consumed, refunded, 0, 0 from sealed_credits
      union all
      select account_id, key_id, 0, 0, consumed, refunded from credit_days
    ) as sums
    group by account_id, key_id
    having sum(entered) <> sum(shown) or sum(entered_back) <> sum(shown_back)
    limit ${sql.lit(MAX_VIOLATIONS)}`.execute(transaction)
  return rows.map(row => ({
    subject: row.account_id,
    what: `usage of key ${row.key_id === '' ? 'none' : row.key_id}`,
    expected: `${row.entered} consumed, ${row.entered_back} given back`,
    received: `${row.shown} consumed, ${row.shown_back} given back`,
  }))
}
