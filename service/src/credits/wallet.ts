import type { CompiledQuery, Kysely, Transaction } from 'kysely'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { findDeadInstances } from '../database/instance.ts'
import { newId } from '../database/new-id.ts'
import type { LedgerEntry, ReservationState, Schema } from '../database/schema.ts'
import type { Batch, BatchOutcome } from '../database/statement-batch.ts'
import { addCredits, move, readSpendable } from './ledger.ts'
import { type Reversal, setReversedCredits } from './reversal.ts'
import { type LedgerReport, verifyLedger } from './verify-ledger.ts'
import { buildWalletStatements, type ReservationEnd, type WalletStatements } from './wallet-statements.ts'

/** `spendableCredits` is the balance that is shown: granted + purchased - consumed - reserved. */
export type Balance = {
  readonly spendableCredits: number
  readonly reservedCredits: number
  readonly grantedCredits: number
  readonly purchasedCredits: number
  /** Net of refunds. */
  readonly consumedCredits: number
}

export type ReserveResult =
  | { readonly ok: true; readonly reservationId: string; readonly spendableCredits: number }
  | { readonly ok: false; readonly spendableCredits: number }

/** `state` is the reservation's state now, whichever call changed it. */
export type ResolveResult = { readonly state: ReservationState; readonly spendableCredits: number }

/** The reservation does not exist: a defect of the caller. */
export class UnknownReservationError extends Error {
  override readonly name = 'UnknownReservationError'
}

/**
 * Pre-paid credits: reserved before work begins, then settled or released, exactly once. Every operation is
 * one transaction with its ledger entry and may be repeated. The database refuses a balance below zero.
 */
export class Wallet {
  readonly #database: Database
  readonly #clock: Clock
  readonly #instanceId: string
  readonly #statements: WalletStatements

  /** `instanceId` marks what this process reserves: the id of its Instance. */
  constructor(database: Database, { instanceId, clock = Date.now }: { instanceId: string; clock?: Clock }) {
    this.#database = database
    this.#clock = clock
    this.#instanceId = instanceId
    this.#statements = buildWalletStatements(database.queries)
  }

