import type { CompiledQuery } from 'kysely'
import type { ReservationState } from '../database/schema.ts'

export type NewReservation = {
  readonly accountId: string
  readonly credits: number
  readonly reservationId: string
  readonly keyId: string | null
  readonly requestId: string
  readonly instanceId: string
  readonly entryId: string
  readonly nowMs: number
  readonly expiresAtMs: number
}

/** The ways a reservation can end: the kind of the ledger entry, and the book that receives the credits. */
export const ends = {
  settled: { kind: 'settle', creditBook: 'consumed' },
  released: { kind: 'release', creditBook: 'spendable' },
  expired: { kind: 'expire', creditBook: 'spendable' },
} as const

export type ReservationEnd = keyof typeof ends

export type Resolution = {
  readonly reservationId: string
  readonly entryId: string
  readonly state: ReservationEnd
  readonly cause: string | null
  readonly nowMs: number
}

/** `spendableCredits` is the wallet's balance afterwards. */
export type Reserved = { readonly isReserved: boolean; readonly spendableCredits: number }

/** `state` is the reservation's current state; `isMine` says whether this call set it. */
export type Resolved = {
  readonly isMine: boolean
  readonly state: ReservationState
  readonly spendableCredits: number
}

/** The wallet operations of a mockup. Each is one transaction, and idempotent by its entry's id. */
export type WalletStore = {
  /**
   * Moves credits from `spendable` to `reserved` if there are enough.
   * @throws RangeError for an account without a wallet
   */
  reserve(reservation: NewReservation): Promise<Reserved>
  /**
   * Ends an open reservation. If `alongside` returns no row, nothing is changed.
   * @throws UnknownReservationError
   */
  resolve(resolution: Resolution, alongside?: CompiledQuery): Promise<Resolved>
}
