import type { CompiledQuery } from 'kysely'
import type { Database } from '../database/database.ts'
import type { ReadTransaction } from '../database/schema.ts'
import type { Batch, BatchOutcome } from '../database/statement-batch.ts'
import { findEntry, findReservation, readSpendable } from './ledger.ts'
import { buildWalletStatements, type WalletStatements } from './wallet-statements.ts'
import type { NewReservation, Reserved, Resolution, Resolved, WalletStore } from './wallet-store.ts'

/** Runs each operation as a batch of statements. On SQLite one commit covers all waiting batches. */
export class BatchWalletStore implements WalletStore {
  readonly #database: Database
  readonly #statements: WalletStatements

  constructor(database: Database) {
    this.#database = database
    this.#statements = buildWalletStatements(database.queries)
  }

  async reserve(reservation: NewReservation): Promise<Reserved> {
    const outcome = await this.#batch(this.#statements.reserve(reservation), reservation.entryId)
    // No row: there were too few credits, or the batch had been committed before and its answer was lost.
    const spendableCredits =
      outcome?.firstRow('take')?.spendable ?? (await readSpendable(this.#database.queries, reservation.accountId))
    return { isReserved: outcome === null || outcome.stoppedAt === null, spendableCredits }
  }

  async resolve(resolution: Resolution, alongside?: CompiledQuery): Promise<Resolved> {
    const { reservationId, entryId, state } = resolution
    const batch = this.#statements.resolve(resolution)
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
    const wasDone = async (transaction: ReadTransaction) => (await findEntry(transaction, entryId)) !== undefined
    return this.#database.batch(batch, wasDone)
  }
}
