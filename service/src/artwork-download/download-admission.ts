import { abortReason } from './download-error.ts'
import { ACCOUNT_DOWNLOADS_MAX, DOWNLOADS_MAX, HOST_DOWNLOADS_MAX, REQUEST_DOWNLOADS_MAX } from './limits.ts'

/** The request and account of a download, and its host. */
export type DownloadClaim = {
  readonly accountId: string
  /** The same object for all downloads of a request. */
  readonly request: object
  /** The name or address in the URL. Another name of the same machine counts as another host. */
  readonly host: string
}

type WaitingDownload = { readonly claim: DownloadClaim; readonly admit: () => void }

type AccountDownloads = { underWayCount: number; readonly waiting: WaitingDownload[] }

/**
 * Limits concurrent downloads: per request, per account, per host, and in total. The others wait. The next to
 * start is the longest waiting download of the account with the fewest in progress.
 */
export class DownloadAdmission {
  /** Accounts with downloads, the most recently admitted last. */
  readonly #accounts = new Map<string, AccountDownloads>()
  readonly #countByRequest = new Map<object, number>()
  readonly #countByHost = new Map<string, number>()
  #count = 0

  /**
   * Resolves when the download may begin. It counts until the permit is disposed of.
   *
   * @throws the signal's reason if it aborts before
   */
  async admit(claim: DownloadClaim, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted()
    const account = this.#accounts.get(claim.accountId)
    // Waiting downloads are blocked by other limits, so this one may start before them.
    if ((account?.underWayCount ?? 0) < ACCOUNT_DOWNLOADS_MAX && this.#hasRoomFor(claim)) this.#begin(claim)
    else await this.#wait(claim, signal)
    let isOver = false
    return {
      [Symbol.dispose]: () => {
        if (!isOver) this.#end(claim)
        isOver = true
      },
    }
  }

  #hasRoomFor({ request, host }: DownloadClaim): boolean {
    return (
      this.#count < DOWNLOADS_MAX &&
      (this.#countByRequest.get(request) ?? 0) < REQUEST_DOWNLOADS_MAX &&
      (this.#countByHost.get(host) ?? 0) < HOST_DOWNLOADS_MAX
    )
  }

  #begin({ accountId, request, host }: DownloadClaim): void {
    const account = this.#accounts.get(accountId) ?? { underWayCount: 0, waiting: [] }
    account.underWayCount += 1
    // Accounts with equally many downloads take turns.
    this.#accounts.delete(accountId)
    this.#accounts.set(accountId, account)
    add(this.#countByRequest, request, 1)
    add(this.#countByHost, host, 1)
    this.#count += 1
  }

  #end({ accountId, request, host }: DownloadClaim): void {
    const account = this.#accounts.get(accountId)
    if (account !== undefined) account.underWayCount -= 1
    add(this.#countByRequest, request, -1)
    add(this.#countByHost, host, -1)
    this.#count -= 1
    this.#admitWaiting()
    this.#forgetUnused(accountId)
  }

  #wait(claim: DownloadClaim, signal: AbortSignal): Promise<void> {
    const account = this.#accounts.get(claim.accountId) ?? { underWayCount: 0, waiting: [] }
    this.#accounts.set(claim.accountId, account)
    return new Promise((resolve, reject) => {
      const leave = () => {
        account.waiting.splice(account.waiting.indexOf(waiting), 1)
        signal.removeEventListener('abort', giveUp)
      }
      const giveUp = () => {
        leave()
        this.#forgetUnused(claim.accountId)
        reject(abortReason(signal))
      }
      const waiting: WaitingDownload = {
        claim,
        admit: () => {
          leave()
          this.#begin(claim)
          resolve()
        },
      }
      account.waiting.push(waiting)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  #admitWaiting(): void {
    for (let next = this.#nextWaiting(); next !== null; next = this.#nextWaiting()) next.admit()
  }

  #nextWaiting(): WaitingDownload | null {
    let next: WaitingDownload | null = null
    let fewest = ACCOUNT_DOWNLOADS_MAX
    for (const { underWayCount, waiting } of this.#accounts.values()) {
      if (underWayCount >= fewest) continue
      const first = waiting.find(({ claim }) => this.#hasRoomFor(claim))
      if (first === undefined) continue
      next = first
      fewest = underWayCount
    }
    return next
  }

  #forgetUnused(accountId: string): void {
    const account = this.#accounts.get(accountId)
    if (account?.underWayCount === 0 && account.waiting.length === 0) this.#accounts.delete(accountId)
  }
}

/** Adds to a count, and removes it at 0. */
function add<Key>(counts: Map<Key, number>, key: Key, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
