import type { CompiledQuery } from 'kysely'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { findDeadInstances } from '../database/instance.ts'
import { newId } from '../database/new-id.ts'
import type { LedgerEntry, ReservationState, Transaction } from '../database/schema.ts'
import { BatchWalletStore } from './batch-wallet-store.ts'
import { GroupedWalletStore } from './grouped-wallet-store.ts'
import { addCredits, findEntry, findReservation, move, readSpendable } from './ledger.ts'
import { type Reversal, setReversedCredits } from './reversal.ts'
import { type LedgerReport, verifyLedger } from './verify-ledger.ts'
import type { ReservationEnd, Resolved, WalletStore } from './wallet-store.ts'

const walletStores = {
  sqlite: BatchWalletStore,
  postgres: GroupedWalletStore,
} satisfies Record<Database['kind'], new (database: Database) => WalletStore>

/** `spendableCredits` is the displayed balance: granted + purchased - consumed - reserved. */
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

/** `state` is the reservation's current state, whichever call set it. */
export type ResolveResult = { readonly state: ReservationState; readonly spendableCredits: number }

/** The result of a sweep: reservations that were never settled, and those still open. */
export type SweepObserver = {
  readonly onGivenBack: (credits: number, cause: 'expired' | 'process died') => void
  /** Null if nothing is reserved. */
  readonly onOldestOpen: (createdAtMs: number | null) => void
}

/**
 * Prepaid credits: reserved before work begins, then settled or released exactly once. Every operation is one
 * transaction with its ledger entry, and idempotent. The database refuses a negative balance.
 */
export class Wallet {
  readonly #database: Database
  readonly #clock: Clock
  readonly #instanceId: string
  readonly #store: WalletStore
  readonly #observer: SweepObserver | null

  /** `instanceId` marks this process's reservations: the id of its Instance. */
  constructor(
    database: Database,
    { instanceId, clock = Date.now, observer }: { instanceId: string; clock?: Clock; observer?: SweepObserver },
  ) {
    this.#observer = observer ?? null
    this.#database = database
    this.#clock = clock
    this.#instanceId = instanceId
    this.#store = new walletStores[database.kind](database)
  }

  /** Reserves credits for one request. They are released after `expiresAtMs`, its deadline plus a minute. */
  async reserve(request: {
    readonly accountId: string
    /** Null for a render from the dashboard. */
    readonly keyId: string | null
    /** A whole number, at least 1. */
    readonly credits: number
    readonly requestId: string
    readonly expiresAtMs: number
  }): Promise<ReserveResult> {
    assertCredits(request.credits)
    const ids = { reservationId: newId('res'), entryId: newId('ent'), instanceId: this.#instanceId }
    const { isReserved, spendableCredits } = await this.#store.reserve({ ...request, ...ids, nowMs: this.#clock() })
    return isReserved
      ? { ok: true, reservationId: ids.reservationId, spendableCredits }
      : { ok: false, spendableCredits }
  }

  /**
   * Consumes the reserved credits. `settled` is true for exactly one call. `alongside` runs in the same
   * transaction: if it returns no row, nothing is settled, and `state` is still `reserved`.
   */
  async settle(
    reservationId: string,
    alongside?: CompiledQuery,
  ): Promise<ResolveResult & { readonly settled: boolean }> {
    const { isMine, ...result } = await this.#resolve(reservationId, 'settled', null, alongside)
    return { settled: isMine, ...result }
  }

  /** Makes the reserved credits spendable again. `cause` is for people to read. */
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

  /** The spendable credits of each account; accounts without a wallet are omitted. */
  async spendableOf(accountIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (accountIds.length === 0) return new Map()
    const rows = await this.#database.queries
      .selectFrom('wallets')
      .select(['account_id', 'spendable'])
      .where('account_id', 'in', accountIds)
      .execute()
    return new Map(rows.map(({ account_id, spendable }) => [account_id, spendable]))
  }

  /** Adds free credits. With an `externalId` the call is idempotent. */
  async grant(gift: {
    readonly accountId: string
    readonly credits: number
    readonly reason: string
    readonly externalId?: string
  }): Promise<{ readonly granted: boolean; readonly spendableCredits: number }> {
    const { isNew, spendableCredits } = await this.#add('grant', { externalId: null, ...gift })
    return { granted: isNew, spendableCredits }
  }

  /** Adds paid credits, once for each `externalId`, however often the payment is confirmed. */
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
   * Makes consumed credits of a settled reservation spendable again: `credits` of them, or none if fewer are
   * left; without `credits`, all that are left. `refundedCredits` is what this call gave back.
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
      .select(['id', 'credits'])
      .where('state', '=', 'reserved')
      .where('expires_at_ms', '<=', nowMs)
      .orderBy('expires_at_ms')
      .limit(1_000)
      .execute()
    let expired = 0
    for (const { id, credits } of overdue) {
      if (!(await this.#resolve(id, 'expired', 'it was not settled in time')).isMine) continue
      expired++
      this.#observer?.onGivenBack(credits, 'expired')
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
      .select(['id', 'instance_id', 'credits', 'created_at_ms'])
      .where('state', '=', 'reserved')
      .execute()
    const instanceIds = open.map(row => row.instance_id)
    const dead = await findDeadInstances(this.#database, instanceIds, this.#instanceId, this.#clock)
    let released = 0
    for (const { id, credits } of open.filter(row => dead.includes(row.instance_id))) {
      if (!(await this.#resolve(id, 'released', 'its process died')).isMine) continue
      released++
      this.#observer?.onGivenBack(credits, 'process died')
    }
    const left = open.filter(row => !dead.includes(row.instance_id)).map(row => row.created_at_ms)
    this.#observer?.onOldestOpen(left.length === 0 ? null : left.reduce((oldest, ms) => Math.min(oldest, ms)))
    return released
  }

  #resolve(
    reservationId: string,
    state: ReservationEnd,
    cause: string | null,
    alongside?: CompiledQuery,
  ): Promise<Resolved> {
    const resolution = { reservationId, entryId: newId('ent'), state, cause, nowMs: this.#clock() }
    return this.#store.resolve(resolution, alongside)
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
        // On SQLite a trigger refuses a known external id before `on conflict` can ignore it.
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

async function hasExternalId(transaction: Transaction, externalId: string): Promise<boolean> {
  for (const table of ['ledger_entries', 'sealed_external_ids'] as const) {
    const row = await transaction
      .selectFrom(table)
      .select('external_id')
      .where('external_id', '=', externalId)
      .executeTakeFirst()
    if (row !== undefined) return true
  }
  return false
}

/** Refunds `credits` of a settled reservation, or all that are left. Refunds nothing if impossible. */
async function refundSettled(
  transaction: Transaction,
  refund: { reservationId: string; entryId: string; reason: string; nowMs: number },
  wanted: number | undefined,
): Promise<{ account_id: string; credits: number }> {
  const { reservationId } = refund
  // The update locks the row, so that a concurrent refund waits, on PostgreSQL too.
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
