import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Database } from '../database/database.ts'
import type { Queries, SealedBalance, Transaction } from '../database/schema.ts'
import { OperatorError } from '../errors/operator-error.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import {
  type ArchivedEntry,
  type EntrySums,
  isNoMockup,
  partReservations,
  readClosedEntries,
  type SealedBooks,
  sealedBooks,
  sumEntries,
  writeLines,
} from './archived-entries.ts'
import { endOfMonth, monthBefore } from './closed-months.ts'
import { readSealedBalance } from './sealed-balance.ts'
import { verifyLedger } from './verify-ledger.ts'

const compress = promisify(gzip)
const uncompress = promisify(gunzip)

/** Why archiving stopped, in one sentence for the operator. What is sealed by then stays sealed. */
export class LedgerArchiveRefusedError extends OperatorError {
  override readonly name = 'LedgerArchiveRefusedError'
}

export type LedgerArchive = { readonly accounts: number; readonly parts: number; readonly entries: number }

type ArchiveOptions = {
  /** The first moment of a month in UTC: earlier entries are archived. */
  readonly beforeMs: number
  readonly nowMs: number
  /** The maximum number of reservations, and entries without one, in a part. */
  readonly partSize?: number
}

/**
 * Moves the entries of closed months, with their reservations, from the database to object storage, by
 * account and month, in parts. Each part's file is stored and read back; then one transaction seals the
 * balance up to its end and deletes the archived rows. A ledger that fails verification is not archived. A
 * crash leaves at most one unreferenced file, and the call can be repeated. The service and other archive
 * runs may be active.
 *
 * @throws LedgerArchiveRefusedError
 */
export async function archiveLedger(
  database: Database,
  storage: ObjectStorage,
  options: ArchiveOptions,
): Promise<LedgerArchive> {
  const { violations } = await database.longSnapshot(verifyLedger)
  if (violations.length > 0) throw disagrees()
  const archive = { accounts: 0, parts: 0, entries: 0 }
  for await (const accountId of listAccounts(database.queries)) {
    const partsBefore = archive.parts
    const firstMs = await findFirst(database.queries, accountId)
    if (firstMs === null) continue
    for (let beforeMs = endOfMonth(firstMs); beforeMs <= options.beforeMs; beforeMs = endOfMonth(beforeMs)) {
      for (;;) {
        const entries = await archivePart(database, storage, accountId, { ...options, beforeMs })
        if (entries === 0) break
        archive.parts += 1
        archive.entries += entries
      }
    }
    if (archive.parts > partsBefore) archive.accounts += 1
  }
  return archive
}

/** The key of a part's object. It contains the digest, so different content gets a different object. */
export function objectKeyOf({ account_id, part, before_ms, digest }: SealedPart): string {
  return `ledger/${account_id}/${monthBefore(before_ms)}-${part}-${digest.slice(0, 16)}.jsonl.gz`
}

/** The digest of a part, chained to that of the part before; the first part follows an empty string. */
export const digestLines = (digestBefore: string, lines: string): string => hash('sha256', digestBefore + lines)

/** The lines of a part's object; null if it is missing. @throws Error if it is damaged */
export async function readArchivedLines(storage: ObjectStorage, part: SealedPart): Promise<string | null> {
  const content = await storage.get(objectKeyOf(part))
  return content === null ? null : (await uncompress(content)).toString()
}

type SealedPart = Pick<SealedBalance, 'account_id' | 'part' | 'before_ms' | 'digest'>

async function* listAccounts(queries: Queries): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const rows = await queries
      .selectFrom('wallets')
      .select('account_id')
      .where('account_id', '>', after)
      .orderBy('account_id')
      .limit(1_000)
      .execute()
    for (const { account_id } of rows) yield account_id
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.account_id
  }
}

