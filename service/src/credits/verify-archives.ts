import type { Queries, SealedBalance } from '../database/schema.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import { digestLines, readArchivedLines } from './archive-ledger.ts'
import { type EntrySums, parseLines, sealedBooks, sumEntries } from './archived-entries.ts'
import { MAX_VIOLATIONS, type Violation } from './verify-ledger.ts'

const SEALED_PER_PAGE = 500

/**
 * Compares every object of the archive with its sealed balance: the digest of its lines, and their sums.
 * Holds one object in memory at a time.
 */
export async function verifyArchives(queries: Queries, storage: ObjectStorage): Promise<Violation[]> {
  const violations: Violation[] = []
  let before: SealedBalance | null = null
  for await (const sealed of listSealed(queries)) {
    const previous: SealedBalance | null = before?.account_id === sealed.account_id ? before : null
    violations.push(...(await verifyPart(queries, storage, sealed, previous)))
    if (violations.length >= MAX_VIOLATIONS) break
    before = sealed
  }
  return violations.slice(0, MAX_VIOLATIONS)
}

async function* listSealed(queries: Queries): AsyncGenerator<SealedBalance> {
  let last = { account_id: '', part: 0 }
  for (;;) {
    const rows = await queries
      .selectFrom('sealed_balances')
      .selectAll()
      .where(build => build(build.refTuple('account_id', 'part'), '>', build.tuple(last.account_id, last.part)))
      .orderBy('account_id')
      .orderBy('part')
      .limit(SEALED_PER_PAGE)
      .execute()
    yield* rows
    const end = rows.at(-1)
    if (end === undefined) return
    last = end
  }
}

async function verifyPart(
  queries: Queries,
  storage: ObjectStorage,
  sealed: SealedBalance,
  before: SealedBalance | null,
): Promise<Violation[]> {
  const subject = `${sealed.account_id} part ${sealed.part}`
  const sums = await sumArchived(storage, sealed, before)
  if (typeof sums === 'string') return [{ subject, what: 'archive', expected: sealed.digest, received: sums }]
  const expected: Record<string, number> = { entries: sealed.entries }
  for (const book of sealedBooks) expected[book] = sealed[book] - (before?.[book] ?? 0)
  const received: Record<string, number> = { ...sums.books, entries: sums.entries }
  const credits = await queries
    .selectFrom('sealed_credits')
    .selectAll()
    .where('account_id', '=', sealed.account_id)
    .where('part', '=', sealed.part)
    .execute()
  for (const { key_id, consumed } of credits) expected[`usage of key ${key_id}`] = consumed
  for (const [keyId, { consumed }] of sums.keys) received[`usage of key ${keyId}`] = consumed
  return [...new Set([...Object.keys(expected), ...Object.keys(received)])]
    .filter(what => (expected[what] ?? 0) !== (received[what] ?? 0))
    .map(what => ({ subject, what, expected: `${received[what] ?? 0}`, received: `${expected[what] ?? 0}` }))
}

/** The sums of a part's object if its digest is right, else a description of what was found. */
async function sumArchived(
  storage: ObjectStorage,
  sealed: SealedBalance,
  before: SealedBalance | null,
): Promise<EntrySums | string> {
  let lines: string | null
  try {
    lines = await readArchivedLines(storage, sealed)
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) return 'a file that is broken'
    throw error
  }
  if (lines === null) return 'no file'
  const digest = digestLines(before?.digest ?? '', lines)
  return digest === sealed.digest ? sumEntries(parseLines(lines)) : digest
}