  /** Reserves credits for one request. After `expiresAtMs`, its deadline plus a minute, they are released. */
  async reserve(request: {
    readonly accountId: string
    /** Null for a render in the dashboard. */
    readonly keyId: string | null
    /** A whole number, at least 1. */
    readonly credits: number
    readonly requestId: string
    readonly expiresAtMs: number
  }): Promise<ReserveResult> {
    assertCredits(request.credits)
    const ids = { reservationId: newId('res'), entryId: newId('ent'), instanceId: this.#instanceId }
    const batch = this.#statements.reserve({ ...request, ...ids, nowMs: this.#clock() })
    const outcome = await this.#batch(batch, ids.entryId)
    // Without a row there were too few credits, or the batch had happened before and its answer was lost.
    const spendableCredits =
      outcome?.firstRow('take')?.spendable ?? (await readSpendable(this.#database.queries, request.accountId))
    return outcome === null || outcome.stoppedAt === null
      ? { ok: true, reservationId: ids.reservationId, spendableCredits }
      : { ok: false, spendableCredits }
  }

  /**
   * Consumes the reserved credits. `settled` is true for exactly one call. `alongside` runs in the same
   * transaction: where it has no row, nothing is settled, and `state` is still `reserved`.
   */
  async settle(
    reservationId: string,
    alongside?: CompiledQuery,
  ): Promise<ResolveResult & { readonly settled: boolean }> {
    const { isMine, ...result } = await this.#resolve(reservationId, 'settled', null, alongside)
    return { settled: isMine, ...result }
  }

  /** Makes the reserved credits spendable again. `cause` is for people. */
  async release(reservationId: string, cause: string): Promise<ResolveResult & { readonly released: boolean }> {
    const { isMine, ...result } = await this.#resolve(reservationId, 'released', cause)
    return { released: isMine, ...result }
  }

  /** @throws RangeError for an account without a wallet */
  async balance(accountId: string): Promise<Balance> {
    const wallet = await this.#database.queries
      .selectFrom('wallets')
      .select([
        'spendable as spendableCredits',
        'reserved as reservedCredits',
        'granted as grantedCredits',
        'purchased as purchasedCredits',
        'consumed as consumedCredits',
      ])
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    if (!wallet) throw new RangeError(`Expected the id of an account but received ${accountId}`)
    return wallet
  }

  /** The spendable credits of each account; accounts without a wallet are left out. */
  async spendableOf(accountIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (accountIds.length === 0) return new Map()
    const rows = await this.#database.queries
      .selectFrom('wallets')
      .select(['account_id', 'spendable'])
      .where('account_id', 'in', accountIds)
      .execute()
    return new Map(rows.map(({ account_id, spendable }) => [account_id, spendable]))
  }

  /** Adds credits for free. With an `externalId` it happens once, however often it is called. */
  async grant(gift: {
    readonly accountId: string
    readonly credits: number
    readonly reason: string
    readonly externalId?: string
  }): Promise<{ readonly granted: boolean; readonly spendableCredits: number }> {
    const { isNew, spendableCredits } = await this.#add('grant', { externalId: null, ...gift })
    return { granted: isNew, spendableCredits }
  }

  /** Adds paid credits: once for each `externalId`, however often the payment is confirmed. */
  async purchase(payment: {
    readonly accountId: string
    readonly credits: number
    readonly reason: string
    readonly externalId: string
  }): Promise<{ readonly purchased: boolean; readonly spendableCredits: number }> {
    const { isNew, spendableCredits } = await this.#add('purchase', payment)
    return { purchased: isNew, spendableCredits }
  }

  /**
   * Makes consumed credits of a settled reservation spendable again: all that are left, or `credits` where
   * that many are left, else none. `refundedCredits` is what this call gave back.
   */
  async refund(
    reservationId: string,
    { reason, credits }: { readonly reason: string; readonly credits?: number },
  ): Promise<{ readonly refundedCredits: number; readonly spendableCredits: number }> {
    if (credits !== undefined) assertCredits(credits)
    const entryId = newId('ent')
    return this.#database.transaction(
      async (transaction, { mayHaveCommitted }) => {
        const done = mayHaveCommitted ? await findEntry(transaction, entryId) : undefined
        const refund = { reservationId, entryId, reason, nowMs: this.#clock() }
        const refunded = done ?? (await refundSettled(transaction, refund, credits))
        const spendableCredits = await readSpendable(transaction, refunded.account_id)
        return { refundedCredits: refunded.credits, spendableCredits }
      },
      { isRepeatable: true },
    )
  }

  /** See `setReversedCredits`. */
  async setReversed(reversal: Reversal): Promise<{ readonly reversedCredits: number }> {
    return this.#database.transaction(transaction => setReversedCredits(transaction, reversal, this.#clock()))
  }

  /** The account's ledger entries, newest first. `page` counts from 1. */
  async movements(
    accountId: string,
    { page, limit }: { readonly page: number; readonly limit: number },
  ): Promise<{ readonly entries: LedgerEntry[]; readonly total: number }> {
    const ofAccount = this.#database.queries.selectFrom('ledger_entries').where('account_id', '=', accountId)
    const [entries, count] = await Promise.all([
      ofAccount
        .selectAll()
        .orderBy('sequence', 'desc')
        .limit(limit)
        .offset((page - 1) * limit)
        .execute(),
      ofAccount.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    ])
    return { entries, total: count.total }
  }

  /** Releases expired reservations and those of dead processes. Call it every few seconds. */
  async sweep(nowMs: number = this.#clock()): Promise<{ expired: number; released: number }> {
    const released = await this.recoverAtStart()
    const overdue = await this.#database.queries
      .selectFrom('reservations')
      .select('id')
      .where('state', '=', 'reserved')
      .where('expires_at_ms', '<=', nowMs)
      .orderBy('expires_at_ms')
      .limit(1_000)
      .execute()
    let expired = 0
    for (const { id } of overdue) {
      if ((await this.#resolve(id, 'expired', 'nobody settled it in time')).isMine) expired++
    }
    return { expired, released }
  }

  /** Recomputes everything from the ledger's entries and lists the differences. */
  async verifyLedger(): Promise<LedgerReport> {
    return this.#database.longSnapshot(transaction => verifyLedger(transaction))
  }

  /** Releases the reservations of dead processes and returns their number. Call it before listening. */
  async recoverAtStart(): Promise<number> {
    const open = await this.#database.queries
      .selectFrom('reservations')
      .select(['id', 'instance_id'])
      .where('state', '=', 'reserved')
      .execute()
    const instanceIds = open.map(row => row.instance_id)
    const dead = await findDeadInstances(this.#database, instanceIds, this.#instanceId, this.#clock)
    let released = 0
    for (const { id } of open.filter(row => dead.includes(row.instance_id))) {
      if ((await this.#resolve(id, 'released', 'its process died')).isMine) released++
    }
    return released
  }

  async #resolve(
    reservationId: string,
    state: ReservationEnd,
    cause: string | null,
    alongside?: CompiledQuery,
  ): Promise<ResolveResult & { readonly isMine: boolean }> {
    const entryId = newId('ent')
    const batch = this.#statements.resolve({ reservationId, entryId, state, cause, nowMs: this.#clock() })
    const outcome = await this.#batch({ ...batch, ...(alongside && { alongside }) }, entryId)
    if (outcome?.stoppedAt === 'move') throw new Error(`the wallet does not hold what ${reservationId} reserved`)
    const isMine = outcome === null || outcome.stoppedAt === null
    const spendableCredits = outcome?.firstRow('move')?.spendable
    if (isMine && spendableCredits !== undefined) return { isMine, state, spendableCredits }
    const reservation = await findReservation(this.#database.queries, reservationId)
    return {
      isMine,
      state: isMine ? state : reservation.state,
      spendableCredits: await readSpendable(this.#database.queries, reservation.account_id),
    }
  }

  #batch<Statements extends Batch>(batch: Statements, entryId: string): Promise<BatchOutcome<Statements> | null> {
    return this.#database.batch(batch, async transaction => (await findEntry(transaction, entryId)) !== undefined)
  }

  async #add(
    kind: 'grant' | 'purchase',
    gift: { accountId: string; credits: number; reason: string; externalId: string | null },
  ): Promise<{ isNew: boolean; spendableCredits: number }> {
    assertCredits(gift.credits)
    const entryId = newId('ent')
    return this.#database.transaction(
      async (transaction, { mayHaveCommitted }) => {
        const { accountId, externalId } = gift
        const isDone = mayHaveCommitted && (await findEntry(transaction, entryId)) !== undefined
        // On SQLite a trigger refuses a known external id before `on conflict` ignores it.
        const isRepeated = externalId !== null && !isDone && (await hasExternalId(transaction, externalId))
        const isNew =
          isDone || (!isRepeated && (await addCredits(transaction, kind, { ...gift, entryId, nowMs: this.#clock() })))
        return { isNew, spendableCredits: await readSpendable(transaction, accountId) }
      },
      { isRepeatable: true },
    )
  }
}

function assertCredits(credits: number): void {
  if (!Number.isSafeInteger(credits) || credits < 1) {
    throw new RangeError(`Expected a whole number of credits, at least 1, but received ${credits}`)
  }
}

async function findEntry(transaction: Transaction<Schema>, entryId: string) {
  return transaction
    .selectFrom('ledger_entries')
    .select(['account_id', 'credits'])
    .where('id', '=', entryId)
    .executeTakeFirst()
}

async function hasExternalId(transaction: Transaction<Schema>, externalId: string): Promise<boolean> {
  const entry = await transaction
    .selectFrom('ledger_entries')
    .select('id')
    .where('external_id', '=', externalId)
    .executeTakeFirst()
  return entry !== undefined
}

/** Refunds `credits` of a settled reservation, or all that are left. No credits where it can't be done. */
async function refundSettled(
  transaction: Transaction<Schema>,
  refund: { reservationId: string; entryId: string; reason: string; nowMs: number },
  wanted: number | undefined,
): Promise<{ account_id: string; credits: number }> {
  const { reservationId } = refund
  // The update locks the row: a concurrent refund waits, on PostgreSQL too.
  const reservation = await transaction
    .updateTable('reservations')
    .set(build => ({ refunded: build.ref('refunded') }))
    .where('id', '=', reservationId)
    .where('state', '=', 'settled')
    .returning(['account_id', 'credits', 'refunded'])
    .executeTakeFirst()
  const { account_id } = reservation ?? (await findReservation(transaction, reservationId))
  const left = reservation ? reservation.credits - reservation.refunded : 0
  const credits = wanted ?? left
  if (!reservation || credits === 0 || credits > left) return { account_id, credits: 0 }
  await transaction
    .updateTable('reservations')
    .set({ refunded: reservation.refunded + credits })
    .where('id', '=', reservationId)
    .execute()
  const spendable = await move(transaction, account_id, 'consumed', 'spendable', credits)
  if (spendable === null) throw new Error(`reservation ${reservationId} was settled but never consumed`)
  await transaction
    .insertInto('ledger_entries')
    .values({
      id: refund.entryId,
      account_id,
      kind: 'refund',
      debit_book: 'consumed',
      credit_book: 'spendable',
      credits,
      reservation_id: reservationId,
      reason: refund.reason,
      created_at_ms: refund.nowMs,
    })
    .execute()
  return { account_id, credits }
}

async function findReservation(queries: Kysely<Schema>, reservationId: string) {
  const reservation = await queries
    .selectFrom('reservations')
    .select(['account_id', 'state'])
    .where('id', '=', reservationId)
    .executeTakeFirst()
  if (!reservation) throw new UnknownReservationError(`there is no reservation ${reservationId}`)
  return reservation
}
