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

/** Rows that one statement groups: it sorts in memory, and on SQLite other reads need not wait long. */
export type SliceSizes = { readonly accounts: number; readonly reservations: number }
const defaultSlices: SliceSizes = { accounts: 200, reservations: 20_000 }

/** A range of ids: beyond the first, up to and including the last. */
type Slice = { readonly after: string; readonly upTo: string }

/**
 * Recomputes every wallet and every reservation from the ledger's entries, slice by slice. `transaction` is a
 * snapshot, so that all slices are of one moment.
 */
export async function verifyLedger(
  transaction: Transaction<Schema>,
  slices: SliceSizes = defaultSlices,
): Promise<LedgerReport> {
  const violations: Violation[] = await checkAccounts(transaction)
  for await (const slice of slicesOf(transaction, 'wallets', slices.accounts)) {
    violations.push(...(await checkWallets(transaction, slice)), ...(await checkCreditDays(transaction, slice)))
    if (violations.length >= MAX_VIOLATIONS) break
  }
  for await (const slice of slicesOf(transaction, 'reservations', slices.reservations)) {
    if (violations.length >= MAX_VIOLATIONS) break
    violations.push(...(await checkReservations(transaction, slice)))
  }
  const totals = await transaction
    .selectNoFrom([
      sql<number>`(select count(*) from wallets)`.as('accounts'),
      sql<number>`(select count(*) from ledger_entries)`.as('entries'),
      sql<number>`(select count(*) from reservations where state = 'reserved')`.as('openReservations'),
      sql<number>`(select coalesce(sum(spendable), 0) from wallets)`.as('spendableCredits'),
    ])
    .executeTakeFirstOrThrow()
  return { ...totals, violations: violations.slice(0, MAX_VIOLATIONS) }
}

/** The ids of a table in ranges of at most so many rows, by its primary key. */
async function* slicesOf(
  transaction: Transaction<Schema>,
  table: 'wallets' | 'reservations',
  size: number,
): AsyncGenerator<Slice> {
  const id = sql.ref(table === 'wallets' ? 'account_id' : 'id')
  for (let after = ''; ; ) {
    const { rows } = await sql<{ last: string | null }>`
      select max(id) as last from (select ${id} as id from ${sql.table(table)}
      where ${id} > ${after} order by ${id} limit ${sql.lit(size)}) as slice`.execute(transaction)
    const upTo = rows[0]?.last ?? null
    if (upTo === null) return
    yield { after, upTo }
    after = upTo
  }
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
async function checkWallets(transaction: Transaction<Schema>, { after, upTo }: Slice): Promise<Violation[]> {
  // `granted` and `purchased` are sources: their sum is debits less credits.
  const flow = (book: Book) => {
    const [plus, minus] =
      book === 'granted' || book === 'purchased' ? ['debit_book', 'credit_book'] : ['credit_book', 'debit_book']
    return sql<number>`coalesce(sum(case when ${sql.ref(`entry.${plus}`)} = ${book} then entry.credits
      when ${sql.ref(`entry.${minus}`)} = ${book} then -entry.credits else 0 end), 0)`
  }
  const rows = await transaction
    .selectFrom('wallets')
    // The range is said of both sides: no planner infers it, and a slice would read every entry.
    .leftJoin('ledger_entries as entry', join =>
      join
        .onRef('entry.account_id', '=', 'wallets.account_id')
        .on('entry.account_id', '>', after)
        .on('entry.account_id', '<=', upTo),
    )
    .where('wallets.account_id', '>', after)
    .where('wallets.account_id', '<=', upTo)
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
async function checkReservations(transaction: Transaction<Schema>, { after, upTo }: Slice): Promise<Violation[]> {
  const entriesOf = (kind: string) =>
    sql<number>`coalesce(sum(case when entry.kind = ${kind} and entry.credits = reservation.credits
      and entry.account_id = reservation.account_id then 1 when entry.kind = ${kind} then 1000 else 0 end), 0)`
  const refunds = sql<number>`coalesce(sum(case when entry.kind = 'refund' then entry.credits else 0 end), 0)`
  const rows = await transaction
    .selectFrom('reservations as reservation')
    .leftJoin('ledger_entries as entry', join =>
      join
        .onRef('entry.reservation_id', '=', 'reservation.id')
        .on('entry.reservation_id', '>', after)
        .on('entry.reservation_id', '<=', upTo),
    )
    .where('reservation.id', '>', after)
    .where('reservation.id', '<=', upTo)
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
async function checkCreditDays(transaction: Transaction<Schema>, { after, upTo }: Slice): Promise<Violation[]> {
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
        and entry.account_id > ${after} and entry.account_id <= ${upTo}
      union all
      select account_id, key_id, 0, 0, consumed, refunded from credit_days
      where account_id > ${after} and account_id <= ${upTo}
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
