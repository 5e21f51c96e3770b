import { AccountShares } from './account-shares.ts'
import {
  ARRIVING_PER_QUEUE_PLACE,
  ARRIVING_PER_UNFUNDED_ACCOUNT,
  ARRIVING_UNFUNDED,
  RECEIVED_BYTES,
  RECEIVED_BYTES_PER_ACCOUNT,
  RECEIVED_BYTES_PER_UNFUNDED_ACCOUNT,
} from './limits.ts'

/** The requests of an account that are under way, and the bytes that were received of them. */
type Received = { requestCount: number; sizeBytes: number }

/**
 * Requests whose body arrives. They have places of their own, more than the render queue, because a body may
 * take 25 s. Accounts that can spend nothing have few: bodies that never come must not take others' places.
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

  /** Null where the account has all the places that it may. */
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
        // One request may always be as large as the interface lets it be.
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

/** Adds the bytes of one request to its account's, and takes them off again. */
type ByteCount = {
  /** False where the account or all accounts are beyond their bound. */
  receive(sizeBytes: number): boolean
  end(sizeBytes: number): void
}

/** One request from its head to its end. */
export class Arrival implements Disposable {
  #place: Disposable | null
  /** Null after the end. */
  #count: ByteCount | null
  #sizeBytes = 0

  constructor(place: Disposable, count: ByteCount) {
    this.#place = place
    this.#count = count
  }

  /** Counts bytes of the body, until the request ends. False where they are beyond a bound. */
  receive(sizeBytes: number): boolean {
    if (this.#count === null) return true
    this.#sizeBytes += sizeBytes
    return this.#count.receive(sizeBytes)
  }

  /** Gives its place back: the body is complete, and the request waits elsewhere. */
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
