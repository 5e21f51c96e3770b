import { AccountShares } from './account-shares.ts'
import {
  ARRIVING_PER_QUEUE_PLACE,
  ARRIVING_PER_UNFUNDED_ACCOUNT,
  ARRIVING_UNFUNDED,
  RECEIVED_BYTES,
  RECEIVED_BYTES_PER_ACCOUNT,
  RECEIVED_BYTES_PER_UNFUNDED_ACCOUNT,
} from './limits.ts'

/** The number of an account's requests in progress, and the bytes received for them. */
type Received = { requestCount: number; sizeBytes: number }

/**
 * Limits requests whose body is arriving. There are more places than in the render queue, because a body may
 * take 25 s. Accounts without credits have few, so that bodies that never arrive do not take other accounts'
 * places.
 */
export class Arrivals {
  readonly #funded: AccountShares
  readonly #unfundedCounts = new Map<string, number>()
  readonly #received = new Map<string, Received>()
  #unfundedCount = 0
  #receivedBytes = 0

  constructor(queueLimit: number) {
    this.#funded = new AccountShares(ARRIVING_PER_QUEUE_PLACE * queueLimit)
  }

  get count(): number {
    return this.#funded.count + this.#unfundedCount
  }

  get receivedBytes(): number {
    return this.#receivedBytes
  }

  /** Null if the account has taken all its places. */
  tryBegin(accountId: string, isFunded: boolean): Arrival | null {
    const place = isFunded ? this.#funded.tryTake(accountId) : this.#takeUnfunded(accountId)
    if (place === null) return null
    const received = this.#received.get(accountId) ?? { requestCount: 0, sizeBytes: 0 }
    received.requestCount += 1
    this.#received.set(accountId, received)
    const maxBytes = isFunded ? RECEIVED_BYTES_PER_ACCOUNT : RECEIVED_BYTES_PER_UNFUNDED_ACCOUNT
    return new Arrival(place, {
      receive: sizeBytes => {
        received.sizeBytes += sizeBytes
        this.#receivedBytes += sizeBytes
        // A single request may always be as large as the interface allows.
        const isWithinOwn = received.requestCount === 1 || received.sizeBytes <= maxBytes
        return isWithinOwn && this.#receivedBytes <= RECEIVED_BYTES
      },
      end: sizeBytes => {
        received.requestCount -= 1
        received.sizeBytes -= sizeBytes
        this.#receivedBytes -= sizeBytes
        if (received.requestCount === 0) this.#received.delete(accountId)
      },
    })
  }

  #takeUnfunded(accountId: string): Disposable | null {
    const own = this.#unfundedCounts.get(accountId) ?? 0
    if (own >= ARRIVING_PER_UNFUNDED_ACCOUNT || this.#unfundedCount >= ARRIVING_UNFUNDED) return null
    this.#unfundedCounts.set(accountId, own + 1)
    this.#unfundedCount += 1
    return {
      [Symbol.dispose]: () => {
        const left = (this.#unfundedCounts.get(accountId) ?? 1) - 1
        if (left === 0) this.#unfundedCounts.delete(accountId)
        else this.#unfundedCounts.set(accountId, left)
        this.#unfundedCount -= 1
      },
    }
  }
}

/** Counts the bytes of one request for its account, and subtracts them at its end. */
type ByteCount = {
  /** False if the account or all accounts together exceed their limit. */
  receive(sizeBytes: number): boolean
  end(sizeBytes: number): void
}

/** A request from its head to its end. */
export class Arrival implements Disposable {
  #place: Disposable | null
  /** Null after the end. */
  #count: ByteCount | null
  #sizeBytes = 0

  constructor(place: Disposable, count: ByteCount) {
    this.#place = place
    this.#count = count
  }

  /** Counts bytes of the body until the request ends. False if they exceed a limit. */
  receive(sizeBytes: number): boolean {
    if (this.#count === null) return true
    this.#sizeBytes += sizeBytes
    return this.#count.receive(sizeBytes)
  }

  /** Releases its place: the body is complete, and the request now waits in the render queue. */
  complete(): void {
    this.#place?.[Symbol.dispose]()
    this.#place = null
  }

  [Symbol.dispose](): void {
    this.complete()
    this.#count?.end(this.#sizeBytes)
    this.#count = null
  }
}
