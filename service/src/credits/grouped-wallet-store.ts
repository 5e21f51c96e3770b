import { type CompiledQuery, sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { type PreparedQuery, prepareQuery } from '../database/prepared-query.ts'
import type { ReservationState, Transaction } from '../database/schema.ts'
import { countChanges } from '../database/statement-batch.ts'
import { findEntry, findReservation, readSpendable, UnknownReservationError } from './ledger.ts'
import {
  ends,
  type NewReservation,
  type Reserved,
  type Resolution,
  type Resolved,
  type WalletStore,
} from './wallet-store.ts'
import { WorkGroups } from './work-groups.ts'

/** Must match the properties of the database function's parameter exactly. */
type Operation = {
  /** `look` only reads. */
  readonly kind: 'reserve' | 'look' | (typeof ends)[keyof typeof ends]['kind']
  readonly state: ReservationState
  readonly reservation_id: string
  readonly entry_id: string
  readonly now_ms: number
  readonly credit_book?: string
  readonly credits?: number
  readonly key_id?: string | null
  readonly request_id?: string
  readonly instance_id?: string
  readonly cause?: string | null
  readonly expires_at_ms?: number
}

/** One request's operation on its wallet. */
type Work = { readonly operation: Operation; readonly alongside: CompiledQuery | undefined }

/** A row of `run_wallet_operations`. `state_now` is null if there is no such reservation. */
type OperationRow = {
  readonly is_done: boolean
  readonly state_now: ReservationState | null
  readonly spendable_now: number
}

/** A statement alongside was executed but its operation was not: the transaction is rolled back. */
class HalfDoneError extends Error {
  override readonly name = 'HalfDoneError'
  readonly rows: readonly OperationRow[]

  constructor(rows: readonly OperationRow[]) {
    super('a statement was done alongside an operation that was not')
    this.rows = rows
  }
}

/**
 * For PostgreSQL, where processes contend for the wallet's row: its lock is held during a wait for the disk.
 * Operations waiting for the same wallet are grouped into one statement, which takes the lock once.
 */
export class GroupedWalletStore implements WalletStore {
  readonly #database: Database
  readonly #groups: WorkGroups<Work, OperationRow>
  readonly #query: PreparedQuery<{ accountId: string; operations: string; mayBeDone: boolean }, OperationRow>
  /** The account of each open reservation of this process. */
  readonly #accountOf = new Map<string, string>()

  constructor(database: Database) {
    this.#database = database
    this.#groups = new WorkGroups((accountId, works, mayBeDone) => this.#run(accountId, works, mayBeDone))
    this.#query = prepareQuery(slot =>
      database.queries
        .selectFrom(
          sql<OperationRow>`run_wallet_operations(${slot('accountId')}, ${slot('operations')}, ${slot('mayBeDone')})`.as(
            'done',
          ),
        )
        .select(['is_done', 'state_now', 'spendable_now']),
    )
  }

  async reserve(reservation: NewReservation): Promise<Reserved> {
    const { accountId, reservationId } = reservation
    const operation: Operation = {
      kind: 'reserve',
      state: 'reserved',
      reservation_id: reservationId,
      entry_id: reservation.entryId,
      credits: reservation.credits,
      key_id: reservation.keyId,
      request_id: reservation.requestId,
      instance_id: reservation.instanceId,
      now_ms: reservation.nowMs,
      expires_at_ms: reservation.expiresAtMs,
    }
    const row = await this.#groups.add(accountId, { operation, alongside: undefined })
    if (row.is_done) this.#accountOf.set(reservationId, accountId)
    return { isReserved: row.is_done, spendableCredits: row.spendable_now }
  }

  async resolve(resolution: Resolution, alongside?: CompiledQuery): Promise<Resolved> {
    const { reservationId, state, entryId, cause, nowMs } = resolution
    const { kind, creditBook } = ends[state]
    const known = this.#accountOf.get(reservationId)
    this.#accountOf.delete(reservationId)
    const accountId = known ?? (await findReservation(this.#database.queries, reservationId)).account_id
    const operation: Operation = {
      kind,
      state,
      credit_book: creditBook,
      reservation_id: reservationId,
      entry_id: entryId,
      cause,
      now_ms: nowMs,
    }
    const row = await this.#groups.add(accountId, { operation, alongside })
    if (row.state_now === null) throw new UnknownReservationError(`there is no reservation ${reservationId}`)
    return { isMine: row.is_done, state: row.state_now, spendableCredits: row.spendable_now }
  }

  async #run(accountId: string, works: readonly Work[], mayBeDone: boolean): Promise<readonly OperationRow[]> {
    const hasAlongside = works.some(({ alongside }) => alongside !== undefined)
    const rows = hasAlongside
      ? await this.#runInTransaction(accountId, works, mayBeDone)
      : await this.#database.statement(({ mayHaveCommitted }) =>
          this.#build(
            accountId,
            works.map(({ operation }) => operation),
            mayBeDone || mayHaveCommitted,
          ),
        )
    // Only an account without a wallet has no rows; this throws the error for it.
    if (rows.length === 0) await readSpendable(this.#database.queries, accountId)
    return rows
  }

  /**
   * The statements alongside run first, so that the wallet is locked only for the last one and the commit.
   */
  async #runInTransaction(accountId: string, works: readonly Work[], mayBeDone: boolean) {
    const run = async (transaction: Transaction, isRepeated: boolean): Promise<readonly OperationRow[]> => {
      const operations: Operation[] = []
      for (const { operation, alongside } of works) {
        const isReady =
          alongside === undefined ||
          (isRepeated && (await findEntry(transaction, operation.entry_id)) !== undefined) ||
          countChanges(await transaction.executeQuery(alongside)) > 0
        operations.push(isReady ? operation : { ...operation, kind: 'look' })
      }
      const { rows } = await transaction.executeQuery(this.#build(accountId, operations, isRepeated))
      const isHalfDone = works.some(
        ({ alongside }, i) => alongside !== undefined && operations[i]?.kind !== 'look' && rows[i]?.is_done !== true,
      )
      if (isHalfDone) throw new HalfDoneError(rows)
      return rows
    }
    try {
      return await this.#database.transaction(
        (transaction, { mayHaveCommitted }) => run(transaction, mayBeDone || mayHaveCommitted),
        { isRepeatable: true },
      )
    } catch (error) {
      if (error instanceof HalfDoneError && works.length === 1) return error.rows
      throw error
    }
  }

  #build(accountId: string, operations: readonly Operation[], mayBeDone: boolean): CompiledQuery<OperationRow> {
    return this.#query({ accountId, operations: JSON.stringify(operations), mayBeDone })
  }
}
