import { sql, type Transaction } from 'kysely'
import type { Book, Schema } from '../database/schema.ts'

/** A value that does not agree with the ledger's entries. */
export type Violation = {
  readonly subject: string
  readonly what: string
  readonly expected: string
  readonly received: string
}

export type LedgerReport = {
  readonly accounts: number
  readonly entries: number
  readonly openReservations: number
  /** Every credit that can be spent now, over all accounts. */
  readonly spendableCredits: number
  readonly violations: readonly Violation[]
}

const books = ['granted', 'purchased', 'spendable', 'reserved', 'consumed'] as const satisfies readonly Book[]

/** A broken ledger must not fill the memory. */
const MAX_VIOLATIONS = 1_000

/** Recomputes every wallet and every reservation from the ledger's entries. `transaction` is a snapshot. */
export async function verifyLedger(transaction: Transaction<Schema>): Promise<LedgerReport> {
  const violations: Violation[] = [
    ...(await checkAccounts(transaction)),
    ...(await checkWallets(transaction)),
    ...(await checkReservations(transaction)),
    ...(await checkCreditDays(transaction)),
  ].slice(0, MAX_VIOLATIONS)
  const totals = await transaction
    .selectNoFrom([
      sql<number>`(select count(*) from wallets)`.as('accounts'),
      sql<number>`(select count(*) from ledger_entries)`.as('entries'),
      sql<number>`(select count(*) from reservations where state = 'reserved')`.as('openReservations'),
      sql<number>`(select coalesce(sum(spendable), 0) from wallets)`.as('spendableCredits'),
    ])
    .executeTakeFirstOrThrow()
  return { ...totals, violations }
}

async function checkAccounts(transaction: Transaction<Schema>): Promise<Violation[]> {
  const accounts = await transaction
    .selectFrom('accounts')
    .leftJoin('wallets', 'wallets.account_id', 'accounts.id')
    .select('accounts.id')
    .where('wallets.account_id', 'is', null)
    .limit(MAX_VIOLATIONS)
    .execute()
  return accounts.map(({ id }) => ({ subject: id, what: 'wallet', expected: 'one', received: 'none' }))
}

/** Each book of a wallet is the sum of its credits less its debits. */
async function checkWallets(transaction: Transaction<Schema>): Promise<Violation[]> {
  // `granted` and `purchased` are sources: their sum is debits less credits.
  const flow = (book: Book) => {
    const [plus, minus] =
      book === 'granted' || book === 'purchased' ? ['debit_book', 'credit_book'] : ['credit_book', 'debit_book']
    return sql<number>`coalesce(sum(case when ${sql.ref(`entry.${plus}`)} = ${book} then entry.credits
      when ${sql.ref(`entry.${minus}`)} = ${book} then -entry.credits else 0 end), 0)`
  }
  const rows = await transaction
    .selectFrom('wallets')
    .leftJoin('ledger_entries as entry', 'entry.account_id', 'wallets.account_id')
    .select(['wallets.account_id', ...books.map(book => `wallets.${book}` as const)])
    .select(books.map(book => flow(book).as(`${book}_sum` as const)))
    .groupBy(['wallets.account_id', ...books.map(book => `wallets.${book}` as const)])
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

/** Each reservation has one entry that made it, the one entry its state asks for, and no more. */
async function checkReservations(transaction: Transaction<Schema>): Promise<Violation[]> {
  const entriesOf = (kind: string) =>
    sql<number>`coalesce(sum(case when entry.kind = ${kind} and entry.credits = reservation.credits
      and entry.account_id = reservation.account_id then 1 when entry.kind = ${kind} then 1000 else 0 end), 0)`
  const refunds = sql<number>`coalesce(sum(case when entry.kind = 'refund' then entry.credits else 0 end), 0)`
  const rows = await transaction
    .selectFrom('reservations as reservation')
    .leftJoin('ledger_entries as entry', 'entry.reservation_id', 'reservation.id')
    .select(['reservation.id', 'reservation.state', 'reservation.refunded'])
    .select([
      entriesOf('reserve').as('reserve'),
      entriesOf('settle').as('settle'),
      entriesOf('release').as('release'),
      entriesOf('expire').as('expire'),
      refunds.as('refunds'),
    ])
    .groupBy(['reservation.id', 'reservation.state', 'reservation.refunded'])
    .having(
      sql<boolean>`not (${entriesOf('reserve')} = 1
        and ${entriesOf('settle')} = case when reservation.state = 'settled' then 1 else 0 end
        and ${entriesOf('release')} = case when reservation.state = 'released' then 1 else 0 end
        and ${entriesOf('expire')} = case when reservation.state = 'expired' then 1 else 0 end
        and ${refunds} = reservation.refunded)`,
    )
    .limit(MAX_VIOLATIONS)
    .execute()
  return rows.map(row => ({
    subject: row.id,
    what: 'entries',
    expected: `those of a ${row.state} reservation with ${row.refunded} refunded`,
    received: `reserve ${row.reserve}, settle ${row.settle}, release ${row.release}, expire ${row.expire}, refunds ${row.refunds} (1000 counts an entry of another amount or account)`,
  }))
}

/** The credits by day of an account and key add up to its entries. */
async function checkCreditDays(transaction: Transaction<Schema>): Promise<Violation[]> {
  type Sums = Record<'entered' | 'entered_back' | 'shown' | 'shown_back', number>
  const { rows } = await sql<{ account_id: string; key_id: string } & Sums>`
    select account_id, key_id, sum(entered) as entered, sum(entered_back) as entered_back, sum(shown) as shown,
      sum(shown_back) as shown_back
    from (
      select entry.account_id, coalesce(reservation.key_id, '') as key_id,
        case entry.kind when 'settle' then entry.credits when 'refund' then -entry.credits else 0 end as entered,
        case entry.kind when 'settle' then 0 else entry.credits end as entered_back, 0 as shown, 0 as shown_back
      from ledger_entries as entry join reservations as reservation on reservation.id = entry.reservation_id
      where entry.kind in ('settle', 'release', 'expire', 'refund')
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
