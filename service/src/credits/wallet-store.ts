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

/** The ends of a reservation: the kind of their ledger entry, and the book that gets the credits. */
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

/** `spendableCredits` is what the wallet can spend afterwards. */
export type Reserved = { readonly isReserved: boolean; readonly spendableCredits: number }

/** `state` is the reservation's state now; `isMine` says that this call made it so. */
export type Resolved = {
  readonly isMine: boolean
  readonly state: ReservationState
  readonly spendableCredits: number
}

/** What a mockup needs of its wallet. Each is one transaction, and happens once for its entry's id. */
export type WalletStore = {
  /**
   * Moves credits from `spendable` to `reserved`, where there are enough.
   * @throws RangeError for an account without a wallet
   */
  reserve(reservation: NewReservation): Promise<Reserved>
  /**
   * Ends an open reservation. Where `alongside` has no row, nothing is done.
   * @throws UnknownReservationError
   */
  resolve(resolution: Resolution, alongside?: CompiledQuery): Promise<Resolved>
}
