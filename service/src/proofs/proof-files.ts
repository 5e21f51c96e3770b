import { createHash } from 'node:crypto'
import { limits } from '@vitrine/contract'
import type { ArtworkType } from '@vitrine/engine/bundle'
import { sql } from 'kysely'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { lockAccount } from '../database/lock-account.ts'
import { randomBase62 } from '../database/new-id.ts'
import type { Transaction } from '../database/schema.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import { FILES_PER_PROOF, PROOF_BYTES_PER_ACCOUNT, ROOM_HELD_MS } from './limits.ts'
import { ProofFullError, SharedFileTooLargeError } from './proof-errors.ts'
import type { Proof, StoredArtwork } from './proof-rows.ts'
import { type ArrivingFile, asPicture } from './shared-picture.ts'

/** Reservations that housekeeping releases per run. */
const LOST_ROOMS_PER_RUN = 1000

/** Files uploaded to links, and the space reserved for them. */
export class ProofFiles {
  readonly #database: Database
  readonly #storage: ObjectStorage
  readonly #clock: Clock

  constructor({ database, storage, clock }: { database: Database; storage: ObjectStorage; clock: Clock }) {
    this.#database = database
    this.#storage = storage
    this.#clock = clock
  }

  /**
   * Reserves space for a file, stores it, and records it. A failure leaves neither bytes nor a reservation.
   * @throws ProofFullError, SharedFileTooLargeError, SharedFileRefusedError
   */
  async receive(
    { id, accountId }: Proof,
    { countsAsAnswer, types }: { countsAsAnswer: boolean; types: readonly ArtworkType[] },
    { name, sizeBytes, content }: ArrivingFile,
    note: (artwork: StoredArtwork, transaction: Transaction) => Promise<{ numUpdatedRows: bigint }>,
  ): Promise<StoredArtwork> {
    if (sizeBytes > limits.artworkSizeBytesMax) throw tooLarge()
    const files = countsAsAnswer ? 1 : 0
    // Unique to this attempt, so that concurrent uploads do not overwrite each other.
    const object = `proofs/${id}/${randomBase62(22)}`
    await this.#reserve({ id, accountId }, { object, files, sizeBytes })
    try {
      const digest = createHash('sha256')
      let receivedBytes = 0
      async function* measured(): AsyncGenerator<Uint8Array> {
        for await (const part of asPicture(content, types)) {
          receivedBytes += part.byteLength
          if (receivedBytes > sizeBytes) throw tooLarge()
          digest.update(part)
          yield part
        }
      }
      await this.#storage.put(object, measured())
      const artwork = { name, size_bytes: receivedBytes, sha256: digest.digest('hex'), object }
      await this.#database.transaction(async transaction => {
        const { numUpdatedRows } = await note(artwork, transaction)
        const isOpen = await this.#release(transaction, object, receivedBytes)
        if (numUpdatedRows === 0n || !isOpen)
          throw new ProofFullError('This file was there already, or its link has ended.')
      })
      return artwork
    } catch (error) {
      // Deleted whether or not it was stored, since a failed write may have succeeded. What remains is
      // removed with the link.
      void this.#storage.delete(object).catch(() => undefined)
      // If this fails, housekeeping does it.
      await this.#database.transaction(transaction => this.#release(transaction, object, 0)).catch(() => undefined)
      throw error
    }
  }

  /** @throws ProofFullError */
  async #reserve(
    { id, accountId }: Pick<Proof, 'id' | 'accountId'>,
    { object, files, sizeBytes }: { readonly object: string; readonly files: number; readonly sizeBytes: number },
  ): Promise<void> {
    await this.#database.transaction(async transaction => {
      await this.assertRoom(transaction, { accountId }, sizeBytes)
      const reserved = await transaction
        .updateTable('proofs')
        .set({ file_count: sql<number>`file_count + ${files}`, file_bytes: sql<number>`file_bytes + ${sizeBytes}` })
        .where('id', '=', id)
        .where('revoked_at_ms', 'is', null)
        .where('file_count', '<=', FILES_PER_PROOF - files)
        .executeTakeFirstOrThrow()
      if (reserved.numUpdatedRows === 0n) throw new ProofFullError('This link takes no more files.')
      await transaction
        .insertInto('proof_rooms')
        .values({ object, proof_id: id, files, size_bytes: sizeBytes, reserved_at_ms: this.#clock() })
        .execute()
    })
  }

  /** Locks the account's links against additions until the transaction ends. @throws ProofFullError */
  async assertRoom(
    transaction: Transaction,
    { accountId }: Pick<Proof, 'accountId'>,
    sizeBytes: number,
  ): Promise<void> {
    await lockAccount(this.#database, transaction, accountId)
    const { bytes } = await transaction
      .selectFrom('proofs')
      .select(sql<number | string | null>`sum(file_bytes + answer_bytes)`.as('bytes'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    if (Number(bytes ?? 0) + sizeBytes > PROOF_BYTES_PER_ACCOUNT)
      throw new ProofFullError('The links of this account take no more files and answers.')
  }

  /**
   * Ends the reservation of an object, of which `storedBytes` stay; with 0 its file is no longer counted.
   * False if it has already ended, or its link has.
   */
  async #release(transaction: Transaction, object: string, storedBytes: number): Promise<boolean> {
    const room = await transaction
      .deleteFrom('proof_rooms')
      .where('object', '=', object)
      .returning(['proof_id', 'files', 'size_bytes'])
      .executeTakeFirst()
    if (room === undefined) return false
    const proof = await transaction
      .updateTable('proofs')
      .set({
        file_count: sql<number>`file_count - ${storedBytes === 0 ? room.files : 0}`,
        file_bytes: sql<number>`file_bytes - ${room.size_bytes - storedBytes}`,
      })
      .where('id', '=', room.proof_id)
      .returning('revoked_at_ms')
      .executeTakeFirst()
    return proof?.revoked_at_ms === null
  }

  /** Releases the space of uploads whose process died. */
  async releaseLost(): Promise<void> {
    const lost = await this.#database.queries
      .selectFrom('proof_rooms')
      .select('object')
      .where('reserved_at_ms', '<', this.#clock() - ROOM_HELD_MS)
      .limit(LOST_ROOMS_PER_RUN)
      .execute()
    for (const { object } of lost) await this.#undo(object)
  }

  /** Deletes an upload's object and releases its space. */
  async #undo(object: string): Promise<void> {
    await this.#storage.delete(object)
    await this.#database.transaction(transaction => this.#release(transaction, object, 0))
  }
}

const tooLarge = () =>
  new SharedFileTooLargeError(`Expected a picture of at most ${limits.artworkSizeBytesMax / 1024 / 1024} MiB.`)