/** When an account's oldest reservation or other entry was created; null if there is none. */
async function findFirst(queries: Queries, accountId: string): Promise<number | null> {
  const [reservation, entry] = await Promise.all([
    queries
      .selectFrom('reservations')
      .select(({ fn }) => fn.min<number | null>('created_at_ms').as('firstMs'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow(),
    queries
      .selectFrom('ledger_entries')
      .select(({ fn }) => fn.min<number | null>('created_at_ms').as('firstMs'))
      .where('account_id', '=', accountId)
      .where(isNoMockup)
      .executeTakeFirstOrThrow(),
  ])
  const firstMs = Math.min(reservation.firstMs ?? Infinity, entry.firstMs ?? Infinity)
  return Number.isFinite(firstMs) ? firstMs : null
}

/** Archives an account's next part from before a moment. Returns its number of entries, or 0. */
async function archivePart(
  database: Database,
  storage: ObjectStorage,
  accountId: string,
  { beforeMs, nowMs, partSize = partReservations[database.kind] }: ArchiveOptions,
): Promise<number> {
  for (;;) {
    const [before, entries] = await database.snapshot(async transaction => [
      await readSealedBalance(transaction, accountId),
      await readClosedEntries(transaction, accountId, beforeMs, partSize),
    ])
    if (entries.length === 0) return 0
    const lines = writeLines(entries)
    const sums = sumEntries(entries)
    const sealed: SealedBalance = {
      account_id: accountId,
      part: (before?.part ?? 0) + 1,
      // Never before the previous part's: the latest one determines which entries may be deleted.
      before_ms: Math.max(beforeMs, before?.before_ms ?? 0),
      entries: sums.entries,
      ...addBooks(before, sums),
      digest: digestLines(before?.digest ?? '', lines),
      sealed_at_ms: nowMs,
    }
    await store(storage, sealed, lines)
    if (await seal(database, sealed, entries, sums)) return entries.length
  }
}

function addBooks(before: SealedBalance | null, { books }: EntrySums): SealedBooks {
  const sum = (book: keyof SealedBooks) => (before?.[book] ?? 0) + books[book]
  const sealed = {
    granted: sum('granted'),
    purchased: sum('purchased'),
    spendable: sum('spendable'),
    consumed: sum('consumed'),
  }
  if (books.reserved === 0 && sealedBooks.every(book => sealed[book] >= 0)) return sealed
  throw disagrees()
}

const disagrees = () =>
  new LedgerArchiveRefusedError('The ledger does not agree with itself: "vitrine ledger verify" says where.')

async function store(storage: ObjectStorage, sealed: SealedBalance, lines: string): Promise<void> {
  await storage.put(objectKeyOf(sealed), await compress(lines))
  if ((await readArchivedLines(storage, sealed)) === lines) return
  throw new LedgerArchiveRefusedError(
    `The object storage does not return what was stored as ${objectKeyOf(sealed)}: nothing of it was deleted.`,
  )
}

/** Does nothing and returns false if the entries have changed since they were read. */
async function seal(
  database: Database,
  sealed: SealedBalance,
  entries: readonly ArchivedEntry[],
  sums: EntrySums,
): Promise<boolean> {
  const reservationIds = entries.flatMap(({ reservation }) => (reservation === undefined ? [] : [reservation.id]))
  return database.transaction(
    async (transaction, { mayHaveCommitted }) => {
      if (mayHaveCommitted && (await isSealed(transaction, sealed))) return true
      if (!(await lockReservations(database.kind, transaction, reservationIds, entries))) return false
      const row = await transaction
        .insertInto('sealed_balances')
        .values(sealed)
        .onConflict(conflict => conflict.doNothing())
        .returning('part')
        .executeTakeFirst()
      if (row === undefined) return false
      await sealDetails(transaction, sealed, entries, sums)
      await remove(transaction, reservationIds, entries)
      return true
    },
    { isRepeatable: true },
  )
}

async function isSealed(transaction: Transaction, { account_id, part, digest }: SealedBalance): Promise<boolean> {
  const row = await transaction
    .selectFrom('sealed_balances')
    .select('digest')
    .where('account_id', '=', account_id)
    .where('part', '=', part)
    .executeTakeFirst()
  return row?.digest === digest
}

/** Blocks refunds from these reservations, and checks that the entries are all that they have. */
async function lockReservations(
  kind: Database['kind'],
  transaction: Transaction,
  reservationIds: readonly string[],
  entries: readonly ArchivedEntry[],
): Promise<boolean> {
  if (reservationIds.length === 0) return true
  const reservations = transaction
    .selectFrom('reservations')
    .select('id')
    .where('id', 'in', reservationIds)
    .orderBy('id')
  // SQLite allows one writer, which is this transaction.
  const locked = await (kind === 'postgres' ? reservations.forUpdate() : reservations).execute()
  const { count } = await transaction
    .selectFrom('ledger_entries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('reservation_id', 'in', reservationIds)
    .executeTakeFirstOrThrow()
  return (
    locked.length === reservationIds.length && count === entries.filter(entry => entry.reservation_id !== null).length
  )
}

async function sealDetails(
  transaction: Transaction,
  { account_id, part }: SealedBalance,
  entries: readonly ArchivedEntry[],
  { keys }: EntrySums,
): Promise<void> {
  const credits = [...keys].map(([key_id, sums]) => ({ account_id, part, key_id, ...sums }))
  if (credits.length > 0) await transaction.insertInto('sealed_credits').values(credits).execute()
  const externalIds = entries.flatMap(({ external_id }) => (external_id === null ? [] : [{ external_id, account_id }]))
  if (externalIds.length > 0) await transaction.insertInto('sealed_external_ids').values(externalIds).execute()
}

/** The database refuses to delete an entry that no sealed balance covers. */
async function remove(
  transaction: Transaction,
  reservationIds: readonly string[],
  entries: readonly ArchivedEntry[],
): Promise<void> {
  const others = entries.filter(entry => entry.reservation_id === null).map(({ id }) => id)
  let removed = 0
  for (const [column, values] of [
    ['reservation_id', reservationIds],
    ['id', others],
  ] as const) {
    if (values.length === 0) continue
    const { numDeletedRows } = await transaction
      .deleteFrom('ledger_entries')
      .where(column, 'in', values)
      .executeTakeFirstOrThrow()
    removed += Number(numDeletedRows)
  }
  if (removed !== entries.length)
    throw new Error(`expected to delete ${entries.length} sealed entries but deleted ${removed}`)
  if (reservationIds.length > 0)
    await transaction.deleteFrom('reservations').where('id', 'in', reservationIds).execute()
}
